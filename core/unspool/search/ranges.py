"""Which of some ranges of bytes hold a match: two ascending streams, merged in one walk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

Find = Callable[[bytes, int], int]
"""Returns the offset of the first match from an offset on, -1 for none."""


def holding(
    raw: bytes,
    starts: Sequence[int],
    stops: Sequence[int],
    find: Find,
    stands: Callable[[bytes, int], bool] = lambda raw, at: True,
) -> Iterator[int]:
    """Yield the number of each range in which a match begins that `stands`; ranges ascend and do not overlap.

    Behind the first match of a range the search goes on with the next range, and behind one in a gap with the first
    range that ends behind it: a range costs two searches at most, but for matches that do not stand.
    """
    number, at = 0, -1
    while number < len(starts):
        at = find(raw, max(at, starts[number]))
        if at < 0:
            return
        if at >= stops[number]:
            number = bisect_right(stops, at, number + 1)
        elif stands(raw, at):
            yield number
            number += 1
        else:
            at += 1
