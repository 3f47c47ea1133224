"""Sessions of MiniCode, read plainly.

| type                                   | pieces                                                                      |
|----------------------------------------|-----------------------------------------------------------------------------|
| user                                   | user; system when it has a parent and its message has no id                 |
| assistant, progress                    | assistant                                                                   |
| thinking                               | assistant with `reasoning`: each block that has a `thinking` text           |
| tool_call                              | tool input: `input`                                                         |
| tool_result                            | tool output: `content`                                                      |
| compact_boundary                       | system: `compactMetadata` as compact JSON                                   |
| snip_boundary                          | system: the message's content, without one `snipMetadata` as compact JSON   |
| summary, system                        | system                                                                      |
| context_collapse, rename, all others   | none                                                                        |

An event whose uuid was seen before is replayed. A result that begins with the marker is the file of that base name, or
of the call, in the session's folder; else beside the session that the path names, if that one's log has the call or is
gone; else in the run of a first version, if it is named as the call. The title is the last name, else the first prompt.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.oracle.blocks import as_dict, as_list, as_text, id_of
from tests.oracle.lines import Record, read_lines
from tests.oracle.persisted import MARKER, read_beside
from tests.oracle.session import OraclePiece, OracleSession, count_pictures, link
from tests.oracle.values import compact, integer

_SAID = {"user": "user", "assistant": "assistant", "progress": "assistant", "summary": "system", "system": "system"}
_METADATA = {"compact_boundary": "compactMetadata", "snip_boundary": "snipMetadata"}
_SILENT = ("context_collapse", "rename")
_CLEARED = "[Output cleared for context space]"
_SAVED_TO = re.compile(r"Full output saved to: ([^\n]+)")


def read_minicode(path: Path) -> OracleSession:
    """Decode a whole file."""
    lines = read_lines(path.read_bytes())
    session = OracleSession(path.stem, entries=lines.entries, unreadable=lines.unreadable, pending=lines.pending)
    taken, seen, used = (-1, 0), set[str](), [0, 0]
    for record in lines.records:
        base = taken[1] if taken[0] == record.entry else 0
        if not isinstance(record.value, dict):
            session.other_records["no record"] += 1
            continue
        blocks = as_list(as_dict(record.value.get("message")).get("blocks"))
        taken = (record.entry, base + (max(1, len(blocks)) if record.value.get("type") == "thinking" else 1))
        again = id_of(record.value.get("uuid")) in seen
        _read_event(session, record, base, again)
        told = as_dict(as_dict(record.value.get("message")).get("providerUsage"))
        if not again and record.value.get("type") != "rename":
            used = [
                used[0] + max(0, integer(told.get("inputTokens"))),
                used[1] + max(0, integer(told.get("outputTokens"))),
            ]
        seen |= {id_of(record.value.get("uuid"))} - {None}
    link(session.pieces)
    count_pictures(session.pieces)
    _open_saved(path, session.pieces)
    session.tokens = {"input": used[0], "output": used[1], "cache_read": 0, "cache_write": 0} if any(used) else {}
    prompts = (piece for piece in session.pieces if piece.kind == "user")
    spoken = next((" ".join(piece.text.split()) for piece in prompts if piece.text.strip()), None)
    session.title = session.title or spoken
    return session


def _read_event(session: OracleSession, record: Record, base: int, again: bool) -> None:
    value = record.value
    session.stamp(value.get("timestamp"))
    session.cwd = session.cwd or as_text(value.get("cwd")) or None
    if value.get("type") == "rename":
        session.title = as_text(value.get("title")).strip() or session.title
    pieces, known = _pieces(value)
    if not known:
        session.unknown[as_text(value.get("type"))] += 1
    if not pieces and (not known or value.get("type") in _SILENT):
        session.other_records[as_text(value.get("type"))] += 1
    elif not pieces:
        session.without_text += 1
    for piece in pieces:
        piece.entry, piece.piece, piece.native_id = record.entry, piece.piece + base, id_of(value.get("uuid"))
        piece.flags |= record.flags | ({"replayed"} if again else set())
    session.pieces += pieces


def _pieces(event: dict[str, Any]) -> tuple[list[OraclePiece], bool]:
    """Give the pieces of an event, and whether all of it is known."""
    kind, message = as_text(event.get("type")), as_dict(event.get("message"))
    content = message.get("content")
    if kind in ("tool_call", "tool_result"):
        return [_tool(kind, message)], True
    if kind == "thinking":
        return _thinking(message)
    if kind == "compact_boundary" or (kind == "snip_boundary" and not isinstance(content, str)):
        value = event.get(_METADATA[kind])
        text = "" if value is None else compact(value)
        return [OraclePiece(0, 0, "system", text, value=value)], True
    if kind not in _SAID and kind != "snip_boundary":
        return [], kind in _SILENT
    said = _SAID.get(kind, "system")
    if kind == "user" and "id" not in message and isinstance(event.get("parentUuid"), str):
        said = "system"
    return [OraclePiece(0, 0, said, as_text(content))] if as_text(content) else [], isinstance(content, str)


def _thinking(message: dict[str, Any]) -> tuple[list[OraclePiece], bool]:
    blocks = [as_dict(block) for block in as_list(message.get("blocks"))]
    texts = [(place, as_text(block.get("thinking"))) for place, block in enumerate(blocks)]
    known = all(block.get("type") in ("thinking", "redacted_thinking") for block in blocks)
    pieces = [OraclePiece(0, place, "assistant", text, flags={"reasoning"}) for place, text in texts if text]
    return pieces, known and isinstance(message.get("blocks"), list)


def _tool(kind: str, message: dict[str, Any]) -> OraclePiece:
    given = message.get("input" if kind == "tool_call" else "content")
    value = None if isinstance(given, str) else given
    text = as_text(given) if value is None else compact(value)
    part = "input" if kind == "tool_call" else "output"
    flags = {"error"} if kind == "tool_result" and message.get("isError") is True else set[str]()
    flags |= {"shortened"} if kind == "tool_result" and given == _CLEARED else set()
    tool, call_id = as_text(message.get("toolName")) or None, id_of(message.get("toolUseId"))
    return OraclePiece(0, 0, "tool", text, part, tool, call_id, value, flags=flags)


def _open_saved(path: Path, pieces: list[OraclePiece]) -> None:
    for piece in pieces:
        if piece.tool_part == "output" and piece.text.startswith(MARKER):
            full = _saved(path, piece.text, piece.call_id or "")
            piece.flags |= {"persisted"} if full is not None else {"persisted", "missing"}
            piece.text = piece.text if full is None else full


def _saved(path: Path, text: str, call_id: str) -> str | None:
    named = _SAVED_TO.search(text)
    steps = [step for step in re.split(r"[/\\]", named[1].strip() if named else "") if step not in ("", ".")]
    if ".." in steps or not steps:
        return None
    name = steps[-1]
    places = [(path.with_suffix("") / "tool-results", each) for each in (name, f"{call_id}.txt", f"{call_id}.json")]
    source = path.parent / steps[-3] if len(steps) > 2 else path
    log = source.with_name(f"{source.name}.jsonl")
    if source != path and call_id and (not log.exists() or f'"{call_id}"' in log.read_text("utf-8", "replace")):
        places += [(source / "tool-results", name)] * (log.exists() or _is_of(name, call_id))
    if len(steps) > 2 and steps[-3] == "tool-results" and _is_of(name, call_id):
        places.append((path.parent.parent.parent / "tool-results" / steps[-2], name))
    return next((full for folder, each in places if (full := read_beside(folder, each)) is not None), None)


def _is_of(name: str, call_id: str) -> bool:
    return name.rpartition(".")[0] == call_id
