"""What is the same for two writings of one piece: an id names it, but only equal content says that it is written again.

Agents use an id twice now and then, for one thing that grew, or for another: that is no copy.
"""

from __future__ import annotations

from unspool.formats.key import Said, key_of
from unspool.formats.piece import JsonPart, Part, Piece, TextPart
from unspool.sources.json_value import Clipped, clipped_in, compact


def fingerprint(piece: Piece) -> int:
    """Return a number that tells what a piece is and says from anything else.

    Its own id, its place and its flags are left out.
    """
    code = piece.kind << 2 | (0 if piece.tool_part is None else piece.tool_part + 1)
    return key_of(code, piece.tool, piece.call_id, *[_said(part) for part in piece.parts])


def _said(part: Part) -> Said:
    if type(part) is TextPart and type(part.value) is str:
        return part.value
    if not isinstance(part, JsonPart):
        return _text(part.text())
    if isinstance(part.value, str):
        return _text(part.value)
    return compact(part.value), *map(_text, clipped_in(part.value))


def _text(value: str) -> Said:
    """Return a text, or what is known of one that is not at hand."""
    return (value, value.digest or value.span[1] - value.span[0]) if isinstance(value, Clipped) else value
