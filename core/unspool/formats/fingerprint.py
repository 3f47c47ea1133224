"""What is the same for two writings of one piece: an id names it, but only equal content says that it is written again.

Agents use an id twice now and then, for one thing that grew, or for another: that is no copy.
"""

from __future__ import annotations

from unspool.formats.key import key_of, text_key
from unspool.formats.piece import JsonPart, Part, Piece, TextPart
from unspool.sources.json_value import Clipped, clipped_in

_newest: tuple[Piece | None, int] = None, 0
"""The piece that was asked about last, and its key: who numbers it and who looks for copies of it ask in turn."""


def fingerprint(piece: Piece) -> int:
    """Return a number that tells what a piece is and says from anything else.

    Its own id, its place and its flags are left out.
    """
    if piece.tool_part is None:
        return hash((int(piece.kind), said_in(piece)))
    return hash((int(piece.tool_part), text_key(piece.tool or ""), text_key(piece.call_id or ""), said_in(piece)))


def said_in(piece: Piece) -> int:
    """Return the key of a piece's text; where only the heads of it are at hand, a number for all that is known."""
    known, key = _newest
    if known is piece:
        return key
    clipped = [text for part in piece.parts for text in _clipped(part)]
    if not clipped:
        return key_of_text(piece, piece.text())
    return key_of(piece.text(), *((text, text.digest or text.span[1] - text.span[0]) for text in clipped))


def key_of_text(piece: Piece, text: str) -> int:
    """Return the key of a piece from its text, which is at hand and whole."""
    global _newest
    key = text_key(text)
    _newest = piece, key
    return key


def _clipped(part: Part) -> list[Clipped]:
    if isinstance(part, TextPart):
        return [part.value] if isinstance(part.value, Clipped) else []
    return clipped_in(part.value) if isinstance(part, JsonPart) else []
