"""What tells one row from the next is named where there is room: the file that an edit is of, and the tool."""

from __future__ import annotations

import json

import pytest

from tests.tui.reader_host import MadeUpView, call, result
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.ids import EvidenceId
from unspool_tui.present.evidence_row import Piece, evidence_row
from unspool_tui.present.opening import open_piece
from unspool_tui.present.reader_header import Mode, header_rows

EDIT = {"file_path": "D:\\work\\.claude\\worktrees\\heuristic-robinson-e44709\\.markdownlint.yaml",
        "old_string": "a\nb\n", "new_string": "a\nc\n"}  # fmt: skip


def header(row: int, width: int, arguments: dict[str, str]) -> list[str]:
    view = MadeUpView(
        [
            call(
                json.dumps(arguments),
                tool="Edit",
                arguments=arguments,
                label=f"Edit · {arguments['file_path']}",
                peer=1,
            ),
            result("done", tool="Edit", peer=0),
        ]
    )
    rows = header_rows(open_piece(view, row).subject, Mode(), width, None)
    return ["".join(text for text, _ in row) for row in rows]


@pytest.mark.parametrize("width", [50, 60, 90, 160])
@pytest.mark.parametrize("path", [EDIT["file_path"], EDIT["file_path"].replace("D:", "").replace("\\", "/")])
def test_the_head_of_an_edit_names_the_file_and_what_went_in_and_out_at_any_width(path: str, width: int) -> None:
    head, _ = header(0, width, EDIT | {"file_path": path})
    assert ".markdownlint.yaml" in head
    assert "+1 −1" in head
    assert len(head) == width


def test_a_path_that_has_room_is_not_shortened_more_than_to_its_last_names() -> None:
    assert "…\\worktrees\\heuristic-robinson-e44709\\.markdownlint.yaml" in header(0, 160, EDIT)[0]


@pytest.mark.parametrize(("width", "shown"), [(140, "→ exec_command "), (89, "→ exec_command "), (69, "→ exec_co… ")])
def test_the_name_of_a_tool_is_whole_where_there_is_room(width: int, shown: str) -> None:
    piece = Piece(EvidenceId(3, 0), Kind.TOOL, ToolPart.INPUT, "exec_command", Flag(0), None, 9, 1)
    row = evidence_row(piece, width, bar=(" ", "text"), here=False, wide=width == 140, zone=None, names=12)
    assert shown in "".join(text for text, _ in row)


def test_a_name_of_a_tool_that_is_very_long_leaves_room_for_what_was_called() -> None:
    piece = Piece(EvidenceId(3, 0), Kind.TOOL, ToolPart.INPUT, "x" * 60, Flag(0), None, 9, 1)
    row = evidence_row(piece, 90, bar=(" ", "text"), here=False, wide=False, zone=None, names=60)
    assert sum("x" in text for text, _ in row) == 1
    assert max(text.count("x") for text, _ in row) < 16
