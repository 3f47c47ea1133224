"""The frame of `make bench` on tiny sessions: every figure is taken once. No time is looked at."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path

import pytest

from tests.bench import byte_codes
from tests.bench.__main__ import Bench, command_of, parsed
from tests.bench.empty_home import EmptyHome
from tests.bench.fast_path import Share, is_fast, with_shapes, with_texts
from tests.bench.figures import screen
from tests.bench.figures.figure import Absent, Arms, Figure, Missed, Reading, Sample
from tests.bench.figures.keeping import read_into
from tests.bench.figures.opening import took
from tests.bench.figures.searching import SEARCH, search_all
from tests.bench.first_frame import LISTENS, run
from tests.bench.goals import FIGURES
from tests.bench.pairs import Spread, by_turns
from tests.bench.phases import LAST, PHASES, started
from tests.bench.results import page, verdict
from tests.bench.sessions import MB, NEEDLE, ROW, Sessions, write_session
from unspool import open_library
from unspool.formats import by_agent
from unspool.library.reader import COLUMNS
from unspool.sources.jsonl import JsonLines

DAY = date(2026, 3, 1)
TINY = 300_000
"""Bytes of a session that is just kept."""


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Sessions:
    """Sessions of the factories."""
    return Sessions(tmp_path_factory.mktemp("sessions"), None)


@pytest.fixture(scope="module")
def bench(sessions: Sessions, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A bench whose programs write their bytecode once."""
    return Bench(sessions, EmptyHome(tmp_path_factory.mktemp("empty")), turns=1)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take little of what a figure does many times over."""
    monkeypatch.setattr(screen, "WALK", ("j", "k"))
    monkeypatch.setattr(screen, "APPENDS", 2)
    monkeypatch.setattr(screen, "FOLLOWED_ROWS", 60)
    monkeypatch.setattr(screen, "BUSY_SECONDS", 0.1)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("figure", FIGURES, ids=[each.name for each in FIGURES])
def test_every_figure_is_taken_or_says_what_is_not_installed(figure: Figure, bench: Bench) -> None:
    for found in bench.readings([figure], [TINY], long=False):
        if isinstance(found, Missed):
            assert not found.broken, found.why
            assert found.why.endswith("is not installed")
        else:
            assert found.spread.least <= found.spread.median <= found.spread.most
            assert all(each.median > 0 for each in found.arms.values()) or figure.name == "miscounted"


@pytest.mark.parametrize("kept", [True, False])
def test_every_phase_of_a_start_is_told(sessions: Sessions, tmp_path: Path, kept: bool) -> None:
    home, path = EmptyHome(tmp_path), sessions.one("real", TINY)
    if kept:
        read_into(home.cache / "unspool", path).close()
    phases = started(str(path), home.environ(), tmp_path)
    assert [*phases] == [*PHASES.values(), LAST]
    assert all(each > 0 for each in phases.values())


def test_byte_codes_are_counted_function_by_function(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(byte_codes, "SHOWN", 1_000)
    path = str(sessions.one("real", TINY))
    capsys.readouterr()
    byte_codes.main([path])
    head, *functions = capsys.readouterr().out.splitlines()
    assert any(line.endswith(" build.py Builder.take") for line in functions)
    whole, told = float(head.split()[0]), sum(float(line.split()[0]) for line in functions)
    assert told == pytest.approx(whole, rel=0.01)


def test_arms_take_turns() -> None:
    ran: list[str] = []

    def arm(name: str) -> float:
        ran.append(name)
        return float(len(ran))

    assert by_turns(3, lambda: arm("A"), lambda: arm("B")) == [[1, 3, 5], [2, 4, 6]]
    assert "".join(ran) == "ABABAB"


def test_ratios_are_taken_turn_by_turn_and_not_of_medians() -> None:
    assert Spread.of_ratios([10, 90, 30], [10, 30, 10]) == Spread(3, 1, 3)


def figure(arms: dict[str, float], **more: object) -> Figure:
    """A figure whose arms always give the same."""

    @contextmanager
    def given(sample: Sample) -> Iterator[Arms]:
        yield {name: lambda value=value: value for name, value in arms.items()}  # type: ignore[misc]

    return Figure("made-up", "made up", "wc -l", given, {"heavy": 6, "real": 12})._replace(**more)


def taken(of: Figure, folder: Path, size: int = MB) -> Reading:
    return of.measure(Sample("heavy", size, folder, folder, EmptyHome(folder)), 5)


def test_a_figure_over_its_goal_is_told_short_and_one_at_its_goal_met(tmp_path: Path) -> None:
    assert verdict([taken(figure({"unspool": 24, "wc -l": 2}), tmp_path, 1000 * MB)]) == "short by 2.00 x"
    assert verdict([taken(figure({"unspool": 12, "wc -l": 2}), tmp_path, 1000 * MB)]) == "met"


def test_a_goal_is_judged_at_the_largest_size_that_was_taken_which_is_told_when_it_is_not_the_goal_s(
    tmp_path: Path,
) -> None:
    small, large = figure({"unspool": 2, "wc -l": 2}), figure({"unspool": 24, "wc -l": 2})
    assert (
        verdict([taken(large, tmp_path, 10 * MB), taken(small, tmp_path, MB)])
        == "short by 2.00 x at 10 MB, 1 GB not taken"
    )


def test_a_short_run_takes_both_ends_of_the_growth_as_far_as_it_is_quick() -> None:
    assert figure({}, sizes=(1, 10, 100, 1000), quick=100).quick_sizes == (1, 100)
    assert figure({}, sizes=(1, 10), quick=9).quick_sizes == (1,)
    assert all(each.quick_sizes for each in FIGURES)


def test_a_goal_is_not_judged_beside_what_stands_in_for_its_yardstick(tmp_path: Path) -> None:
    reading = taken(figure({"unspool": 2, "wc -m": 2}), tmp_path)
    assert verdict([reading]) == "not judged without wc -l"
    assert "| made up / wc -m |  |" in page([reading], [], day=DAY, turns=5, load=0.0)


def test_a_difference_and_a_figure_that_stands_alone_are_in_their_own_unit(tmp_path: Path) -> None:
    assert taken(figure({"unspool": 24, "wc -l": 2}, unit="ms"), tmp_path).spread == Spread(22, 22, 22)
    assert taken(figure({"unspool": 24}, unit="MB", beside=""), tmp_path).spread == Spread(24, 24, 24)


def test_the_page_has_each_figure_with_its_arms_and_what_was_not_taken_and_no_name_of_the_machine(
    tmp_path: Path,
) -> None:
    reading = taken(figure({"unspool": 24, "wc -l": 2}), tmp_path)
    missed = Missed(figure({}, title="other"), "real", MB, "wc is not installed", broken=False)
    told = page([reading], [missed, missed], day=DAY, turns=5, load=0.25)
    assert "| made up / wc -l | 6 x | 12.0 (12.0 to 12.0) | short by 2.00 x at 1 MB, 1 GB not taken |" in told
    assert "| made up / wc -l | unspool | 24.0 ms |" in told
    assert told.count("- other / wc -l: wc is not installed") == 1
    assert "2026-03-01" in told
    assert platform.node() not in told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((), "make bench"),
        (("peak", "gap", "--sizes", "100MB,1GB"), "python -m tests.bench peak gap --sizes 100MB,1000MB"),
        (("--long",), "python -m tests.bench --long"),
    ],
)
def test_the_page_names_what_prints_it_again(given: tuple[str, ...], told: str) -> None:
    command = command_of(parsed(given))
    assert command == told
    assert f"`{told}`" in page([], [], day=DAY, turns=5, load=0.0, command=command)


def test_a_process_that_fails_is_no_quick_one(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        took((sys.executable, "-c", "raise SystemExit(2)"), EmptyHome(tmp_path).environ())


@pytest.mark.parametrize(("behind", "counts"), [("", False), ("all", True)])
def test_what_was_painted_before_the_app_listens_is_not_taken_for_the_app(
    behind: str, counts: bool, tmp_path: Path
) -> None:
    writes = (sys.executable, "-c", f"print('all', {LISTENS.decode()!r}, {behind!r})")
    if counts:
        assert len(run(writes, EmptyHome(tmp_path).environ(), LISTENS, b"all")) == 2
    else:
        with pytest.raises(SystemExit, match="ended"):
            run(writes, EmptyHome(tmp_path).environ(), LISTENS, b"all")


def test_what_fails_is_told_as_broken_and_what_is_not_there_as_absent(bench: Bench) -> None:
    def failing(error: Exception) -> Figure:
        @contextmanager
        def arms(sample: Sample) -> Iterator[Arms]:
            raise error
            yield {}

        return figure({})._replace(arms=arms, densities=("real",))

    figures = [failing(Absent("not installed")), failing(ValueError("wrong"))]
    found = list(bench.readings(figures, [TINY], long=False))
    assert [(each.why, each.broken) for each in found if isinstance(each, Missed)] == [
        ("not installed", False),
        ("ValueError: wrong", True),
    ]


def test_sessions_are_of_the_size_asked_for_hold_the_needle_and_are_made_once(sessions: Sessions) -> None:
    path = sessions.one("real", MB)
    assert 0.9 * MB < path.stat().st_size < 1.5 * MB
    assert NEEDLE.encode() in path.read_bytes()
    assert sessions.one("real", MB).stat() == path.stat()
    assert {len(line) for line in sessions.rows(30).read_bytes().splitlines(keepends=True)} == {ROW}
    assert open_library([str(sessions.rows(30))]).view(str(sessions.rows(30))).rows == 30


def test_sessions_of_codex_begin_with_one_header_and_hold_the_needle(sessions: Sessions) -> None:
    path = sessions.rollout("heavy", 3 * MB)
    assert 3 * MB <= path.stat().st_size < 5 * MB
    view = open_library([str(path)]).view(str(path))
    assert view.agent == "codex"
    assert view.unreadable == ()
    assert path.read_bytes().count(b'"session_meta"') == 1
    assert NEEDLE.encode() in path.read_bytes()


def test_a_search_that_ends_early_is_no_quick_one(sessions: Sessions, tmp_path: Path) -> None:
    home, root = EmptyHome(tmp_path), str(sessions.many("real", TINY))
    search_all((*SEARCH, NEEDLE, "--root", root), home.environ())
    with pytest.raises(ValueError, match="before it had looked into everything"):
        search_all((*SEARCH, NEEDLE, "--root", root, "--limit", "1"), home.environ())


def test_what_is_miscounted_is_told_in_percent_and_short_of_none(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_session(path, "real", 3 * MB)
    Path(f"{path}.manifest.json").write_text(
        json.dumps({"needle_text": {"rare": NEEDLE}, "needles": {"rare:tool_output": 3, "rare:text": 1}})
    )
    of = next(each for each in FIGURES if each.name == "miscounted")
    reading = of.measure(Sample("real", MB, path, path, EmptyHome(tmp_path)), 1)
    assert reading.spread.median == 50
    assert verdict([reading]) == "short at 1 MB, 10 MB not taken"
    Path(f"{path}.manifest.json").unlink()
    assert of.measure(Sample("real", MB, path, path, EmptyHome(tmp_path)), 1).spread.median == 0


def test_what_the_bench_keeps_of_a_session_the_command_finds(sessions: Sessions, tmp_path: Path) -> None:
    home, path = EmptyHome(tmp_path), sessions.one("real", TINY)
    read_into(home.cache / "unspool", path).close()
    [kept] = (home.cache / "unspool" / COLUMNS).iterdir()
    before = kept.stat()
    took((*SEARCH, NEEDLE, str(path)), home.environ())
    assert [each.stat().st_ino for each in kept.parent.iterdir()] == [before.st_ino]
    assert kept.stat().st_mtime_ns > before.st_mtime_ns


def test_the_fast_path_is_one_pass_over_one_whole_record(tmp_path: Path) -> None:
    record = b'{"type":"user","uuid":"u1"}'
    torn, glued, spread = b'{"type":"us' + record, record + record, b'{"type":\n"user"}'
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"\n".join([record, torn, glued, spread, record]) + b"\n")
    with closing(JsonLines.open(path)) as lines:
        assert [is_fast(lines, entry) for entry in lines.entries()] == [True, False, False, False, False, True]
    with closing(JsonLines.open(path, len(record) - 1)) as lines:
        assert not any(is_fast(lines, entry) for entry in lines.entries())


def test_records_of_common_shapes_take_the_fast_path(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    said, header = '{"type":"event_msg","payload":{"type":"agent_message","message":"x"}}', '{"type":"session_meta"}'
    path.write_text(f"{header}\n{said}\n{said}\n")
    size = len(said)
    assert with_shapes(Share("shapes"), str(path), by_agent("codex")) == Share(
        "shapes", 2, 3, 2 * size, 2 * size + len(header)
    )


def test_texts_that_stand_in_their_records_as_they_are_take_the_fast_path(tmp_path: Path) -> None:
    path = tmp_path / ".claude/projects/-work/s.jsonl"
    path.parent.mkdir(parents=True)
    said = '{"type":"user","uuid":"u%d","message":{"role":"user","content":"%s"}}\n'
    path.write_text(said % (1, "as it is not, \\u00e9") + said % (2, "as it is"))
    assert with_texts(Share("texts"), str(path)) == Share("texts", 1, 2, 8, 24)


def test_a_home_that_was_left_half_written_is_made_again(tmp_path: Path) -> None:
    def failing(home: Path) -> None:
        (home / "half").write_bytes(b"half")
        raise KeyboardInterrupt

    sessions = Sessions(tmp_path, None)
    with pytest.raises(KeyboardInterrupt):
        sessions._made("one", failing)
    home = sessions._made("one", lambda home: (home / "whole").touch())
    assert [path.relative_to(tmp_path / "factories") for path in home.parent.rglob("*")] == [
        Path("one"),
        Path("one/whole"),
    ]
