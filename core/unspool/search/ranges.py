"""Which of some ranges of bytes hold a match: two ascending streams, merged in one walk."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unspool.search.needle import Find

    Stands = Callable[[bytes, int], bool]
    """Says whether a match at an offset is one."""

_BACKSLASH: Final = ord("\\")
_ESCAPE: Final = 5
"""Bytes before a place that a backslash reaches to."""


def holding(
    raw: bytes, begin: int, starts: Sequence[int], stops: Sequence[int], find: Find, stands: Stands | None = None
) -> list[int]:
    """Return the number of each range in which a match begins that `stands`; ranges ascend and do not overlap.

    Ranges count from where `raw` stands in its source, `begin` bytes before it. Only matches close behind a backslash
    are asked whether they stand. Behind the first match of a range the search goes on with the next range, behind one
    in a gap with the first range that ends behind it: so a range costs two searches at most, but for matches that do
    not stand.
    """
    found: list[int] = []
    number, at, count = 0, begin, len(starts)
    while number < count:
        start = starts[number]
        place = find(raw, (at if at > start else start) - begin)
        if place < 0:
            break
        at = place + begin
        if at >= stops[number]:
            number = bisect_right(stops, at, number + 1)
        elif (
            stands is None
            or (place >= _ESCAPE and _BACKSLASH not in raw[place - _ESCAPE : place])
            or stands(raw, place)
        ):
            found.append(number)
            number += 1
        else:
            at += 1
    return found
