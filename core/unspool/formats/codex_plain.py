"""Codex's commonest records, read the direct way: calls, outputs, reasoning, messages of texts, and bookkeeping.

Each value is looked at once and must be what it mostly is. At the first doubt the record is left to who reads them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from unspool.formats.codex_changes import EDITS
from unspool.formats.codex_events import SILENT
from unspool.formats.codex_messages import (
    TEXT_BLOCKS,
    Blocks,
    assistant_pieces,
    system_pieces,
    typed_pieces,
    user_pieces,
)
from unspool.formats.codex_output import output_flags
from unspool.formats.decoded import Decoded, decoded_of
from unspool.formats.fields import milliseconds
from unspool.formats.parts import encoded_parts
from unspool.formats.piece import Flag, Kind, Part, Piece, Pointer, TextPart, ToolPart, piece_of
from unspool.named_tuple import NamedTuple

Item = dict[str, Any]
Pieces = tuple[Piece, ...]

_ARGUMENTS: Final = ("payload", "arguments")
_CONTENT: Final = ("payload", "content")
_INPUT: Final = ("payload", "input")
_MESSAGE: Final = ("payload", "message")
_OUTPUT: Final = ("payload", "output")
_SUMMARY: Final = ("payload", "summary")
_TEXT: Final = ("payload", "text")

_NO_FLAGS: Final = Flag(0)
_NO_ECHOES: Final = frozenset[int]()


class _Shape(NamedTuple):
    """What a common record is called, who reads it, and whether it is a message, which may have nothing to show."""

    type: str
    read: Callable[[Item, str | None], Pieces | None]
    speaks: bool = False


def plain(record: Mapping[str, Any]) -> Decoded | None:
    """Return what a record of a common shape means; `None` leaves it to the general path, which says the same."""
    item = record.get("payload")
    if type(item) is not dict or "item" in item:
        return None
    shape, native, content = _shape_of(record.get("type"), item), item.get("id"), item.get("content")
    if shape is None or (native is not None and type(native) is not str):
        return None
    pieces = shape.read(item, native)
    if pieces is None:
        return None
    time, empty = milliseconds(record.get("timestamp")), shape.speaks and not pieces
    places = len(content) or 1 if type(content) is list else 1
    return decoded_of((shape.type, True, pieces, time, native, None, empty, places, None, None, None, _NO_ECHOES))


def _shape_of(kind: Any, item: Item) -> _Shape | None:
    if kind == "turn_context":
        return _TURN_CONTEXT
    name = item.get("type")
    if type(name) is not str:
        return None
    if kind == "response_item":
        return _ITEMS.get(name)
    return _EVENTS.get(name) if kind == "event_msg" else None


def _nothing(item: Item, native: str | None) -> Pieces:
    return ()


def _function_call(item: Item, native: str | None) -> Pieces | None:
    return _call(item, encoded_parts(item.get("arguments"), _ARGUMENTS), native)


def _custom_tool_call(item: Item, native: str | None) -> Pieces | None:
    told = item.get("input")
    return _call(item, (TextPart(_INPUT, told),), native) if type(told) is str and told else None


def _call(item: Item, parts: tuple[Part, ...], native: str | None) -> Pieces | None:
    name, called = item.get("name"), item.get("call_id")
    if type(name) is not str or type(called) is not str or "namespace" in item:
        return None
    return (piece_of((0, Kind.TOOL, parts, ToolPart.INPUT, name, called, _NO_FLAGS, native, "\n", None)),)


def _output(item: Item, native: str | None) -> Pieces | None:
    output, called = item.get("output"), item.get("call_id")
    if type(output) is not str or not output or type(called) is not str or "name" in item:
        return None
    parts = (TextPart(_OUTPUT, output),)
    return (piece_of((0, Kind.TOOL, parts, ToolPart.OUTPUT, None, called, output_flags(output), native, "\n", None)),)


def _message(item: Item, native: str | None) -> Pieces | None:
    role, blocks = item.get("role"), _texts(item.get("content"), _CONTENT)
    if blocks is None:
        return None
    if role == "assistant":
        return assistant_pieces(blocks, native)
    if role == "user":
        return user_pieces(blocks, native)
    return system_pieces(blocks.parts, native) if role == "developer" else None


def _reasoning(item: Item, native: str | None) -> Pieces | None:
    summary, content = item.get("summary"), item.get("content")
    told = _texts(summary, _SUMMARY)
    raw = _NO_BLOCKS if content is None else _texts(content, _CONTENT)
    if told is None or raw is None:
        return None
    parts = told.parts + raw.parts
    if not parts:
        return ()
    return (piece_of((0, Kind.ASSISTANT, parts, None, None, None, Flag.REASONING, native, "\n", None)),)


def _texts(content: Any, at: Pointer) -> Blocks | None:
    """Return the texts of a content that is nothing but blocks of text."""
    if type(content) is not list:
        return None
    numbered: list[tuple[int, Part]] = []
    for number, block in enumerate(content):
        if type(block) is not dict:
            return None
        kind, text = block.get("type"), block.get("text")
        if type(kind) is not str or kind not in TEXT_BLOCKS or type(text) is not str:
            return None
        if text:
            numbered.append((number, TextPart((*at, number, "text"), text)))
    return Blocks(tuple(numbered), True)


def _user_message(event: Item, native: str | None) -> Pieces | None:
    message, kind = event.get("message"), event.get("kind")
    if type(message) is not str or not message or (kind is not None and kind != "plain"):
        return None
    return None if event.get("images") or event.get("local_images") else typed_pieces((TextPart(_MESSAGE, message),))


def _agent_message(event: Item, native: str | None) -> Pieces | None:
    return _said(event.get("message"), _MESSAGE, _NO_FLAGS)


def _agent_reasoning(event: Item, native: str | None) -> Pieces | None:
    return _said(event.get("text"), _TEXT, Flag.REASONING)


def _said(text: Any, at: Pointer, flags: Flag) -> Pieces | None:
    if type(text) is not str or not text:
        return None
    return (piece_of((0, Kind.ASSISTANT, (TextPart(at, text),), None, None, None, flags, None, "\n", None)),)


_NO_BLOCKS: Final = Blocks((), True)

_TURN_CONTEXT: Final = _Shape("turn_context", _nothing)

_ITEMS: Final[Mapping[str, _Shape]] = {
    "custom_tool_call": _Shape("response_item/custom_tool_call", _custom_tool_call),
    "custom_tool_call_output": _Shape("response_item/custom_tool_call_output", _output),
    "function_call": _Shape("response_item/function_call", _function_call),
    "function_call_output": _Shape("response_item/function_call_output", _output),
    "message": _Shape("response_item/message", _message, speaks=True),
    "reasoning": _Shape("response_item/reasoning", _reasoning, speaks=True),
}

_EVENTS: Final[Mapping[str, _Shape]] = {
    **{name: _Shape(f"event_msg/{name}", _nothing) for name in SILENT - EDITS},
    "agent_message": _Shape("event_msg/agent_message", _agent_message),
    "agent_reasoning": _Shape("event_msg/agent_reasoning", _agent_reasoning),
    "user_message": _Shape("event_msg/user_message", _user_message),
}
