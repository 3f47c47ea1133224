"""Whether and where one piece matches: the law of the search, by decoding.

A piece made of texts is searched as one text, its parts joined by LF. A structured value is searched by its leaves, so
that a query never spans JSON punctuation. The name of a tool belongs to the call's input.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from unspool.columns.nested import raw_string
from unspool.columns.piece_text import PieceText, Read, border_after
from unspool.columns.records import Records
from unspool.columns.segments import text_of
from unspool.dataclass import dataclass
from unspool.errors import SourceChanged
from unspool.formats.piece import JsonPart, Piece, ToolPart
from unspool.search.placing import Place, place_in_text
from unspool.sources.json_value import Clipped, leaves
from unspool.text import utf8

if TYPE_CHECKING:
    from unspool.search.needle import Needle


@dataclass(frozen=True, slots=True)
class Match:
    """How often a piece matches, and where first: half-open bytes of the piece's text.

    `start` is `None` when only the tool's name matches.
    """

    count: int
    start: int | None
    stop: int | None


class Blocks(Protocol):
    """A text of any size, in UTF-8."""

    def blocks(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield (offset, block) from the block that holds byte `start` to the end."""
        ...


def match_row(records: Records, row: int, needle: Needle, *, counted: bool = True) -> Match | None:
    """Match one row; with `counted=False` the count stops at 1.

    Of an output whose side file is gone meanwhile, what the log holds is matched.
    """
    located = records.stored.get(row)
    if located is not None and located.file is not None:
        try:
            return match_text(records.text(row), needle, counted=counted)
        except SourceChanged:
            pass
    piece = records.piece(row)
    found = _match_piece(piece, records, row, needle, counted)
    named = piece.tool_part == ToolPart.INPUT and piece.tool is not None and needle.count(utf8(piece.tool))
    if not named:
        return found
    return Match(found.count + named, found.start, found.stop) if found else Match(int(named), None, None)


def match_text(text: PieceText, needle: Needle, *, start: int = 0, counted: bool = True) -> Match | None:
    """Match a text of any size from byte `start` on, window by window."""
    count, first = 0, None
    for begin, end in text_matches(text, needle, start):
        count += 1
        first = first or (begin, end)
        if not counted:
            break
    return Match(count, *first) if first else None


def _match_bytes(data: bytes, needle: Needle) -> Match | None:
    first = next(needle.matches(data), None) if needle.find(data) >= 0 else None
    return Match(needle.count(data), *first) if first is not None else None


def text_matches(text: Blocks, needle: Needle, start: int) -> Iterator[tuple[int, int]]:
    """Yield the matches of a text of any size as bytes, the same whatever the size of its blocks.

    A match that begins in the last stretch of a window, as long as any match can be, is left to the next window.
    """
    window, offset = b"", start
    blocks = text.blocks(start)
    pending = next(blocks, None)
    while pending is not None:
        following = next(blocks, None)
        window += pending[1][max(0, start - pending[0]) :]
        settled = len(window) if following is None else max(0, len(window) - needle.overlap)
        taken = 0
        for begin, end in needle.matches(window):
            if begin >= settled:
                break
            yield offset + begin, offset + end
            taken = end
        keep = border_after(window, max(settled, taken))
        window, offset, pending = window[keep:], offset + keep, following


def _match_piece(piece: Piece, records: Records, row: int, needle: Needle, counted: bool) -> Match | None:
    read = records.reader(row)
    if not any(isinstance(part, JsonPart) for part in piece.parts):
        if records.columns.span(row)[1] <= records.source.limit:
            return _match_bytes(utf8(piece.text()), needle)
        return match_text(text_of(piece, read), needle, counted=counted)
    count, first = 0, None
    for place, leaf in _leaves(piece):
        found = _match_leaf(leaf, read, needle, counted)
        if found is None:
            continue
        count += found.count
        first = first or (place, found)
        if not counted:
            break
    if first is None or first[1].start is None or first[1].stop is None:
        return None
    return Match(count, *place_in_text(piece, first[0], (first[1].start, first[1].stop), read))


def _match_leaf(leaf: str, read: Read, needle: Needle, counted: bool) -> Match | None:
    if isinstance(leaf, Clipped):
        return match_text(PieceText([raw_string(read, leaf)]), needle, counted=counted)
    return _match_bytes(utf8(leaf), needle)


def _leaves(piece: Piece) -> Iterator[tuple[Place, str]]:
    """Yield what is searched of a piece with structured parts, each with its place: (part, leaf of it)."""
    for number, part in enumerate(piece.parts):
        found = leaves(part.value) if isinstance(part, JsonPart) else [part.text()]
        for index, leaf in enumerate(found):
            yield (number, index), leaf
