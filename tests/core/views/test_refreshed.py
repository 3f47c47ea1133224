"""A view that is refreshed equals one that is read anew, and the view it came from stays what it was."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.views.growing import SORTS, Growing, answered, called, portrait, said, texts
from tests.properties.laws import short_law
from tests.sessions import CLAUDE_CODE, CODEX, codex_records, view_of
from unspool.errors import SourceChanged
from unspool.formats.piece import Flag
from unspool.ids import EntryRange, SessionRef
from unspool.sources.json_value import compact
from unspool.sources.jsonl import JsonLines
from unspool.views.filter import Filter
from unspool.views.opened import FRESH_BYTES
from unspool.views.view import SessionView

BEGIN = said(0, "Sort the list") + b"\n" + called(1, "t1") + b"\n"


@pytest.fixture
def file(tmp_path: Path) -> Growing:
    return Growing(tmp_path, BEGIN)


def assert_grown(file: Growing, old: SessionView) -> SessionView:
    """Refresh: the new view equals a fresh one, the old one is unchanged."""
    before = portrait(old)
    new = old.refreshed()
    assert portrait(new) == portrait(file.fresh())
    assert portrait(old) == before
    return new


def test_a_view_of_an_unchanged_file_is_its_own_refreshed_one(file: Growing) -> None:
    view = file.fresh()
    assert view.refreshed() is view


def test_what_was_appended_is_there_and_changes_flags_of_what_was_there(file: Growing) -> None:
    old = file.fresh()
    assert old.flags(1) == Flag.UNANSWERED
    file.append(answered(2, "t1", "done") + b"\n" + said(3, "Sorted", "assistant") + b"\n")
    new = assert_grown(file, old)
    assert (old.rows, new.rows) == (2, 4)
    assert (old.flags(1), new.flags(1)) == (Flag.UNANSWERED, Flag(0))
    assert (old.peer_row(1), new.peer_row(1)) == (None, 2)
    assert old.search("Sorted").total == 0
    assert new.search("Sorted").total == 1


def test_a_result_that_is_told_again_is_one_of_the_newer_view_alone(file: Growing) -> None:
    file.append(answered(2, "t1", "done") + b"\n")
    old = file.fresh()
    file.append(answered(3, "t1", "done again") + b"\n")
    new = assert_grown(file, old)
    assert (old.peer_rows(1), new.peer_rows(1)) == ([2], [2, 3])


def test_what_was_appended_is_understood_once_until_it_is_let_go_of(file: Growing) -> None:
    view = file.fresh()
    file.append(answered(2, "t1", "done") + b"\n" + said(3, "Sorted", "assistant") + b"\n")
    with patch.object(type(CLAUDE_CODE), "decode", autospec=True, side_effect=type(CLAUDE_CODE).decode) as decode:
        new = view.refreshed()
        assert [each.summary for each in new.evidence_rows([2, 3])] == ["done", "Sorted"]
        assert decode.call_count == 2
        new.release()
        assert new.apart().evidence_at(3).summary == "Sorted"
        assert decode.call_count == 3


def test_what_was_appended_at_once_is_not_held_when_it_is_much(file: Growing) -> None:
    view = file.fresh()
    file.append(b"".join(said(number, "much " * 1_000) + b"\n" for number in range(2, 2 + FRESH_BYTES // 5_000)))
    with patch.object(type(CLAUDE_CODE), "decode", autospec=True, side_effect=type(CLAUDE_CODE).decode) as decode:
        new = view.refreshed()
        taken = decode.call_count
        new.evidence_at(2)
        assert decode.call_count == taken + 1


@pytest.mark.parametrize("cut", [1, 20, 60, -1])
def test_an_unterminated_tail_is_completed_later(file: Growing, cut: int) -> None:
    record = said(2, "A prompt that is still being written")
    file.append(record[:cut])
    old = file.fresh()
    assert not old.complete
    assert (old.rows, old.entries) == (2, 3)
    file.append(record[cut:])
    middle = assert_grown(file, old)
    assert (middle.complete, middle.flags(2)) == (True, Flag.UNTERMINATED)
    file.append(b"\n")
    assert assert_grown(file, middle).flags(2) == Flag(0)
    assert assert_grown(file, old).flags(2) == Flag(0)


def test_half_a_record_is_torn_for_good_when_nobody_wrote_at_it_for_minutes(file: Growing) -> None:
    file.append(said(2, "torn by a crash")[:30])
    assert (file.fresh().complete, file.fresh().torn) == (False, False)
    old = time.time() - 180
    os.utime(file.path, (old, old))
    assert file.fresh().torn
    file.append(b"\n")
    os.utime(file.path, (old, old))
    assert (file.fresh().complete, file.fresh().torn) == (True, False)


def test_a_torn_tail_is_completed_or_followed_by_the_next_record(file: Growing) -> None:
    record = said(2, "torn by a crash")
    file.append(record[:50] + b"\n")
    old = file.fresh()
    assert [line.reason for line in old.unreadable] == ["torn"]
    file.append(said(3, "The next record") + b"\n")
    new = assert_grown(file, old)
    assert [line.line for line in new.unreadable] == [3]
    assert texts(new)["E3.0"] == "The next record"


def test_a_record_spread_over_lines_is_completed_line_by_line(file: Growing) -> None:
    record = said(2, "first\nsecond\n\nlast").replace(b"\\n", b"\n")
    view = file.fresh()
    for line in record.split(b"\n"):
        file.append(line + b"\n")
        view = assert_grown(file, view)
    assert texts(view)["E2.0"] == "first\nsecond\n\nlast"
    assert (view.entries, view.unreadable) == (6, ())


def test_a_pretty_printed_record_is_completed_line_by_line(file: Growing) -> None:
    view = file.fresh()
    for line in json.dumps(json.loads(said(2, "pretty")), indent=2).encode().split(b"\n"):
        file.append(line + b"\n")
        view = assert_grown(file, view)
    assert texts(view)["E2.0"] == "pretty"


def test_what_is_torn_behind_the_end_of_a_spread_record_is_read_on_as_it_was_begun(file: Growing) -> None:
    view = file.fresh()
    torn = said(3, "torn")[:40]
    for data in (
        b'{\n"type": "mode"\n}',
        torn + b"\n\n\0\0\n\0",
        b"\n" + said(4, "next") + b"\n",
        said(5, "end") + b"\n",
    ):
        file.append(data)
        view = assert_grown(file, view)
    assert [(line.line, line.length, line.reason) for line in view.unreadable] == [(5, len(torn), "torn")]


def test_a_tail_that_is_not_settled_yet_costs_no_second_reading(file: Growing, monkeypatch: pytest.MonkeyPatch) -> None:
    def anew(*_: object) -> None:
        raise AssertionError("everything was read again")

    monkeypatch.setattr("unspool.views.opened._anew", anew)
    view = file.fresh()
    for data in (said(2, "half")[:-9], b"", said(2, "half")[-9:], b"\n", said(3, "torn")[:40] + b"\n", said(4, "end")):
        file.append(data)
        view = assert_grown(file, view)
    assert view.rows == 4


def test_two_views_may_be_refreshed_from_one(file: Growing) -> None:
    old = file.fresh()
    file.append(answered(2, "t1", "done") + b"\n")
    first = assert_grown(file, old)
    file.append(said(3, "Sorted", "assistant") + b"\n" + said(4, "half")[:-3])
    second = assert_grown(file, old)
    third = assert_grown(file, first)
    assert portrait(second) == portrait(third)
    assert (old.rows, first.rows, second.rows) == (2, 3, 4)


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let four threads begin to read what was appended at one moment, and take turns as often as they can."""
    gate, grown = threading.Barrier(4), JsonLines.grown
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def waiting(lines: JsonLines, start: int | None = None, most: int | None = None) -> JsonLines | None:
        newer = grown(lines, start, most)
        gate.wait(60)
        return newer

    monkeypatch.setattr(JsonLines, "grown", waiting)
    yield
    sys.setswitchinterval(before)


