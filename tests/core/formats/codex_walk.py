"""Rollout records in short, and a walk over them as the columns are built: decode, then fold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from unspool.formats.base import Mark
from unspool.formats.codex import CODEX
from unspool.formats.codex_fold import CodexFold
from unspool.formats.facts import Facts
from unspool.formats.piece import Flag, Piece

Record = dict[str, Any]


def record(type_: str, time: str = "2026-05-01T10:00:00.000Z", /, **payload: Any) -> Record:
    return {"timestamp": time, "type": type_, "payload": payload}


def item(type_: str, time: str = "2026-05-01T10:00:00.000Z", /, **fields: Any) -> Record:
    return record("response_item", time, type=type_, **fields)


def event(type_: str, time: str = "2026-05-01T10:00:00.000Z", /, **fields: Any) -> Record:
    return record("event_msg", time, type=type_, **fields)


def message(role: str, *texts: str) -> Record:
    block = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": block, "text": text} for text in texts])


def prompt(text: str) -> Record:
    return event("user_message", message=text, images=[])


def said(text: str) -> Record:
    return event("agent_message", message=text)


def thought(text: str) -> Record:
    return event("agent_reasoning", text=text)


def reasoning(*texts: str) -> Record:
    return item("reasoning", summary=[{"type": "summary_text", "text": text} for text in texts], encrypted_content="x")


def header(session_id: str, time: str = "2026-05-01T10:00:00.000Z", /, **fields: Any) -> Record:
    return record("session_meta", time, **{"id": session_id, "timestamp": time, "cwd": "/src/kiln", **fields})


def image(url: str | None) -> Record:
    return {"type": "input_image", "image_url": url}


def completed(type_: str, **fields: Any) -> Record:
    return event("item_completed", item={"type": type_, "id": "i1", **fields})


def output(value: Any) -> Record:
    return item("function_call_output", call_id="c", output=value)


def call(arguments: Any, name: str = "shell") -> Record:
    return item("function_call", name=name, arguments=arguments, call_id="c")


def pieces(value: Mapping[str, Any]) -> list[str]:
    """Decode one record to its pieces, each as `kind: text` (of a tool, `input: text` or `output: text`)."""
    return [
        f"{piece.kind if piece.tool_part is None else piece.tool_part}: {piece.text()}"
        for piece in CODEX.decode(value).pieces
    ]


@dataclass
class Walked:
    """The rows of a source after all of its records."""

    rows: list[tuple[Piece, Flag]]
    facts: Facts
    marks: list[Mark]

    def texts(self, flag: Flag | None = None) -> list[str]:
        """The texts of rows with a flag, without one those that carry none of the flags a fold sets."""
        folded = Flag.TWIN | Flag.ABANDONED | Flag.INHERITED
        return [piece.text() for piece, flags in self.rows if (flags & flag if flag else not flags & folded)]


def walk(*records: Record, fold: CodexFold | None = None) -> Walked:
    fold = fold or CodexFold()
    rows: list[tuple[Piece, Flag]] = []
    marks: list[Mark] = []
    for value in records:
        decoded = fold.unheard(CODEX.decode(value))
        start = len(rows)
        rows += [(piece, piece.flags) for piece in decoded.pieces]
        for mark in fold.add(value, decoded, range(start, len(rows))):
            piece, flags = rows[mark.row]
            rows[mark.row] = piece, flags | mark.flag if mark.on else flags & ~mark.flag
            marks.append(mark)
    return Walked(rows, fold.facts, marks)
