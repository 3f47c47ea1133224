"""JSON documents inside strings that are too long to be decoded: read by windows through the string that holds them.

Codex writes a call's arguments that way. Their structure is decoded like that of a long record; the long strings in it
are windows into the text of the outer string, each read from a border close before it: so all of them together cost one
walk through the document and not one each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from unspool.columns.piece_text import PieceText, RawString, Read
from unspool.dataclass import replace
from unspool.formats.piece import JsonPart, Part, TextPart
from unspool.sources.json_value import BadJson, Clipped
from unspool.sources.structure import skeleton

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded

STEP: Final = 1 << 16
"""Raw bytes of the outer string between two borders: about as long as the shortest string that is read through it."""


class Nested(Clipped):
    """The head of a long string of a document that is itself a long string.

    `outer` is the raw span of that string from a border on, `span` is relative to the text behind that border.
    """

    outer: tuple[int, int]


def raw_string(read: Read, clipped: Clipped, *, quoted: bool = False) -> RawString:
    """Return the whole of a clipped string, read on from its record."""
    if isinstance(clipped, Nested):
        return RawString(_through(_outer(read, clipped.outer)), clipped.span, quoted)
    return RawString(read, clipped.span, quoted)


def unfolded(decoded: Decoded, read: Read) -> Decoded:
    """Return a decoded record with the structure of its long documents, where it has any."""
    if not any(_is_folded(part) for piece in decoded.pieces for part in piece.parts):
        return decoded
    pieces = [piece._replace(parts=tuple(_unfolded(part, read) for part in piece.parts)) for piece in decoded.pieces]
    return decoded._replace(pieces=tuple(pieces))


def _is_folded(part: Part) -> bool:
    return isinstance(part, JsonPart) and part.encoded and isinstance(part.value, Clipped)


def _unfolded(part: Part, read: Read) -> Part:
    if not _is_folded(part):
        return part
    folded = cast("JsonPart", part)
    span = folded.value.span
    outer = _outer(read, span)
    try:
        value = skeleton(_through(outer), outer.size, exact=True)
    except BadJson:
        return TextPart(folded.pointer, folded.value)
    return replace(folded, value=_nested(value, outer, span))


def _outer(read: Read, span: tuple[int, int]) -> PieceText:
    return PieceText([RawString(read, span, block=STEP)])


def _through(text: PieceText) -> Read:
    return lambda offset, length: text.read(offset, offset + length)


def _nested(value: Any, outer: PieceText, span: tuple[int, int]) -> Any:
    """Give each clipped string of a fresh document a border of the string that holds the document."""
    holder: list[Any] = [value]
    waiting: list[tuple[Any, Any]] = [(holder, 0)]
    while waiting:
        container, key = waiting.pop()
        item = container[key]
        if isinstance(item, Clipped):
            position, start = outer.checkpoint(item.span[0])
            nested = cast("Nested", Nested.of(item, (item.span[0] - start, item.span[1] - start)))
            nested.outer = (position or span[0], span[1])
            container[key] = nested
        elif isinstance(item, dict):
            waiting += [(item, inner) for inner in item]
        elif isinstance(item, list):
            waiting += [(item, inner) for inner in range(len(item))]
    return holder[0]
