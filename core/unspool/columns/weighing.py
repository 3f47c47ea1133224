"""Digests and sizes of long strings of which only the head is held: what tells two that differ at the end apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool.blake2b import blake2b
from unspool.columns.nested import raw_string
from unspool.formats.piece import JsonPart, TextPart
from unspool.sources.json_value import Clipped, leaves
from unspool.text import unspaced

if TYPE_CHECKING:
    from unspool.columns.piece_text import Read
    from unspool.formats.decoded import Decoded


def weigh(decoded: Decoded, read: Read) -> None:
    """Give each clipped text of a record its digest and sizes, read by windows; `read` is relative to the record."""
    for piece in decoded.pieces:
        for part in piece.parts:
            if isinstance(part, (TextPart, JsonPart)):
                for leaf in leaves(part.value) if isinstance(part, JsonPart) else [part.value]:
                    if isinstance(leaf, Clipped):
                        _weigh(leaf, read)


def _weigh(text: Clipped, read: Read) -> None:
    exact, words = blake2b(digest_size=16), blake2b(digest_size=16)
    size = lines = 0
    last = b""
    for _, block in raw_string(read, text).blocks(0):
        exact.update(block)
        words.update(unspaced(block.decode()))
        size, lines, last = size + len(block), lines + block.count(b"\n"), block[-1:] or last
    text.digest, text.words = exact.digest(), words.digest()
    text.sizes = size, lines + (last not in (b"", b"\n"))
