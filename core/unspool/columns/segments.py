"""The text of a piece in segments: what is held of it, and its clipped strings, which are read on from the source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unspool.columns.piece_text import Literal, PieceText, RawBytes, Read, Segment
from unspool.formats.piece import JsonPart, Part, Piece, TextPart
from unspool.sources.json_value import Clipped, Number, compact, leaves
from unspool.text import utf8

if TYPE_CHECKING:
    from unspool.columns.stored_blob import StoredBlob
    from unspool.stores.artifacts import SideFile


def text_of(piece: Piece, read: Read) -> PieceText:
    """Return the text of a piece: its parts with its joint between them, clipped strings read on from the source."""
    segments: list[Segment] = []
    for index, part in enumerate(piece.parts):
        if index:
            segments.append(Literal(utf8(piece.joint)))
        segments += _segments(part, read)
    return PieceText(segments)


def saved_text(file: SideFile | StoredBlob, piece: Piece, read: Read) -> PieceText:
    """Return the full text of a piece: what was saved, and behind it the parts that are no part of its stub."""
    segments: list[Segment] = [RawBytes(file.read, file.size)]
    for part in piece.parts[1:]:
        segments += [Literal(utf8(piece.joint)), *_segments(part, read)]
    return PieceText(segments)


def part_text(part: Part, read: Read) -> PieceText:
    """Return the text of one part."""
    return PieceText(_segments(part, read))


def _segments(part: Part, read: Read) -> list[Segment]:
    if isinstance(part, JsonPart):
        return _json_segments(part.value, read)
    if isinstance(part, TextPart) and isinstance(part.value, Clipped):
        return [_raw_string(read, part.value)]
    return [Literal(utf8(part.text()))]


def _raw_string(read: Read, clipped: Clipped, *, quoted: bool = False) -> Segment:
    from unspool.columns.nested import raw_string

    return raw_string(read, clipped, quoted=quoted)


def _json_segments(value: Any, read: Read) -> list[Segment]:
    """Write a value as compact JSON, its clipped strings read on from the source."""
    if not any(isinstance(leaf, Clipped) for leaf in leaves(value)):
        return [Literal(utf8(compact(value)))]
    marked, clipped = _marked(value)
    segments: list[Segment] = []
    for index, literal in enumerate(compact(marked).split("\0")):
        if index:
            segments.append(_raw_string(read, clipped[index - 1], quoted=True))
        segments.append(Literal(utf8(literal)))
    return segments


def _marked(value: Any) -> tuple[Any, list[Clipped]]:
    """Copy a value with each clipped string as a bare NUL in quotes, which compact JSON never holds; list them."""
    clipped: list[Clipped] = []
    holder: list[Any] = [value]
    waiting: list[tuple[Any, Any]] = [(holder, 0)]
    while waiting:
        container, key = waiting.pop()
        item = container[key]
        if isinstance(item, Clipped):
            clipped.append(item)
            container[key] = Number('"\0"')
        elif isinstance(item, dict):
            container[key] = item.copy()
            waiting += [(container[key], inner) for inner in reversed(item)]
        elif isinstance(item, list):
            container[key] = item.copy()
            waiting += [(container[key], inner) for inner in reversed(range(len(item)))]
    return holder[0], clipped
