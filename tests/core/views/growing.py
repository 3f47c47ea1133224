"""A session file that grows in pieces, and what a view of it says, all of it, for comparing views."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from unspool.formats.base import Format
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.ids import SessionRef
from unspool.sources.jsonl import JsonLines
from unspool.views.filter import Filter
from unspool.views.reading import ReadPiece
from unspool.views.view import SessionView

EVERY = Filter(reasoning=True, hidden=True)


def said(number: int, text: str, kind: str = "user") -> bytes:
    """One record of a prompt or an answer, without its LF."""
    content: Any = text if kind == "user" else [{"type": "text", "text": text}]
    return _record(number, kind, content)


def finished(number: int, text: str) -> bytes:
    """One record of an answer that ends its turn, without its LF."""
    record = json.loads(said(number, text, "assistant"))
    record["message"]["stop_reason"] = "end_turn"
    return json.dumps(record, ensure_ascii=False).encode()


def called(number: int, call: str) -> bytes:
    """One record of a call, without its LF."""
    return _record(number, "assistant", [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": call}}])


def answered(number: int, call: str, text: str) -> bytes:
    """One record of a result, without its LF."""
    return _record(number, "user", [{"type": "tool_result", "tool_use_id": call, "content": text}])


def _record(number: int, kind: str, content: Any) -> bytes:
    record = {"type": kind, "uuid": f"u{number}", "timestamp": f"2026-03-01T10:00:{number % 60:02}Z"}
    return json.dumps(record | {"message": {"content": content}}, ensure_ascii=False).encode()


SORTS: Final = (
    said(1, "a prompt é🚀 " + "long " * 90),
    said(2, "an answer", "assistant"),
    called(3, "t1"),
    answered(4, "t1", "a result"),
    answered(5, "t1", "again"),
    said(6, "spread\nover\nlines").replace(b"\\n", b"\n"),
    said(7, "torn")[:40],
    said(8, "glued") + said(9, "behind"),
    said(10, "stub")[:50] + said(11, "salvaged"),
    b'{\n"type": "mode"\n}',
    b"",
    b"\0\0\0",
    b"[1, 2]",
    b"{broken",
    said(12, "caf").replace(b"caf", b"caf\xe9"),
)
"""Lines of every sort that a file may hold, whole and not."""


class Growing:
    """A file that is appended to."""

    def __init__(self, folder: Path, begin: bytes = b"", format: Format = CLAUDE_CODE) -> None:
        self.path = folder / "growing.jsonl"
        self.path.write_bytes(begin)
        self.format = format

    def append(self, data: bytes) -> None:
        """Write at the end."""
        with self.path.open("ab") as file:
            file.write(data)

    def fresh(self) -> SessionView:
        """A view that is read from the beginning."""
        return SessionView.open(str(self.path), SessionRef(self.format.agent, "growing"), self.format)


def portrait(view: SessionView) -> dict[str, Any]:
    """Everything that a view says."""
    page = view.evidence(EVERY, limit=None)
    return {
        "rows": [row.to_json() for row in page.items],
        "texts": texts(view),
        "entries": view.entries,
        "size": view.size,
        "counts": view.counts,
        "facets": view.facets(Filter()),
        "unreadable": view.unreadable,
        "other": view.other_records,
        "unknown": view.unknown_records,
        "pending": view.pending,
        "times": (view.started_at, view.last_activity),
        "facts": view.facts,
        "overview": view.overview(1000),
        "hits": [hit.to_json() for hit in view.search("a", limit=1000).hits],
    }


def texts(view: SessionView) -> dict[str, str]:
    """The text of every piece by its id."""
    found: dict[str, str] = {}
    for row in range(view.rows):
        piece = view.read(view.id(row)).pieces[0]
        assert isinstance(piece, ReadPiece)
        found[str(view.id(row))] = piece.text
    return found


def states(path: Path) -> list[str]:
    """How each physical line reads."""
    with JsonLines.open(path) as lines:
        return [entry.state for entry in lines.entries()]
