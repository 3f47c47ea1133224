"""Where a match inside a leaf of a structured value stands in the piece's text, which shows it as compact JSON."""

from __future__ import annotations

import re
from json.encoder import encode_basestring

from unspool.columns.nested import raw_string
from unspool.columns.piece_text import PieceText, Read
from unspool.columns.segments import part_text
from unspool.formats.piece import JsonPart, Piece
from unspool.pattern import pattern
from unspool.sources.json_value import Clipped, leaves
from unspool.text import size, utf8

Place = tuple[int, int]
"""A part of a piece, and a leaf of the part, both by number."""

_TOKEN = pattern(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[^\s{}\[\],:"]++', re.DOTALL)


def place_in_text(piece: Piece, place: Place, found: tuple[int, int], read: Read) -> tuple[int, int]:
    """Turn a half-open range of bytes of a leaf into bytes of the piece's text."""
    number, index = place
    before = sum(part_text(part, read).size + 1 for part in piece.parts[:number])
    part = piece.parts[number]
    if not isinstance(part, JsonPart):
        return before + found[0], before + found[1]
    start, leaf, is_string = _leaf_at(part, index, read)
    begin, end = (_quoted(leaf, offset, read) if is_string else offset for offset in found)
    return before + start + begin, before + start + end


def _leaf_at(part: JsonPart, wanted: int, read: Read) -> tuple[int, str, bool]:
    """Return the byte at which a leaf begins in the part's text, the leaf, and whether it stands there in quotes."""
    text, offset, behind = part.text(), 0, 0
    for index, (token, leaf) in enumerate(zip(_TOKEN.finditer(text), leaves(part.value), strict=True)):
        offset += size(text[behind : token.start()])
        if index == wanted:
            return offset, leaf, token[0].startswith('"')
        if isinstance(leaf, Clipped):
            offset += 2 + PieceText([raw_string(read, leaf, quoted=True)]).size
        else:
            offset += size(token[0])
        behind = token.end()
    raise LookupError(f"the value has no leaf {wanted}")


def _quoted(leaf: str, offset: int, read: Read) -> int:
    """Return how many bytes the first `offset` bytes of a leaf take in JSON, its opening quote included."""
    if not isinstance(leaf, Clipped):
        return _quoted_size(utf8(leaf)[:offset]) + 1
    taken, quoted = 0, 1
    for _, block in raw_string(read, leaf).blocks(0):
        quoted += _quoted_size(block[: offset - taken])
        taken += len(block)
        if taken >= offset:
            break
    return quoted


def _quoted_size(data: bytes) -> int:
    return size(encode_basestring(data.decode(errors="replace"))) - 2
