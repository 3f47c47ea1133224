"""Codex rollouts, read plainly; the table of records is in `codex_records`, twins in `codex_twins`.

Replayed: a piece of a response item whose own id, or a call whose call id, was seen before with the same content.
Failed: a result behind an event that says so of its call.
Abandoned: after `thread_rolled_back` everything since the n-th last user message that still stood.
Tokens: `last_token_usage` wherever the running total moved, so once for each answer of the model; input is what
was not read from the cache.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.oracle.blocks import as_dict, as_list, as_text, type_of
from tests.oracle.codex_events import tells_failure
from tests.oracle.codex_reading import Reading
from tests.oracle.codex_records import ENVELOPES, ITEMS, read_record
from tests.oracle.codex_twins import TwinPool
from tests.oracle.lines import Lines, Record, read_lines
from tests.oracle.session import OracleSession, count_pictures, link
from tests.oracle.values import Number, decode_whole, integer

_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?=\.json)")
_FOLDER = re.compile(r"<environment_context>\s+(?:<cwd>(.+)</cwd>|Current working directory: (.+))")


@dataclass
class _Fold:
    """What is carried from record to record."""

    session: OracleSession
    twins: TwinPool = field(default_factory=TwinPool)
    native_ids: set[tuple[Any, ...]] = field(default_factory=set)
    total: dict[str, Any] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    answers: set[str] = field(default_factory=set)
    renamed: str = ""


def read_codex(path: Path) -> OracleSession:
    """Decode a whole rollout, plain or `.jsonl.zst`."""
    lines = _document(path) if path.suffix == ".json" else read_lines(_content(path))
    named = _ID.search(path.name)
    session = OracleSession(named[0] if named else None, entries=lines.entries, unreadable=lines.unreadable)
    session.pending = lines.pending
    fold = _Fold(session)
    taken = (-1, 0)
    for record in lines.records:
        base = taken[1] if taken[0] == record.entry else 0
        taken = (record.entry, base + _places(record.value))
        _read_record(fold, record, base)
    link(session.pieces)
    count_pictures(session.pieces)
    standing = [piece for piece in session.pieces if piece.counted_as == "user"]
    session.title = fold.renamed or next((line for piece in standing for line in piece.spoken_lines()), None)
    return session


def _document(path: Path) -> Lines:
    """Take the header and the items of a session that is one document as if each stood on a line."""
    whole = decode_whole(path.read_text("utf-8"))
    values = [whole["session"], *whole["items"]]
    return Lines([Record(entry, value) for entry, value in enumerate(values)], entries=len(values))


def _places(value: Any) -> int:
    payload = as_dict(as_dict(value).get("payload", value))
    content = as_dict(payload.get("item")).get("content", payload.get("content"))
    return max(1, len(as_list(content)))


def _content(path: Path) -> bytes:
    if path.suffix != ".zst":
        return path.read_bytes()
    from backports import zstd

    with zstd.open(path, "rb") as stream:
        return bytes(stream.read())


def _unwrap(value: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Name the envelope of a record; the oldest format writes items and its header bare."""
    kind = type_of(value)
    if "payload" not in value and kind in ITEMS:
        return "response_item", value
    if "payload" not in value and not kind and ("record_type" in value or "id" in value):
        return "session_meta", value
    return kind or "(no type)", as_dict(value.get("payload"))


def _read_record(fold: _Fold, record: Record, base: int) -> None:
    session = fold.session
    if not isinstance(record.value, dict):
        session.other_records["no record"] += 1
        return
    envelope, payload = _unwrap(record.value)
    session.stamp(record.value.get("timestamp"))
    _read_head(fold, envelope, payload)
    reading = read_record(envelope, payload, session.unknown)
    _drop_echoes(fold, reading)
    if reading.pieces is None:
        inner = type_of(payload)
        session.other_records[f"{envelope}/{inner}" if inner and envelope in ENVELOPES else envelope] += 1
    elif not reading.pieces:
        session.without_text += 1
    for piece in reading.pieces or ():
        piece.entry, piece.piece = record.entry, piece.piece + base
        piece.time, piece.native_id = record.value.get("timestamp"), as_text(payload.get("id")) or None
        piece.flags |= record.flags
        if piece.tool_part == "output" and piece.call_id in fold.failed:
            fold.failed.remove(piece.call_id)
            piece.flags.add("error")
        told = _FOLDER.search(piece.text) if piece.kind == "system" else None
        session.cwd = session.cwd or (told and (told[1] or told[2])) or None
    _mark(fold, reading)
    session.pieces += reading.pieces or []


