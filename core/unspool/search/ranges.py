"""Which of some ranges of bytes hold a match: two ascending streams, merged in one walk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from unspool.search.needle import Find

Stands = Callable[[bytes, int], bool]
"""Says whether a match at an offset is one."""


def holding(
    raw: bytes, begin: int, starts: Sequence[int], stops: Sequence[int], find: Find, stands: Stands | None = None
) -> list[int]:
    """Return the number of each range in which a match begins that `stands`; ranges ascend and do not overlap.

    Ranges count from where `raw` stands in its source, `begin` bytes before it. Behind the first match of a range the
    search goes on with the next range, behind one in a gap with the first range that ends behind it: so a range costs
    two searches at most, but for matches that do not stand.
    """
    found: list[int] = []
    number, at = 0, begin
    while number < len(starts):
        start = starts[number]
        at = find(raw, (at if at > start else start) - begin) + begin
        if at < begin:
            break
        if at >= stops[number]:
            number = bisect_right(stops, at, number + 1)
        elif stands is None or stands(raw, at - begin):
            found.append(number)
            number += 1
        else:
            at += 1
    return found