def test_a_view_may_be_refreshed_by_several_at_once(file: Growing, together: None) -> None:
    for number in range(2, 300):
        file.append(said(number, f"prompt {number}") + b"\n")
    old = file.fresh()
    file.append(b"".join(said(number, f"prompt {number}") + b"\n" for number in range(300, 900)))
    made: list[SessionView] = []
    threads = [threading.Thread(target=lambda: made.append(old.refreshed())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = texts(file.fresh())
    assert len(made) == 4
    assert all(texts(view) == wanted for view in made)
    assert old.rows == 300


def test_a_refreshed_view_keeps_its_range(file: Growing) -> None:
    old = SessionView.open(str(file.path), SessionRef("claude", "x"), CLAUDE_CODE, entry_range=EntryRange(1, 3))
    file.append(b"".join(said(number, "more") + b"\n" for number in range(2, 9)))
    new = old.refreshed()
    assert [str(new.id(row)) for row in new.select(Filter())] == ["E1.0", "E2.0", "E3.0"]
    assert new.entry_range == EntryRange(1, 3)


def test_a_view_of_records_in_memory_has_nothing_to_refresh() -> None:
    view = view_of([("user", "hello \ud83d")])
    assert view.refreshed() is view
    assert texts(view) == {"E0.0": "hello \ufffd"}


@pytest.mark.parametrize("how", ["truncated", "emptied", "replaced", "removed", "rewritten at its end"])
def test_a_file_that_was_not_appended_to_is_refused(file: Growing, how: str) -> None:
    view = file.fresh()
    data = file.path.read_bytes()
    if how == "truncated":
        os.truncate(file.path, len(data) - 5)
    elif how == "emptied":
        file.path.write_bytes(b"")
    elif how == "replaced":
        (file.path.parent / "new").write_bytes(data + said(2, "more") + b"\n")
        (file.path.parent / "new").replace(file.path)
    elif how == "removed":
        file.path.unlink()
    else:
        file.path.write_bytes(data.replace(b"t1", b"t2") + said(2, "more") + b"\n")
    with pytest.raises(SourceChanged, match=r"growing\.jsonl"):
        view.refreshed()
    with pytest.raises(SourceChanged):
        view.read("E0.0")
    assert [str(view.id(row)) for row in range(view.rows)] == ["E0.0", "E1.0"]
    assert view.counts.visible == 2


@pytest.mark.parametrize("grown", [False, True])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"a needle here", b"other stuff !"),
        (b'"content": "a needle here"', b'"content": ["needle   "]  '),
        (b'{"type": "user", "uuid": "u0"', b'{"type": "mode", "uuid": "u0"'),
        (b'{"type": "user", "uuid": "u0"', b"{{{{{{{{ broken {{{{{{{{{{{{{"),
    ],
)
def test_what_was_rewritten_in_the_middle_is_never_shown(tmp_path: Path, old: bytes, new: bytes, grown: bool) -> None:
    behind = b"".join(said(number, "padding " * 40) + b"\n" for number in range(1, 40))
    file = Growing(tmp_path, said(0, "a needle here") + b"\n" + behind)
    view = file.fresh()
    data = file.path.read_bytes()
    assert len(old) == len(new)
    with file.path.open("r+b") as stream:
        stream.seek(data.index(old))
        stream.write(new)
    os.utime(file.path, ns=(5, 5))
    if grown:
        file.append(said(40, "more") + b"\n")
    for question in (
        lambda: view.read("E0.0"),
        lambda: view.read("E0", raw=True),
        lambda: view.slice("E0.0"),
        lambda: view.slice("E0.0", raw=True),
        lambda: view.search("e", limit=1),
        lambda: view.evidence(),
        lambda: view.overview(),
        lambda: view.resolve("E0.0"),
    ):
        with pytest.raises(SourceChanged):
            question()
    assert view.read("E1.0").pieces[0].text == "padding " * 40
    assert (view.rows, view.counts.user) == (40, 40)


