"""Which rows of a source match: raw bytes say where to look, decoding says what is true.

The needle's verbatim fragment is looked for in the raw bytes, a block of whole records at a time. Only records in
which it stands are decoded, and those for which raw bytes prove nothing: records that write characters as escapes,
records with images, texts in side files or composed of parts, records too long to be held. Without a fragment every
record is decoded.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import stringzilla

from unspool.dataclass import dataclass
from unspool.formats.piece import ToolPart
from unspool.search.match import Match, match_row
from unspool.sources.lines import LINE_LIMIT
from unspool.text import utf8

if TYPE_CHECKING:
    from unspool.columns.records import Records
    from unspool.search.needle import Needle

BLOCK: Final = 1 << 20
"""Raw bytes scanned at a time; a longer record is a block of its own."""


@dataclass(slots=True)
class Progress:
    """How far a scan came: pieces looked at, and the source byte behind the last of them."""

    pieces: int = 0
    bytes: int = 0


def matching_rows(
    records: Records,
    rows: Sequence[int],
    needle: Needle,
    *,
    stop: Callable[[], bool] = lambda: False,
    progress: Progress | None = None,
    counted: bool = True,
) -> Iterator[tuple[int, Match]]:
    """Yield (row, match) for those of `rows` (ascending) that match.

    `stop` is asked between blocks, so that whoever goes on where a search stopped moves on.
    """
    progress = progress or Progress()
    named = _named_tools(records, needle)
    for block in _blocks(records, rows):
        if progress.pieces and stop():
            return
        for row in _candidates(records, block, needle, named):
            found = match_row(records, row, needle, counted=counted)
            if found is not None:
                yield row, found
        progress.pieces += len(block)
        offset, length = records.columns.span(block[-1])
        progress.bytes = offset + length


def _named_tools(records: Records, needle: Needle) -> frozenset[int]:
    """Return the numbers of the tools whose name matches: a format may give names that the record does not hold."""
    return frozenset(
        number for number, name in enumerate(records.columns.tools) if name and needle.find(utf8(name)) >= 0
    )


def _blocks(records: Records, rows: Sequence[int]) -> Iterator[Sequence[int]]:
    """Cut the rows into runs whose records together span about one block."""
    columns, start = records.columns, 0
    while start < len(rows):
        begin = columns.span(rows[start])[0]
        limit = bisect_right(columns.offsets, begin + BLOCK)
        entry = columns.entry[rows[start]]
        end = bisect_left(rows, limit, start, len(rows), key=lambda row: columns.entry[row])
        end = max(end, bisect_right(rows, entry, start, len(rows), key=lambda row: columns.entry[row]))
        yield rows[start:end]
        start = end


def _candidates(records: Records, block: Sequence[int], needle: Needle, named: frozenset[int]) -> Sequence[int]:
    """Return the rows of a block that have to be decoded; the raw bytes are let go before that begins."""
    if not needle.fragment:
        return block
    columns = records.columns
    begin = columns.span(block[0])[0]
    offset, length = columns.span(block[-1])
    if offset + length - begin > LINE_LIMIT:
        return block
    raw = records.source.read(begin, offset + length - begin)
    touched = _touched(raw, begin, columns.offsets, needle)
    return [
        row
        for row in block
        if columns.entry[row] in touched
        or columns.entry[row] in columns.spans
        or columns.images[row]
        or row in records.stored
        or row in columns.composed
        or (columns.tool[row] in named and columns.tool_part(row) == ToolPart.INPUT)
    ]


def _touched(raw: bytes, begin: int, offsets: Sequence[int], needle: Needle) -> set[int]:
    """Return the entries in which the fragment stands, or escapes that may hide it."""
    entries: set[int] = set()
    for find in (needle.find_fragment, _find_solidus, _find_unicode_escape):
        position = find(raw, 0)
        while position >= 0:
            entry = bisect_right(offsets, begin + position) - 1
            entries.add(entry)
            following = offsets[entry + 1] - begin if entry + 1 < len(offsets) else len(raw)
            position = find(raw, following) if following < len(raw) else -1
    return entries


def _find_solidus(raw: bytes, start: int) -> int:
    return int(stringzilla.find(raw, b"\\/", start))


def _find_unicode_escape(raw: bytes, start: int) -> int:
    r"""Return the next `\uXXXX` that may stand for a character of a fragment: control characters never do."""
    position = int(stringzilla.find(raw, b"\\u", start))
    while position >= 0 and raw[position + 2 : position + 5] in (b"000", b"001"):
        position = int(stringzilla.find(raw, b"\\u", position + 5)) if position + 5 < len(raw) else -1
    return position
