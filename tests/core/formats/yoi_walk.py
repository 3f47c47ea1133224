"""yoi's records in short, in the forms of all its versions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from unspool.formats.facts import Facts
from unspool.formats.piece import Flag, Piece
from unspool.formats.yoi import YOI

Record = dict[str, Any]
AT = 1_777_000_000_000


def record(kind: str, **fields: Any) -> Record:
    return {"kind": kind, "ts": AT, **fields}


def message(role: str, *texts: str, tag: str = "kind") -> Record:
    return {tag: "message", "role": role, "content": [{tag: "text", "text": text} for text in texts]}


def call(arguments: str = "{}", name: str = "bash", tag: str = "kind") -> Record:
    return {tag: "tool_call", "call_id": "c", "name": name, "arguments": arguments}


def result(tag: str = "kind", **fields: Any) -> Record:
    return {tag: "tool_result", "call_id": "c", **fields}


def said(text: str) -> Record:
    return record("assistant_item", item=message("assistant", text))


def typed(*segments: Record) -> Record:
    return record("user_input", segments=list(segments))


def text(content: str) -> Record:
    return {"kind": "text", "content": content}


def start(kind: str = "session_start", *history: Record, **origin: Any) -> Record:
    return record(kind, system_prompt="Be kind.", config={}, history=list(history), **origin)


def chained(*records: Record) -> list[Record]:
    """Give records the hashes of a chain."""
    before, made = None, []
    for value in records:
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        own = sha256(bytes.fromhex(before or "0" * 64) + body).hexdigest()
        made.append({"hash": own, "prev_hash": before, **value})
        before = own
    return made


def pieces(value: Mapping[str, Any]) -> list[str]:
    """Decode one record to its pieces, each as `kind: text` (of a tool, `input: text` or `output: text`)."""
    return [
        f"{piece.kind if piece.tool_part is None else piece.tool_part}: {piece.text()}"
        for piece in YOI.decode(value).pieces
    ]


def flagged(value: Mapping[str, Any]) -> list[Flag]:
    return [piece.flags for piece in YOI.decode(value).pieces]


def walk(*records: Record) -> tuple[list[Piece], Facts]:
    """Walk over records as the columns are built: decode, then fold."""
    fold = YOI.fold()
    rows: list[Piece] = []
    for value in records:
        decoded = YOI.decode(value)
        span = range(len(rows), len(rows) + len(decoded.pieces))
        rows += decoded.pieces
        assert not [*fold.add(value, decoded, span)]
    return rows, fold.facts
