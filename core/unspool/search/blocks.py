"""Rows cut into runs whose records are read together."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from unspool.columns.table import Columns

BLOCK: Final = 1 << 20
"""Raw bytes read at a time; a longer record is a block of its own."""

GAP: Final = 64 << 10
"""Raw bytes between two records that are passed over: to read anew costs no more than to read so many along."""

SPARSE: Final = 4 * BLOCK // GAP
"""Rows in a block from which on gaps are not worth looking for."""


def blocks_of(columns: Columns, rows: Sequence[int]) -> Iterator[Sequence[int]]:
    """Cut ascending rows into runs whose records together span about one block, without long gaps."""
    start = 0
    while start < len(rows):
        begin = columns.span(rows[start])[0]
        limit = bisect_right(columns.ends, begin + BLOCK)
        entry = columns.entry[rows[start]]
        end = bisect_left(rows, limit, start, len(rows), key=columns.entry.__getitem__)
        end = max(end, bisect_right(rows, entry, start, len(rows), key=columns.entry.__getitem__))
        run = rows[start:end]
        yield from _without_gaps(columns, run) if len(run) < SPARSE else (run,)
        start = end


def _without_gaps(columns: Columns, rows: Sequence[int]) -> Iterator[Sequence[int]]:
    begin, behind = 0, sum(columns.span(rows[0]))
    for place, row in enumerate(rows):
        offset, length = columns.span(row)
        if offset > behind + GAP:
            yield rows[begin:place]
            begin = place
        behind = offset + length
    yield rows[begin:]
