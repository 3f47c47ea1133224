"""Claude Code sessions, read plainly; the table of records is in `claude_records`.

Replayed: a piece whose uuid, place and content were seen before; and in one API message a call that was, the
blocks of a line that begins with all blocks so far, and those of a line that equals one that hangs on the same record.
Abandoned: records named in `retractedMessageUuids`; and, where two prompts hang on one message, all that hangs on
the earlier one, if its last record stands before the later prompt.
Tokens: once per message id, from the record with the most output tokens, the last of equals; what the result of a run
tells of all its models takes the place of all before it, if it tells of more output.
A result's answer is no piece where an assistant record of the stream (`session_id`, main conversation) said the same
since the result before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.oracle.blocks import as_dict, as_text, id_of
from tests.oracle.claude_queue import mark_delivered
from tests.oracle.claude_records import name_of, read_record
from tests.oracle.claude_text import is_aside
from tests.oracle.claude_tree import mark_abandoned, mark_replayed
from tests.oracle.lines import Record, read_lines
from tests.oracle.persisted import MARKER, full_output
from tests.oracle.session import OraclePiece, OracleSession, count_pictures, link
from tests.oracle.values import integer


@dataclass
class _Reading:
    """What is carried from record to record."""

    session: OracleSession
    rows: list[tuple[Record, list[OraclePiece]]] = field(default_factory=list)
    usage: dict[str, dict[str, Any]] = field(default_factory=dict)
    untold: dict[str, int] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    summaries: list[tuple[str, str]] = field(default_factory=list)


def read_claude(path: Path) -> OracleSession:
    """Decode a whole `.jsonl` of Claude Code."""
    lines = read_lines(path.read_bytes())
    session = OracleSession(session_id=path.stem, entries=lines.entries, unreadable=lines.unreadable)
    session.pending = lines.pending
    reading = _Reading(session)
    taken = (-1, 0)
    for record in lines.records:
        base = taken[1] if taken[0] == record.entry else 0
        taken = (record.entry, base + _places(record.value))
        _read_record(reading, record, base)
    _drop_echoes(reading)
    mark_delivered(reading.rows)
    mark_replayed(reading.rows)
    mark_abandoned(reading.rows)
    session.pieces = [piece for _, pieces in reading.rows for piece in pieces]
    link(session.pieces)
    count_pictures(session.pieces)
    _open_persisted(path, reading)
    session.tokens = _tokens(reading)
    session.title = _title(reading)
    return session


def _places(value: Any) -> int:
    content = as_dict(as_dict(value).get("message")).get("content")
    return max(len(content), 1) if isinstance(content, list) else 1


def _read_record(reading: _Reading, record: Record, base: int) -> None:
    session, value = reading.session, record.value
    if not isinstance(value, dict):
        session.other_records["no record"] += 1
        return
    _read_head(reading, record)
    pieces = read_record(value, session.unknown)
    if pieces is None:
        session.other_records[name_of(value)] += 1
    elif not pieces:
        session.without_text += 1
    for piece in pieces or ():
        piece.entry, piece.block, piece.piece = record.entry, piece.piece, piece.piece + base
        piece.native_id, piece.time = id_of(value.get("uuid")), value.get("timestamp")
        piece.flags |= record.flags
    reading.rows.append((record, pieces or []))


def _read_head(reading: _Reading, record: Record) -> None:
    session, value = reading.session, record.value
    session.cwd = session.cwd or as_text(value.get("cwd")) or None
    session.seen("versions", value.get("version"))
    session.stamp(value.get("timestamp"))
    for name in ("customTitle", "aiTitle"):
        if as_text(value.get(name)):
            reading.titles[name] = as_text(value[name])
    if value.get("type") == "summary":
        reading.summaries.append((as_text(value.get("leafUuid")), as_text(value.get("summary"))))
    message = as_dict(value.get("message"))
    if value.get("type") == "assistant":
        if message.get("model") != "<synthetic>":
            session.seen("models", message.get("model"))
        usage = as_dict(message.get("usage"))
        key = id_of(message.get("id")) or f"entry {record.entry}.{record.nth}"
        if integer(usage.get("output_tokens")) >= integer(reading.usage.get(key, {}).get("output_tokens")):
            reading.usage[key] = usage
    if value.get("type") == "result":
        _read_result(reading, value)


def _read_result(reading: _Reading, value: dict[str, Any]) -> None:
    """Keep what a run used beside what its messages told."""
    names = {"input": "input", "output": "output", "cache_read": "cacheRead", "cache_write": "cacheCreation"}
    told = [as_dict(one) for one in as_dict(value.get("modelUsage")).values()]
    used = {
        name: sum(max(0, integer(one.get(f"{key}{'Input' if 'cache' in key else ''}Tokens"))) for one in told)
        for name, key in names.items()
    }
    known = _tokens(reading)
    if used["output"] > known["output"]:
        reading.untold = {name: reading.untold.get(name, 0) + used[name] - known[name] for name in names}


def _drop_echoes(reading: _Reading) -> None:
    said: set[str] = set()
    for record, pieces in reading.rows:
        value = as_dict(record.value)
        if value.get("type") == "assistant" and "session_id" in value and not is_aside(value):
            said |= {piece.text for piece in pieces if piece.kind != "tool"}
        if value.get("type") != "result":
            continue
        for piece in [piece for piece in pieces if "echo" in piece.flags]:
            piece.flags.remove("echo")
            if piece.text in said:
                pieces.remove(piece)
                if not pieces:
                    reading.session.other_records[name_of(value)] += 1
        said.clear()


def _open_persisted(path: Path, reading: _Reading) -> None:
    uuids = {id_of(record.value.get("uuid")) or "" for record, _ in reading.rows} - {""}
    sessions = [as_text(record.value.get("sessionId")) for record, _ in reading.rows]
    for piece in reading.session.pieces:
        if piece.tool_part == "output" and piece.text.startswith(MARKER):
            full = full_output(path, next(filter(None, sessions), ""), piece.text, piece.call_id, uuids)
            piece.flags |= {"persisted"} if full is not None else {"persisted", "missing"}
            piece.text = piece.text if full is None else full + piece.behind


def _tokens(reading: _Reading) -> dict[str, int]:
    usage = reading.usage
    fields = {
        "input": "input_tokens",
        "output": "output_tokens",
        "cache_read": "cache_read_input_tokens",
        "cache_write": "cache_creation_input_tokens",
    }
    tokens = {name: sum(integer(one.get(key)) for one in usage.values()) for name, key in fields.items()}
    by_time = [as_dict(one.get("cache_creation")) for one in usage.values() if fields["cache_write"] not in one]
    tokens["cache_write"] += sum(integer(number) for one in by_time for number in one.values())
    return {name: number + reading.untold.get(name, 0) for name, number in tokens.items()}


def _title(reading: _Reading) -> str | None:
    uuids = {id_of(record.value.get("uuid")) or "" for record, _ in reading.rows}
    own_summary = next((text for leaf, text in reversed(reading.summaries) if leaf in uuids), "")
    messages = [
        is_aside(record.value) for record, _ in reading.rows if record.value.get("type") in ("user", "assistant")
    ]
    prompts = [
        piece
        for record, pieces in reading.rows
        for piece in pieces
        if (not is_aside(record.value) or all(messages)) and not piece.flags & {"replayed", "abandoned"}
    ]
    spoken = next((line for piece in prompts for line in piece.spoken_lines()), None)
    return reading.titles.get("customTitle") or reading.titles.get("aiTitle") or own_summary or spoken
