"""Items of a yoi record: messages, calls, results, reasoning, and what yoi itself put into the history.

The first versions tag an item by `type`, later ones by `kind`; in both an item is one piece.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from unspool.dataclass import dataclass
from unspool.formats import fields
from unspool.formats.parts import base64_parts, encoded_parts, text_or_json_parts, text_parts
from unspool.formats.piece import UNKNOWN_TYPE, Flag, Kind, Part, Piece, Pointer, SignPart, ToolPart

_SYSTEM_ITEMS: Final = frozenset({
    "file_attachment", "interrupt", "knowledge", "notification", "pod_event", "skill_activation", "task_reminder",
    "worker_event", "workflow",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contents:
    """What a record or an item gave: its pieces, and whether all of it was known."""

    pieces: tuple[Piece, ...] = ()
    known: bool = True


def read_items(values: list[Any], at: Pointer) -> Contents:
    """Read a list of items; a piece is numbered by the place of its item."""
    read = [read_item(value, (*at, number), number) for number, value in enumerate(values)]
    return Contents(tuple(piece for each in read for piece in each.pieces), all(each.known for each in read))


def read_item(value: Any, at: Pointer, number: int = 0) -> Contents:
    """Read one item; one that is unknown, or no object, gives nothing."""
    item = fields.mapping(value)
    read = _ITEMS.get(tag_of(item))
    return Contents(known=False) if read is None else read(item, at, number)


def read_injected_items(values: list[Any], at: Pointer) -> Contents:
    """Read a list of items that a hook or yoi itself put into the history."""
    read = [read_injected(value, (*at, number), number) for number, value in enumerate(values)]
    return Contents(tuple(piece for each in read for piece in each.pieces), all(each.known for each in read))


def read_injected(value: Any, at: Pointer, number: int = 0) -> Contents:
    """Read an item that neither the person nor the model wrote: a message in whatever name, or one of yoi's own.

    Of yoi's own the body is the text that the model saw; what else they hold is for screens.
    """
    item = fields.mapping(value)
    tag = tag_of(item)
    if tag == "message":
        parts, known = _content(item.get("content"), (*at, "content"))
        return Contents(_message(Kind.SYSTEM, parts, item, number), known)
    if tag in _SYSTEM_ITEMS:
        return Contents(_message(Kind.SYSTEM, text_parts(item.get("body"), (*at, "body")), item, number))
    return read_item(item, at, number)


def tag_of(item: Mapping[str, Any]) -> str:
    """Return what an item is, an empty string when it does not say."""
    return fields.text(item.get("kind")) or fields.text(item.get("type")) or ""


def _read_message(item: Mapping[str, Any], at: Pointer, number: int) -> Contents:
    kind = _ROLES.get(fields.text(item.get("role")) or "")
    if kind is None:
        return Contents(known=False)
    parts, known = _content(item.get("content"), (*at, "content"))
    return Contents(_message(kind, parts, item, number), known)


_ROLES: Final[Mapping[str, Kind]] = {"assistant": Kind.ASSISTANT, "system": Kind.SYSTEM, "user": Kind.USER}


def _message(kind: Kind, parts: tuple[Part, ...], item: Mapping[str, Any], number: int) -> tuple[Piece, ...]:
    """Return a message as one piece, whatever number of parts it has; nothing when it is empty."""
    return (Piece(number, kind, parts, native_id=fields.identity(item.get("id"))),) if parts else ()


def _content(value: Any, at: Pointer) -> tuple[tuple[Part, ...], bool]:
    """Return the parts of a message, and whether all of them were known."""
    if not isinstance(value, list):
        return text_parts(value, at), value is None or fields.text(value) is not None
    found: list[Part] = []
    known = True
    for number, part in enumerate(map(fields.mapping, value)):
        tag = tag_of(part)
        known = known and tag in _TEXTS
        found += text_parts(part.get(tag), (*at, number, tag)) if tag in _TEXTS else ()
    return tuple(found), known


_TEXTS: Final = ("text", "refusal")
"""Sorts of content; the text stands under the same name."""


def _read_call(item: Mapping[str, Any], at: Pointer, number: int) -> Contents:
    piece = Piece(
        number,
        Kind.TOOL,
        encoded_parts(item.get("arguments"), (*at, "arguments")),
        ToolPart.INPUT,
        tool=fields.text(item.get("name")),
        call_id=fields.identity(item.get("call_id")),
        native_id=fields.identity(item.get("id")),
    )
    return Contents((piece,))


def _read_result(item: Mapping[str, Any], at: Pointer, number: int) -> Contents:
    """Read a result: the output, in later versions a summary and behind it the content; then what is attached."""
    parts: tuple[Part, ...] = ()
    for key in ("output", "summary", "content"):
        parts += text_or_json_parts(item.get(key), (*at, key))
    attached, known = _attachments(item.get("attachments"), (*at, "attachments"))
    piece = Piece(
        number,
        Kind.TOOL,
        parts + attached,
        ToolPart.OUTPUT,
        call_id=fields.identity(item.get("call_id")),
        flags=Flag.ERROR if item.get("is_error") is True else Flag(0),
        native_id=fields.identity(item.get("id")),
    )
    return Contents((piece,), known)


def _attachments(value: Any, at: Pointer) -> tuple[tuple[Part, ...], bool]:
    found: list[Part] = []
    known = True
    for number, attached in enumerate(map(fields.mapping, fields.items(value))):
        if tag_of(attached) == "image":
            media_type = fields.text(attached.get("mime_type")) or UNKNOWN_TYPE
            found += base64_parts(attached.get("data"), (*at, number, "data"), media_type)
        else:
            known = False
    return tuple(found), known


def _read_reasoning(item: Mapping[str, Any], at: Pointer, number: int) -> Contents:
    """Read reasoning: its text, and behind it its summary, of which either may be empty."""
    parts = text_parts(item.get("text"), (*at, "text"))
    for place, said in enumerate(fields.items(item.get("summary"))):
        parts += text_parts(said, (*at, "summary", place))
    native_id = fields.identity(item.get("id"))
    piece = Piece(number, Kind.ASSISTANT, parts, flags=Flag.REASONING, native_id=native_id)
    return Contents((piece,) if parts else ())


_ITEMS: Final[Mapping[str, Callable[[Mapping[str, Any], Pointer, int], Contents]]] = {
    "message": _read_message,
    "reasoning": _read_reasoning,
    "tool_call": _read_call,
    "tool_result": _read_result,
}


def read_segments(values: list[Any], at: Pointer, *, placeholder: str) -> Contents:
    """Read what a person typed in segments: one text, in which references stand as they were typed.

    `placeholder` stands for a segment that yoi could not read; an unknown one is that to it too.
    """
    parts: list[Part] = []
    known = True
    for number, segment in enumerate(map(fields.mapping, values)):
        found = _segment(segment, (*at, number))
        if found is None:
            known = known and tag_of(segment) == "unknown"
            found = _sign(placeholder, (*at, number))
        parts += found
    joint = "" if len(parts) > 1 else "\n"
    return Contents((Piece(0, Kind.USER, tuple(parts), joint=joint),) if parts else (), known)


def _segment(segment: Mapping[str, Any], at: Pointer) -> tuple[Part, ...] | None:
    """Return the parts of one segment, `None` for one that cannot be read."""
    tag = tag_of(segment)
    if tag in ("paste", "text"):
        return text_parts(segment.get("content"), (*at, "content"))
    if tag not in _SIGILS:
        return None
    before, key, behind = _SIGILS[tag]
    named = text_parts(segment.get(key), (*at, key))
    return (*_sign(before, at), *named, *_sign(behind, at)) if named else ()


def _sign(characters: str, at: Pointer) -> tuple[Part, ...]:
    return (SignPart(at, characters),) if characters else ()


_SIGILS: Final[Mapping[str, tuple[str, str, str]]] = {
    "file_ref": ("@", "path", ""),
    "flow": ("[Flow: ", "selector", "]"),
    "knowledge_ref": ("#", "slug", ""),
    "workflow_invoke": ("/", "slug", ""),
}
"""What a person typed around a reference, and the key that holds it."""
