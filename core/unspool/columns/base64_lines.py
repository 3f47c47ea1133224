"""One line about each image and other base64, in place of the data, in values of any size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from unspool.dataclass import replace
from unspool.formats.base64 import base64_size, described
from unspool.formats.piece import ImagePart, JsonPart, Part
from unspool.sources.json_value import Clipped

if TYPE_CHECKING:
    from unspool.columns.piece_text import Read
    from unspool.formats.decoded import Decoded
    from unspool.formats.piece import Piece


def without_base64(decoded: Decoded, read: Read) -> Decoded:
    """Return a decoded record that says of base64 only what it is; `read` is relative to the record."""
    pieces = tuple([_without(piece, read) for piece in decoded.pieces])
    return decoded if pieces == decoded.pieces else decoded._replace(pieces=pieces)


def _without(piece: Piece, read: Read) -> Piece:
    parts = tuple([_said(part, read) for part in piece.parts])
    return piece if parts == piece.parts else piece._replace(parts=parts)


def _said(part: Part, read: Read) -> Part:
    if isinstance(part, JsonPart):
        value, images = described(part.value, lambda text: _chunks(text, read))
        return replace(part, value=value, images=images) if images else part
    if isinstance(part, ImagePart) and part.clipped is not None:
        return replace(part, size=base64_size(_chunks(part.clipped, read)), clipped=None)
    return part


def _chunks(text: str, read: Read) -> Iterator[str]:
    """Yield a string, a clipped one to its end."""
    if isinstance(text, Clipped):
        from unspool.columns.nested import raw_string

        yield from (block.decode() for _, block in raw_string(read, text).blocks(0))
    else:
        yield text