def test_a_file_that_was_only_touched_is_read_on(file: Growing) -> None:
    view = file.fresh()
    os.utime(file.path, ns=(5, 5))
    file.path.chmod(0o600)
    assert texts(view)["E0.0"] == "Sort the list"
    assert view.refreshed() is view


def test_files_are_let_go_with_the_views_that_read_them(file: Growing) -> None:
    view = file.fresh()
    for number in range(2, 20):
        file.append(said(number, "more") + b"\n")
        view = view.refreshed()
    before = len(os.listdir("/dev/fd"))
    for number in range(20, 60):
        file.append(said(number, "more") + b"\n")
        view = view.refreshed()
    assert len(os.listdir("/dev/fd")) == before
    assert view.rows == 60


def test_a_view_keeps_its_own_facts(file: Growing) -> None:
    old = file.fresh()
    file.append(b'{"type": "custom-title", "customTitle": "Sorting", "sessionId": "s"}\n')
    new = old.refreshed()
    assert (old.facts.title, new.facts.title) == (None, "Sorting")
    assert (old.other_records, new.other_records) == ({}, {"custom-title": 1})


CHUNKS = st.lists(st.integers(1, 120), max_size=30)
LINES = st.lists(st.sampled_from(SORTS), max_size=10)


@short_law
@given(LINES, CHUNKS)
def test_whatever_is_appended_how_ever_a_refreshed_view_equals_a_fresh_one(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], chunks: list[int]
) -> None:
    file = Growing(tmp_path_factory.mktemp("growing"))
    view = first = file.fresh()
    left = b"\n".join(lines)
    for size in [*chunks, len(left)]:
        file.append(left[:size])
        left = left[size:]
        view = view.refreshed()
    assert portrait(view) == portrait(file.fresh()) == portrait(first.refreshed())
    assert (first.rows, first.entries) == (0, 0)


@short_law
@given(st.lists(st.sampled_from("uaio"), max_size=12), st.integers(0, 12))
def test_a_rollout_that_grows_is_refreshed_like_any_other(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[str], cut: int
) -> None:
    names = {"u": "user", "a": "assistant", "i": "input", "o": "output"}
    spoken = [(names[kind], {"n": 1.10} if kind == "i" else f"a {kind}") for kind in kinds]
    lines = [compact(record).encode() + b"\n" for record in codex_records(spoken)]
    file = Growing(tmp_path_factory.mktemp("growing"), b"".join(lines[:cut]), CODEX)
    old = file.fresh()
    before = portrait(old)
    file.append(b"".join(lines[cut:]))
    assert portrait(old.refreshed()) == portrait(file.fresh())
    assert portrait(old) == before
