"""Records that hold very many pieces: each is found at once, in whatever order they are asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.sessions import CLAUDE_CODE, view_of_lines
from unspool.columns.build import Builder
from unspool.columns.records import Records
from unspool.columns.side_files import SideFiles
from unspool.columns.source import LineSource
from unspool.formats.claude_code import ClaudeCode
from unspool.formats.decoded import Decoded
from unspool.formats.piece import Piece
from unspool.sources.jsonl import JsonLines

PIECES = 500
RECORD = {
    "type": "assistant",
    "uuid": "u",
    "message": {"content": [{"type": "text", "text": f"word {n}"} for n in range(PIECES)]},
}


class Walked(tuple[Piece, ...]):
    """Pieces that count how often they are walked through."""

    walks = 0

    def __iter__(self) -> Iterator[Piece]:
        Walked.walks += 1
        return super().__iter__()


class Counting(ClaudeCode):
    """Claude Code's format, its pieces counting their walks."""

    def decode(self, record: Mapping[str, Any]) -> Decoded:
        decoded = super().decode(record)
        return decoded._replace(pieces=Walked(decoded.pieces))


def test_a_record_is_walked_through_no_oftener_for_more_of_its_pieces(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text(json.dumps(RECORD) + "\n", "utf-8")
    with JsonLines.open(str(path)) as lines:
        source, format = LineSource(lines), Counting()
        builder = Builder(format, SideFiles(None))
        for entry in lines.entries():
            builder.take(source, entry)
        records = Records(source, format, builder.columns, {})
        Walked.walks = 0
        assert [records.piece(row).text() for row in reversed(range(PIECES))] == [
            f"word {number}" for number in reversed(range(PIECES))
        ]
    assert Walked.walks < 10


def test_pieces_of_several_records_are_told_apart(tmp_path: Path) -> None:
    lines = [json.dumps(RECORD), json.dumps({**RECORD, "uuid": "v", "message": {"content": "alone"}})]
    view = view_of_lines(lines, tmp_path, CLAUDE_CODE)
    rows = [0, PIECES, 1, PIECES, PIECES - 1]
    assert [view.read(view.id(row)).pieces[0].text for row in rows] == [
        "word 0",
        "alone",
        "word 1",
        "alone",
        f"word {PIECES - 1}",
    ]
