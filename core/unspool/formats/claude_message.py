"""Pieces of Claude Code's user and assistant records, and of the shapes that versions before 2.0 wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from stringzilla import find

from unspool.formats.claude_blocks import block_parts, block_type, blocks_at, content_parts, empty
from unspool.formats.claude_voice import shell_part, spoken_from
from unspool.formats.fields import identity, mapping, text
from unspool.formats.piece import Flag, JsonPart, Kind, Part, Piece, Pointer, TextPart, ToolPart
from unspool.pattern import pattern
from unspool.sources.json_value import BadJson, Clipped, loads_exact

Found = tuple[list[Piece], bool]
"""Pieces, and whether every block was of a known type."""
Said = tuple[int, tuple[Part, ...]]
"""The number of a block, and its parts."""

SYNTHETIC_MODEL: Final = "<synthetic>"
"""The model of assistant records that the harness wrote itself."""
SHELL: Final = "Bash"
"""The tool name of what a person runs with `!`: the same shell that the agent's tool of this name uses."""

_NO_FLAGS: Final = Flag(0)
_SILENT: Final = frozenset({"redacted_thinking", "fallback", "container_upload"})
_CALLS: Final = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
TOOL_ERROR: Final = "<tool_use_error>"
_CUT: Final = " truncated] ..."
_SHORTENED: Final = pattern(r"\.\.\. \[\d+ (?:lines|characters) truncated\] \.\.\.")


def is_aside(record: Mapping[str, Any]) -> bool:
    """Say whether a record belongs to a side conversation, as subagents hold it; streams name the call it serves."""
    if record.get("isSidechain") is True:
        return True
    return "parent_tool_use_id" in record and identity(record["parent_tool_use_id"]) is not None


def is_answer(pieces: Sequence[Piece]) -> bool:
    """Say whether the pieces of a user record are nothing but the result of a call, as most are."""
    return len(pieces) == 1 and pieces[0].tool_part is ToolPart.OUTPUT and pieces[0].call_id is not None


def is_message(pieces: Sequence[Piece]) -> bool:
    """Say whether a tool answers or a person says something; what the harness adds is bookkeeping."""
    return any(piece.kind != Kind.SYSTEM for piece in pieces)


def user_pieces(record: Mapping[str, Any]) -> Found:
    """Return the pieces of a user record: what was said, as one piece, and each tool result."""
    said: list[tuple[int, tuple[Part, ...]]] = []
    pieces: list[Piece] = []
    known = True
    for index, place, block in _blocks(record):
        if block_type(block) == "tool_result":
            piece, understood = _result(record, place, index, block)
            pieces.append(piece)
            known = known and understood
        elif (parts := block_parts(place, block)) is not None:
            said.append((index, parts))
        else:
            known = False
    pieces += message_piece(record, said)
    return sorted(pieces, key=attrgetter("number")), known


def message_piece(record: Mapping[str, Any], said: Sequence[Said], harness: bool = False) -> list[Piece]:
    """Return what was said in a user record (none when it is empty), under the kind of who said it.

    Each block is judged alone: the whole is a person's as soon as one block is.
    """
    said = [(index, parts) for index, parts in said if parts]
    parts = tuple(part for _, block in said for part in block)
    if empty(parts):
        return []
    number, native = said[0][0], identity(record.get("uuid"))
    blocks = [part.value if isinstance(part, TextPart) else None for part in parts]
    blocks = [value for value in blocks if value != ""]
    shell = {shell_part(value) if value else None for value in blocks}
    if shell == {"input"}:
        return [Piece(number, Kind.TOOL, parts, ToolPart.INPUT, SHELL, native, Flag.BY_USER, native)]
    if shell and shell <= {"input", "output", "both"}:
        answered = identity(record.get("parentUuid")) if shell == {"output"} else None
        return [Piece(number, Kind.TOOL, parts, ToolPart.OUTPUT, SHELL, answered, Flag.BY_USER, native)]
    kind = Kind.SYSTEM if harness or _is_harness(record, blocks) else Kind.USER
    return [Piece(number, kind, parts, native_id=native)]


def assistant_pieces(record: Mapping[str, Any]) -> Found:
    """Return the pieces of an assistant record: each text, each reasoning with text, each call and each result."""
    message = mapping(record.get("message"))
    failed = record.get("isApiErrorMessage") is True
    kind = Kind.SYSTEM if failed or message.get("model") == SYNTHETIC_MODEL else Kind.ASSISTANT
    flags = Flag.ERROR if failed else _NO_FLAGS
    pieces, known = [], True
    for index, place, block in _blocks(record):
        found = _assistant_block(record, place, index, block, kind, flags)
        known = known and found is not None
        pieces += found or []
    return pieces, known


def call_piece(record: Mapping[str, Any], pointer: Pointer, number: int, block: Mapping[str, Any]) -> Piece:
    """Return a tool call; `block` is where name, id and input stand."""
    called = _called(block, "id", "tool_use_id", "toolUseID")
    parts = _arguments((*pointer, "input"), block.get("input"))
    native = identity(record.get("uuid"))
    return Piece(number, Kind.TOOL, parts, ToolPart.INPUT, text(block.get("name")), called, native_id=native)


