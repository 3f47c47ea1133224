"""Claude Code records in short, and a walk over them as the columns are built: decode, then fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any

from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.claude_fold import ClaudeFold
from unspool.formats.facts import Facts
from unspool.formats.piece import Flag, Piece

Record = dict[str, Any]
_ids = count()


def record(type_: str, /, **fields: Any) -> Record:
    """Return a record of the chain with an id of its own and no parent."""
    return {
        "parentUuid": None,
        "isSidechain": False,
        "cwd": "/src/kiln",
        "sessionId": "s-1",
        "version": "2.1.99",
        "type": type_,
        "uuid": f"u-{next(_ids)}",
        "timestamp": "2026-05-01T10:00:00.250Z",
        **fields,
    }


def user(content: Any, /, **fields: Any) -> Record:
    return record("user", message={"role": "user", "content": content}, **fields)


def assistant(content: Any, /, message: Mapping[str, Any] | None = None, **fields: Any) -> Record:
    return record("assistant", message={"role": "assistant", "content": content, **(message or {})}, **fields)


def system(subtype: str, /, **fields: Any) -> Record:
    return record("system", subtype=subtype, **fields)


def attachment(name: str, /, **fields: Any) -> Record:
    return record("attachment", attachment={"type": name, **fields})


def text(value: str) -> Record:
    return {"type": "text", "text": value}


def call(call_id: str, /, name: str = "Bash", **arguments: Any) -> Record:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def result(call_id: str, content: Any, /, **fields: Any) -> Record:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **fields}


def image(data: str = "aGVsbG8=", media_type: str = "image/png") -> Record:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def chain(*records: Record) -> list[Record]:
    """Hang every record on the one before it."""
    for before, after in pairwise(records):
        after["parentUuid"] = before["uuid"]
    return list(records)


def pieces(value: Mapping[str, Any]) -> list[tuple[int, str, str]]:
    """Decode one record to (number, kind with tool part, text) of its pieces."""
    return [(piece.number, name(piece), piece.text()) for piece in CLAUDE_CODE.decode(value).pieces]


def name(piece: Piece) -> str:
    return str(piece.kind) if piece.tool_part is None else f"{piece.kind} {piece.tool_part}"


@dataclass
class Walk:
    """Rows as the columns would hold them: pieces, their flags after all marks, and the fold."""

    pieces: list[Piece]
    flags: list[Flag]
    fold: ClaudeFold

    @property
    def facts(self) -> Facts:
        return self.fold.facts

    def take(self, records: Iterable[Mapping[str, Any]]) -> Walk:
        for value in records:
            decoded = CLAUDE_CODE.decode(value)
            start = len(self.pieces)
            self.pieces += decoded.pieces
            self.flags += [piece.flags for piece in decoded.pieces]
            for mark in self.fold.add(value, decoded, range(start, len(self.pieces))):
                flags = self.flags[mark.row]
                self.flags[mark.row] = flags | mark.flag if mark.on else flags & ~mark.flag
        return self

    def flagged(self, flag: Flag) -> list[str]:
        """Return the texts of the rows that carry a flag."""
        return [piece.text() for piece, flags in zip(self.pieces, self.flags, strict=True) if flag in flags]


def walk(*records: Mapping[str, Any]) -> Walk:
    return Walk([], [], ClaudeFold()).take(records)
