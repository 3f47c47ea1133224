"""Claude Code's commonest records, read the direct way: a message of one block that is a call, a result or words.

Each value is looked at once and must be what it mostly is. At the first doubt the record is left to who reads them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from unspool.formats.claude_message import SYNTHETIC_MODEL, has_failed, was_shortened
from unspool.formats.decoded import Decoded, decoded_of
from unspool.formats.fields import milliseconds
from unspool.formats.piece import Flag, JsonPart, Kind, Part, Piece, Pointer, TextPart, ToolPart, piece_of

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
    message = record.get("message")
    if type(message) is not dict:
        return None
    content = message.get("content")
    if type(content) is not list or len(content) != 1 or type(content[0]) is not dict:
        return None
    native, parent = record.get("uuid"), record.get("parentUuid")
    if type(native) is not str or not native or (parent is not None and (type(parent) is not str or not parent)):
        return None
    if record.get("forkedFrom") or record.get("isCompactSummary") is True:
        return None
    kind = record.get("type")
    if kind == "user":
        piece = _result(record, content[0], native)
    elif kind == "assistant" and record.get("isApiErrorMessage") is not True:
        piece = _spoken(content[0], native) if message.get("model") != SYNTHETIC_MODEL else None
    else:
        return None
    if piece is None:
        return None
    time = milliseconds(record.get("timestamp"))
    return decoded_of((kind, True, (piece,), time, native, parent, False, 1, None, None, None, _NO_ECHOES))


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
