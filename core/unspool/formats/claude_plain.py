"""Claude Code's commonest records, read the direct way: a message of one block, and what says nothing to anybody.

The block is a call, a result or words of the model.

Each value is looked at once and must be what it mostly is. At the first doubt the record is left to who reads them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from unspool.formats.claude_message import SYNTHETIC_MODEL, has_failed, was_shortened
from unspool.formats.claude_notice import SILENT as SILENT_ATTACHMENTS
from unspool.formats.decoded import Decoded, decoded_of
from unspool.formats.fields import mapping, milliseconds, text
from unspool.formats.piece import Flag, JsonPart, Kind, Part, Piece, Pointer, TextPart, ToolPart, piece_of

SILENT: Final = frozenset({
    "agent-name", "ai-title", "atis-latch", "auth_status", "bridge-session", "control_cancel_request",
    "control_request", "control_response", "custom-title", "file-history-snapshot", "frame-link", "keep_alive",
    "last-prompt", "mode", "permission-mode", "pr-link", "progress", "prompt_suggestion", "rate_limit_event",
    "relocated", "started", "stream_event", "streamlined_text", "summary", "tag", "tool_progress", "tool_use_summary",
    "worktree-state",
})  # fmt: skip
"""Types of records that are bookkeeping, whatever they hold."""

_TYPE_CHARACTERS: Final = 64
"""A type names records in counts; a longer one is cut."""
_UNTYPED: Final = "(no type)"

_PLACE: Final[Pointer] = ("message", "content", 0)
_CONTENT: Final = (*_PLACE, "content")
_ONLY_BLOCK: Final = (*_CONTENT, 0, "text")
_INPUT: Final = (*_PLACE, "input")
_TEXT: Final = (*_PLACE, "text")
_THINKING: Final = (*_PLACE, "thinking")

_NO_FLAGS: Final = Flag(0)
_OUTPUT_FLAGS: Final = {
    (False, False): _NO_FLAGS,
    (False, True): Flag.SHORTENED,
    (True, False): Flag.ERROR,
    (True, True): Flag.ERROR | Flag.SHORTENED,
}
"""By whether the tool failed and whether its output was cut: a table, for flags are slow to put together."""
_NO_ECHOES: Final = frozenset[int]()


def plain(record: Mapping[str, Any]) -> Decoded | None:
    """Return what a record of a common shape means; `None` leaves it to the general path, which says the same."""
    kind, native, parent = record.get("type"), record.get("uuid"), record.get("parentUuid")
    if (parent is not None and (type(parent) is not str or not parent)) or record.get("isCompactSummary") is True:
        return None
    pieces: tuple[Piece, ...] = ()
    if kind == "user" or kind == "assistant":
        piece = _piece(record, kind, native) if type(native) is str and native else None
        if piece is None:
            return None
        pieces = (piece,)
    elif not _is_silent(record, kind) or (native is not None and (type(native) is not str or not native)):
        return None
    named = kind if pieces else type_of(record, text(kind) or "")
    time = milliseconds(record.get("timestamp"))
    return decoded_of((named, True, pieces, time, native, parent, False, 1, None, None, None, _NO_ECHOES))


def type_of(record: Mapping[str, Any], kind: str) -> str:
    """Return what the record is counted as: its type, and the type inside it where one type is many things."""
    inside = None
    if kind == "system":
        inside = text(record.get("subtype"))
    elif kind == "attachment" or kind == "progress":
        inside = text(mapping(record.get("attachment" if kind == "attachment" else "data")).get("type"))
    named = kind[:_TYPE_CHARACTERS] or _UNTYPED
    return f"{named}/{inside[:_TYPE_CHARACTERS]}" if inside else named


def _is_silent(record: Mapping[str, Any], kind: Any) -> bool:
    """Say whether a record holds nothing that anybody said."""
    if type(kind) is not str or record.get("message") is not None:
        return False
    if kind == "attachment":
        attachment = record.get("attachment")
        named = attachment.get("type") if type(attachment) is dict else None
        return type(named) is str and named in SILENT_ATTACHMENTS
    return kind in SILENT or (kind == "queue-operation" and record.get("operation") != "enqueue")


def _piece(record: Mapping[str, Any], kind: str, native: str) -> Piece | None:
    """Return the piece of a message that is one block."""
    message = record.get("message")
    if type(message) is not dict or record.get("forkedFrom"):
        return None
    content = message.get("content")
    if type(content) is not list or len(content) != 1 or type(content[0]) is not dict:
        return None
    if kind == "user":
        return _result(record, content[0], native)
    if record.get("isApiErrorMessage") is True or message.get("model") == SYNTHETIC_MODEL:
        return None
    return _spoken(content[0], native)


def _result(record: Mapping[str, Any], block: dict[str, Any], native: str) -> Piece | None:
    """Return a tool result that is one text."""
    if block.get("type") != "tool_result":
        return None
    content, pointer = block.get("content"), _CONTENT
    if type(content) is list and len(content) == 1 and type(content[0]) is dict and content[0].get("type") == "text":
        content, pointer = content[0].get("text"), _ONLY_BLOCK
    called = block.get("tool_use_id")
    if type(content) is not str or type(called) is not str or not called:
        return None
    parts, twin = (TextPart(pointer, content),), record.get("toolUseResult")
    flags = _OUTPUT_FLAGS[has_failed(block, parts, twin), was_shortened(parts, twin)]
    return piece_of((0, Kind.TOOL, parts, ToolPart.OUTPUT, None, called, flags, native, "\n", None))


def _spoken(block: dict[str, Any], native: str) -> Piece | None:
    """Return a call with its arguments, or words of the model."""
    kind = block.get("type")
    if kind == "tool_use":
        called, name, arguments = block.get("id"), block.get("name"), block.get("input")
        if type(called) is not str or not called or type(name) is not str or type(arguments) is not dict:
            return None
        parts: tuple[Part, ...] = (JsonPart(_INPUT, arguments),)
        return piece_of((0, Kind.TOOL, parts, ToolPart.INPUT, name, called, _NO_FLAGS, native, "\n", None))
    if kind == "thinking":
        words, pointer, flags = block.get("thinking"), _THINKING, Flag.REASONING
    elif kind == "text":
        words, pointer, flags = block.get("text"), _TEXT, _NO_FLAGS
    else:
        return None
    if type(words) is not str or not words:
        return None
    return piece_of((0, Kind.ASSISTANT, (TextPart(pointer, words),), None, None, None, flags, native, "\n", None))
