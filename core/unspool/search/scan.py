"""Which rows of a source match, block after block: what raw bytes do not prove is decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from unspool.columns.records import Records
from unspool.dataclass import dataclass
from unspool.search.blocks import blocks_of
from unspool.search.match import match_row
from unspool.search.needle import Needle
from unspool.search.sieve import Sieve

Stop = Callable[[], bool]
"""Says whether to stop."""


@dataclass(slots=True)
class Progress:
    """How far a scan came: pieces looked at, and the source byte behind the last of them."""

    pieces: int = 0
    bytes: int = 0


def matching_rows(
    records: Records, rows: Sequence[int], needle: Needle, *, stop: Stop = lambda: False, counted: bool = True
) -> Iterator[tuple[int, int]]:
    """Yield (row, number of matches) for those of `rows` (ascending) that match; see `matching_blocks`."""
    for found in matching_blocks(Sieve.of(records, needle, counted=counted), rows, stop=stop):
        yield from found.items()


def matching_blocks(
    sieve: Sieve, rows: Sequence[int], *, stop: Stop, progress: Progress | None = None
) -> Iterator[dict[int, int]]:
    """Yield the matching rows of one block after the other, with the number of matches of each.

    `stop` is asked between blocks, so that whoever goes on where a search stopped moves on.
    """
    progress, records = progress or Progress(), sieve.records
    for block in blocks_of(records.columns, rows):
        if progress.pieces and stop():
            return
        found, left = sieve.sifted(block)
        for row in left:
            match = match_row(records, row, sieve.needle, counted=sieve.counted)
            if match is not None:
                found[row] = match.count
        progress.pieces += len(block)
        progress.bytes = sum(records.columns.span(block[-1]))
        ordered = sorted(found)
        yield found if ordered == [*found] else {row: found[row] for row in ordered}
