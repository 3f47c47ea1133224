"""A session whose beginning alone was read is what it was when it was so long; what follows comes like growth."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.views.growing import answered, called, portrait, said
from tests.sessions import CLAUDE_CODE
from unspool.columns.side_files import SideFiles
from unspool.errors import SourceChanged
from unspool.ids import SessionRef
from unspool.library.opening import open_library
from unspool.views.view import SessionView

LINES = (
    said(0, "Sort the list"),
    called(1, "t1"),
    answered(2, "t1", "done"),
    said(3, "Sorted", "assistant"),
)
REF = SessionRef("claude", "head")


def head_of(path: Path, most: int) -> SessionView | None:
    return SessionView.open_head(str(path), REF, CLAUDE_CODE, SideFiles(None), most)


def whole_of(path: Path) -> SessionView:
    return SessionView.open(str(path), REF, CLAUDE_CODE)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "head.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in LINES))
    return path


@pytest.mark.parametrize("lines", [1, 2, 3])
@pytest.mark.parametrize("beyond", [0, 1, 20])
def test_a_head_has_the_whole_lines_that_fit_and_reads_on_to_what_is_read_at_once(
    file: Path, lines: int, beyond: int
) -> None:
    size = sum(len(line) + 1 for line in LINES[:lines])
    head = head_of(file, size + beyond)
    assert head is not None
    shorter = file.with_name("shorter.jsonl")
    shorter.write_bytes(file.read_bytes()[:size])
    assert (head.size, head.rows, head.complete) == (size, lines, True)
    assert [head.evidence_at(row).summary for row in range(lines)] == [
        whole_of(shorter).evidence_at(row).summary for row in range(lines)
    ]
    assert portrait(head.refreshed()) == portrait(whole_of(file))


def test_of_a_short_file_the_head_is_all_of_it(file: Path) -> None:
    head = head_of(file, file.stat().st_size)
    assert head is not None
    assert portrait(head) == portrait(whole_of(file))
    assert head.refreshed() is head


def test_there_is_no_head_where_a_file_begins_with_an_enormous_line(file: Path) -> None:
    assert head_of(file, len(LINES[0])) is None


@pytest.mark.parametrize("name", ["one.json", "one.jsonl.zst", "folder", "missing.jsonl"])
def test_there_is_no_head_of_what_is_no_plain_file_of_lines(file: Path, name: str) -> None:
    path = file.with_name(name)
    if name == "folder":
        path.mkdir()
    elif name != "missing.jsonl":
        path.write_bytes(file.read_bytes())
    assert head_of(path, 300) is None


def test_a_head_that_was_rewritten_says_so(file: Path) -> None:
    head = head_of(file, len(LINES[0]) + 1)
    assert head is not None
    file.write_bytes(file.read_bytes().replace(b"Sort the list", b"Sort my lists"))
    with pytest.raises(SourceChanged, match="was rewritten"):
        head.refreshed()


def test_a_tail_begins_with_the_head_and_its_next_look_finds_the_rest(file: Path) -> None:
    lines = [line.replace(b"{", b'{"userType":"external",', 1) for line in LINES]
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    library = open_library([str(file)])
    tail = library.head(str(file), sum(len(line) + 1 for line in lines[:2]))
    assert tail is not None
    assert tail.view.rows == 2
    turn = tail.poll()
    assert turn is not None
    assert (turn.kept, turn.view.rows) == (2, 4)
    assert library.head(str(file), len(lines[0])) is None
