"""Which rows of a source match, block after block: what raw bytes do not prove is decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from unspool.columns.records import Records
from unspool.dataclass import dataclass
from unspool.search.blocks import blocks_of
from unspool.search.match import match_row
from unspool.search.needle import Needle
from unspool.search.sieve import Sieve


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
) -> Iterator[tuple[int, int]]:
    """Yield (row, number of matches) for those of `rows` (ascending) that match; without `counted` the number is 1.

    `stop` is asked between blocks, so that whoever goes on where a search stopped moves on.
    """
    progress = progress or Progress()
    sieve = Sieve.of(records, needle, counted=counted)
    for block in blocks_of(records.columns, rows):
        if progress.pieces and stop():
            return
        proven, left = sieve.sifted(block)
        for row in sorted((*proven, *left)):
            matches = proven.get(row)
            if matches is None:
                found = match_row(records, row, needle, counted=counted)
                matches = found.count if found is not None else 0
            if matches:
                yield row, matches if counted else 1
        progress.pieces += len(block)
        progress.bytes = sum(records.columns.span(block[-1]))
