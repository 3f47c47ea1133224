"""Ranges too long to be held, looked through window by window: whether something stands in them for sure, or at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from unspool.search.ranges import holding

if TYPE_CHECKING:
    from unspool.search.needle import Find
    from unspool.search.written import Written

    Read = Callable[[int, int], bytes]
    """Returns the bytes of a source, by offset and length."""

WINDOW: Final = 1 << 20
"""Bytes in which a match may begin; those that it goes on in are read along."""

LEAD: Final = 64
"""Bytes read along before them: what stands there tells whether a match begins inside an escape."""

_RUN: Final = b"\\" * (LEAD // 2)
"""So many backslashes may begin before what is read: nobody can say which of them are escaped."""


def proves(read: Read, begin: int, size: int, written: Written) -> bool:
    """Say whether a match stands in a range of bytes inside a JSON string, from its first byte on."""

    def stands(raw: bytes, at: int) -> bool:
        return written.stands(raw, at) and _RUN not in raw[max(0, at - LEAD) : at]

    for first, raw in _windows(read, begin, size, written.needle.overlap):
        if holding(raw, 0, [first], [len(raw)], written.find, stands):
            return True
    return False


def mentions(read: Read, begin: int, size: int, finds: Iterable[Find], overlap: int) -> bool:
    """Say whether something stands in a range of bytes that one of some searches finds, `overlap` bytes at the most."""
    return any(find(raw, 0) >= 0 for _, raw in _windows(read, begin, size, overlap) for find in finds)


def _windows(read: Read, begin: int, size: int, overlap: int) -> Iterator[tuple[int, bytes]]:
    """Yield windows of a range, each with the place in it from which on it shares nothing with those before."""
    for start in range(0, size, WINDOW):
        lead = min(start, LEAD)
        end = min(size, start + WINDOW + overlap)
        yield lead, read(begin + start - lead, end - start + lead)
