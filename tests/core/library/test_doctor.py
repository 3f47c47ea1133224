"""What was not understood is said: where, how much of it, and how to see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from unspool.library import open_library


@pytest.fixture
def roots(tmp_path: Path) -> list[str]:
    """Two homes: in the first two damaged sessions and records of unknown types far behind the head."""
    first, second = tmp_path / "first", tmp_path / "second"
    for number in (1, 2):
        lines = Claude(first, Names(number), session_id=f"aaaa000{number}")
        lines.user("Go")
        for _ in range(300):
            lines.answer("x" * 500)
        lines.bad(b'{"type":"user","mess')
        lines.note("hologram", depth=3)
        for _ in range(300):
            lines.answer("x" * 500)
        lines.save()
    lines = Claude(first, Names(3), session_id="aaaa0003")
    lines.user("Go")
    lines.bad(b'{"a": nonsense}')
    lines.bad(b'{"type":"user","mess')
    lines.save()
    other = Codex(second, Names(4))
    other.user("Go")
    other.answer("Gone")
    other.save()
    return [str(first), str(second)]


def test_unreadable_lines_are_counted_under_their_root(roots: list[str]) -> None:
    told = [line for line in open_library(roots).doctor() if line.level == "unread"]
    assert [line.text for line in told] == [
        f"{roots[0]}: 4 unreadable lines in 3 sessions (torn 3, syntax 1)",
        "claude:aaaa0003: lines 2, 3 are unreadable; `unspool read claude:aaaa0003/E1 --raw` shows the first",
        "claude:aaaa0001: line 302 is unreadable; `unspool read claude:aaaa0001/E301 --raw` shows it",
        "claude:aaaa0002: line 302 is unreadable; `unspool read claude:aaaa0002/E301 --raw` shows it",
    ]
    assert told[0].path == roots[0]
    assert told[1].path is not None
    assert told[1].path.endswith("aaaa0003.jsonl")


def test_records_of_unknown_types_are_counted_under_their_root(roots: list[str]) -> None:
    told = [line.text for line in open_library(roots).doctor() if line.level == "note"]
    assert told == [
        f"{roots[0]}: record types of claude not known: hologram (2); kept as they are, `unspool stats` counts them"
    ]


def test_a_quick_look_reads_only_heads_and_tails_and_says_so(roots: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unspool.library.facade.Library._open", lambda *_: pytest.fail("read whole"))
    told = [line.text for line in open_library(roots).doctor(quick=True)]
    assert not [line for line in told if "unreadable" in line and "not" not in line]
    assert told[-1] == "only heads and tails were read: unreadable lines were not counted"


def test_a_doctor_tells_how_far_it_is(roots: list[str]) -> None:
    seen: list[tuple[int, int]] = []
    open_library(roots).doctor(progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_file_that_vanishes_while_it_is_examined_costs_only_itself(
    roots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = sorted(Path(roots[0]).rglob("*.jsonl"))
    told = open_library(roots).doctor(progress=lambda done, total: paths[-1].unlink(missing_ok=True))
    assert any("unreadable lines in" in line.text for line in told)