def _drop_echoes(fold: _Fold, reading: Reading) -> None:
    """Leave out the answer that the end of a turn repeats; what it alone says stays."""
    pieces = reading.pieces or []
    said = [piece for piece in pieces if piece.kind == "assistant" and "reasoning" not in piece.flags]
    for piece in [piece for piece in said if "echo" in piece.flags]:
        piece.flags.remove("echo")
        if "".join(piece.text.split()) in fold.answers:
            pieces.remove(piece)
            reading.written = [written for written in reading.written if written.piece is not piece]
            reading.pieces = pieces or None
    fold.answers |= {"".join(piece.text.split()) for piece in said}
    fold.answers.add("".join("".join(piece.text.split()) for piece in said))


def _mark(fold: _Fold, reading: Reading) -> None:
    for place, piece in enumerate(reading.pieces or ()):
        names = (piece.native_id, piece.call_id if piece.tool_part == "input" else None)
        what = (place, piece.kind, piece.tool_part, piece.tool, piece.call_id, piece.text)
        own = {(name, *what) for name in names if name}
        if own & fold.native_ids:
            piece.flags.add("replayed")
        fold.native_ids |= own
        if piece.kind == "tool":
            fold.twins.closes(piece)
    fold.twins.take_all([written for written in reading.written if "replayed" not in written.piece.flags])


def _read_head(fold: _Fold, envelope: str, payload: dict[str, Any]) -> None:
    session, kind = fold.session, type_of(payload)
    if envelope == "session_meta":
        session.session_id = session.session_id or as_text(payload.get("id")) or None
        session.seen("versions", payload.get("cli_version"))
    if envelope == "turn_context":
        session.seen("models", payload.get("model"))
    if envelope in ("session_meta", "turn_context"):
        session.cwd = session.cwd or as_text(payload.get("cwd")) or None
    if envelope == "event_msg" and kind == "thread_name_updated":
        fold.renamed = as_text(payload.get("thread_name")) or fold.renamed
    if envelope == "event_msg" and tells_failure(kind, payload):
        fold.failed.add(as_text(payload.get("call_id")))
    if envelope == "event_msg" and kind == "token_count":
        _read_tokens(fold, as_dict(payload.get("info")))
    if envelope == "event_msg" and kind == "thread_rolled_back":
        _roll_back(fold, payload.get("num_turns"))


def _read_tokens(fold: _Fold, info: dict[str, Any]) -> None:
    total, last = as_dict(info.get("total_token_usage")), as_dict(info.get("last_token_usage"))
    moved = total != fold.total
    fold.total = total or fold.total
    tokens = fold.session.tokens
    cached = integer(last.get("cached_input_tokens"))
    used = {
        "input": integer(last.get("input_tokens")) - cached,
        "output": integer(last.get("output_tokens")),
        "cache_read": cached,
        "cache_write": integer(last.get("cache_write_input_tokens")),
    }
    for name, amount in used.items():
        tokens[name] = tokens.get(name, 0) + (amount if moved and total else 0)


def _roll_back(fold: _Fold, turns: Any) -> None:
    pieces = fold.session.pieces
    asked = [place for place, piece in enumerate(pieces) if piece.counted_as == "user"]
    wanted = integer(turns) if isinstance(turns, Number) else 0
    for piece in pieces[asked[-wanted:][0] :] if wanted > 0 and asked else ():
        piece.flags.add("abandoned")
    fold.twins = TwinPool()