def old_result_piece(record: Mapping[str, Any]) -> Piece:
    """Return the tool result that is a whole record of its own (before 1.0)."""
    key = next((key for key in ("output", "content", "result") if record.get(key) is not None), "output")
    parts, _ = content_parts((key,), record.get(key))
    called = _called(record, "tool_use_id", "toolUseID", "id")
    flags = Flag.ERROR if record.get("is_error") is True else _NO_FLAGS
    native = identity(record.get("uuid"))
    return Piece(0, Kind.TOOL, parts, ToolPart.OUTPUT, text(record.get("name")), called, flags, native)


def _blocks(record: Mapping[str, Any]) -> list[tuple[int, Pointer, Any]]:
    """Return (number, place, block) of a record's content; what is no list is its only block.

    Old records may have their content without a message around it.
    """
    pointer: Pointer = ("message", "content")
    message = record.get("message")
    if isinstance(message, dict):
        content = message.get("content")
    else:
        pointer = ("content",) if message is None else ("message",)
        content = record.get(pointer[0])
    return blocks_at(pointer, content)


def _called(block: Mapping[str, Any], *keys: str) -> str | None:
    for key in keys:
        called = identity(block.get(key))
        if called is not None:
            return called
    return None


def _assistant_block(
    record: Mapping[str, Any], pointer: Pointer, index: int, block: Any, kind: Kind, flags: Flag
) -> list[Piece] | None:
    """Return the pieces of one block; `None` when its type is unknown."""
    name, native = block_type(block), identity(record.get("uuid"))
    if name == "thinking":
        value = text(block.get("thinking"))
        parts = (TextPart((*pointer, "thinking"), value),) if value else ()
        return [Piece(index, Kind.ASSISTANT, parts, flags=Flag.REASONING, native_id=native)] if parts else []
    if name in _SILENT:
        return []
    if name in _CALLS:
        return [call_piece(record, pointer, index, block)]
    if name.endswith("tool_result"):
        return [_result(record, pointer, index, block)[0]]
    found = block_parts(pointer, block)
    if found is None:
        return None
    return [] if empty(found) else [Piece(index, kind, found, flags=flags, native_id=native)]


def _arguments(pointer: Pointer, value: Any) -> tuple[Part, ...]:
    """Return a call's arguments: as written, decoded when they are JSON inside a string."""
    string = text(value)
    if string is None:
        return () if value is None else (JsonPart(pointer, value),)
    if string[:1] in ("{", "["):
        if isinstance(string, Clipped):
            return (JsonPart(pointer, string, encoded=True),)
        try:
            return (JsonPart(pointer, loads_exact(string), encoded=True),)
        except BadJson:
            pass
    return (TextPart(pointer, string),)


def _result(record: Mapping[str, Any], pointer: Pointer, number: int, block: Mapping[str, Any]) -> tuple[Piece, bool]:
    """Return a tool result, also an empty one. The richer twin `toolUseResult` gives flags, never text."""
    parts, known = content_parts((*pointer, "content"), block.get("content"))
    twin = record.get("toolUseResult")
    flags = Flag.ERROR if has_failed(block, parts, twin) else _NO_FLAGS
    if was_shortened(parts, twin):
        flags |= Flag.SHORTENED
    called = _called(block, "tool_use_id", "toolUseID")
    native = identity(record.get("uuid"))
    return Piece(number, Kind.TOOL, parts, ToolPart.OUTPUT, None, called, flags, native), known


def has_failed(block: Mapping[str, Any], parts: tuple[Part, ...], twin: Any) -> bool:
    """Say whether a tool failed, by its result, by the richer twin of it, or by what its text begins with."""
    if block.get("is_error") is True or mapping(twin).get("is_error") is True:
        return True
    content = block.get("content")
    if isinstance(content, dict) and str(content.get("type", "")).endswith("_error"):
        return True
    return bool(parts) and isinstance(parts[0], TextPart) and parts[0].value.startswith(TOOL_ERROR)


def was_shortened(parts: tuple[Part, ...], twin: Any) -> bool:
    """Say whether the record tells that the harness cut the output: a search's own word, or a shell's cut mark."""
    details = mapping(twin)
    if details.get("truncated") is True:
        return True
    if "stdout" not in details:
        return False
    return any(isinstance(part, TextPart) and holds_cut(part.value) for part in parts)


def holds_cut(text: str) -> bool:
    """Say whether a text has the mark of a shell where its output was cut."""
    if text.isascii() and find(text, _CUT) < 0:
        return False
    return _SHORTENED.search(text) is not None


def _is_harness(record: Mapping[str, Any], blocks: Sequence[str | None]) -> bool:
    """Judge by the record's own word, else by its blocks (`None` for one that is no text: nobody but a person's)."""
    if record.get("isMeta") is True or record.get("isCompactSummary") is True:
        return True
    if mapping(record.get("origin")).get("kind") == "task-notification" or record.get("promptSource") == "system":
        return True
    if record.get("isSidechain") is True and len(blocks) == 1 and (blocks[0] or "").strip() == "Warmup":
        return True
    return all(value is not None and spoken_from(value) is None for value in blocks)
