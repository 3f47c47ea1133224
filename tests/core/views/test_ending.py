"""The newest lines of a session are read without those before, and their pieces are those of the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.views.growing import EVERY, answered, called, said
from tests.sessions import CLAUDE_CODE
from unspool.columns.side_files import SideFiles
from unspool.errors import NotFound, SourceChanged
from unspool.formats.piece import Flag
from unspool.ids import SessionRef
from unspool.sources.jsonl import JsonLines
from unspool.views import ending
from unspool.views.ending import open_end
from unspool.views.view import SessionView

REF = SessionRef("claude", "end")
LINES = (
    said(0, "Sort the list"),
    b"",
    b'{"torn',
    called(1, "t1"),
    answered(2, "t1", "done"),
    called(3, "t2"),
    answered(4, "t2", "sorted twice"),
    said(5, "Sorted", "assistant"),
)
OWN = len(LINES) - 3
"""The entry from which on the newest three lines are."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "end.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in LINES))
    return path


def end_of(path: Path, most: int) -> SessionView | None:
    return open_end(str(path), REF, CLAUDE_CODE, SideFiles(None), most)


def whole_of(path: Path) -> SessionView:
    return SessionView.open(str(path), REF, CLAUDE_CODE)


def size_of(lines: int) -> int:
    """Return the bytes of the newest lines."""
    return sum(len(line) + 1 for line in LINES[-lines:])


def told(view: SessionView, first: int = 0) -> list[tuple[object, ...]]:
    """Return what a view tells of its pieces from an entry on."""
    rows = view.evidence_rows([row for row in view.select(EVERY) if view.id(row).entry >= first])
    return [(str(each.id), each.kind, each.label, each.summary, each.flags, each.lines) for each in rows]


@pytest.mark.parametrize("beyond", [0, 1, 20])
def test_the_newest_whole_lines_that_fit_have_the_ids_that_they_have_in_the_whole(file: Path, beyond: int) -> None:
    end = end_of(file, size_of(3) + 1 + beyond)
    assert end is not None
    assert end.begin == file.stat().st_size - size_of(3)
    assert told(end) == told(whole_of(file), OWN)
    assert len(told(end)) == 3
    assert end.text(f"E{OWN + 1}.0").read(0, 99) == b"sorted twice"


@pytest.mark.parametrize("ended", [b"\r", b"\t "])
def test_lines_whose_records_have_blanks_behind_them_have_an_end_too(file: Path, ended: bytes) -> None:
    file.write_bytes(file.read_bytes().replace(b"\n", ended + b"\n"))
    end = end_of(file, size_of(3) + 3 * len(ended) + 1)
    assert end is not None
    assert told(end) == told(whole_of(file), OWN)
    assert len(told(end)) == 3


@pytest.mark.parametrize("behind", [b",", b"]", b"{"])
def test_a_line_that_goes_on_behind_its_record_is_not_what_they_begin_with(tmp_path: Path, behind: bytes) -> None:
    """It may lie within a record that was written over several lines."""
    path = tmp_path / "end.jsonl"
    path.write_bytes(said(0, "before") + b"\n" + said(1, "inner") + behind + b"\n" + said(2, "last") + b"\n")
    end = end_of(path, len(said(1, "inner")) + len(said(2, "last")) + 4)
    assert end is not None
    assert [str(end.id(row)) for row in range(end.rows)] == ["E2.0"]


def test_lines_before_that_hold_no_record_are_counted_too(file: Path) -> None:
    end = end_of(file, size_of(5) + 1)
    assert end is not None
    assert told(end) == told(whole_of(file), 3)


def test_a_search_of_them_gives_the_hits_of_the_whole_that_lie_there_and_says_what_it_covers(file: Path) -> None:
    end = end_of(file, size_of(3) + 1)
    assert end is not None
    found, whole = end.search("sorted"), whole_of(file).search("sorted")
    assert [hit.to_json() for hit in found.hits] == [hit.to_json() for hit in whole.hits]
    assert (found.total, found.searched.begin, found.searched.bytes) == (2, end.begin, file.stat().st_size - 1)
    assert whole.searched.begin == 0 < end.begin


def test_a_result_whose_call_lies_before_is_not_said_to_have_none(file: Path) -> None:
    end = end_of(file, size_of(2) + 1)
    assert end is not None
    assert [end.flags(row) for row in range(end.rows)] == [Flag(0), Flag(0)]


def test_what_lies_before_is_no_piece_of_them(file: Path) -> None:
    end = end_of(file, size_of(3) + 1)
    assert end is not None
    with pytest.raises(NotFound):
        end.row("E0.0")


@pytest.mark.parametrize("behind", [b"", b'{"half'])
def test_they_begin_with_a_whole_record(tmp_path: Path, behind: bytes) -> None:
    """A place inside an enormous line is in no record, and half a line at the end is none."""
    path = tmp_path / "end.jsonl"
    path.write_bytes(said(0, "before") + b"\n" + said(1, "x" * 5_000) + b"\n\n[1]\n" + said(2, "last") + b"\n" + behind)
    end = end_of(path, 1_000)
    assert end is not None
    assert [str(end.id(row)) for row in range(end.rows)] == ["E4.0"]
    assert end.pending == whole_of(path).pending


def test_the_rest_of_a_record_that_was_written_over_several_lines_is_not_told_to_be_torn(tmp_path: Path) -> None:
    path = tmp_path / "end.jsonl"
    spread = said(0, "one TWO three").replace(b"TWO", b"\n\n" + b"x" * 100 + b"\n")
    path.write_bytes(spread + b"\n" + said(1, "last") + b"\n")
    end = end_of(path, len(said(1, "last")) + 60)
    assert end is not None
    assert (told(end), end.unreadable) == (told(whole_of(path), 4), ())
    assert len(told(end)) == 1


@pytest.mark.parametrize("most", [1, 20, 200])
def test_a_longer_record_at_the_end_is_taken_too(tmp_path: Path, most: int) -> None:
    path = tmp_path / "end.jsonl"
    path.write_bytes(said(0, "x" * 9_000) + b"\n" + said(1, "y" * 900) + b"\n")
    end = end_of(path, most)
    assert end is not None
    assert told(end) == told(whole_of(path), 1)
    assert len(told(end)) == 1


@pytest.mark.parametrize("kept", [b"", b"".join(LINES)], ids=["cut", "written anew"])
def test_a_file_that_is_another_since_its_lines_were_counted_is_refused(
    file: Path, kept: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = ending._lines_before
    newest = b"".join(line + b"\n" for line in LINES[-3:])

    def counted(lines: JsonLines, end: int) -> int:
        found = count(lines, end)
        other = file.with_name("other")
        other.write_bytes(kept[: end - 1].ljust(end - 1) + b"\n" + newest if kept else newest)
        other.replace(file)
        return found

    monkeypatch.setattr(ending, "_lines_before", counted)
    with pytest.raises(SourceChanged):
        end_of(file, size_of(3) + 1)


def test_there_is_no_end_of_a_short_file_of_one_line_or_of_what_is_no_file_of_lines(file: Path) -> None:
    assert end_of(file, file.stat().st_size) is None
    line = file.with_name("line.jsonl")
    line.write_bytes(LINES[0] + b"\n")
    assert end_of(line, 20) is None
    document = file.with_name("one.json")
    document.write_bytes(file.read_bytes())
    assert end_of(document, 300) is None
