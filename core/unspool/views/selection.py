"""Rows that were selected, numbered where they are looked at: a list of a million shows forty of them."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, compress, islice
from typing import Final, overload

from unspool.views.masks import counted, numbered

STRIDE: Final = 512
"""Rows between two places at which it is known how many were selected before."""


class Selection(Sequence[int]):
    """Rows in ascending order, held as a byte for each row from `start` on: 1 for those that were selected."""

    def __init__(self, marked: bytes | bytearray, start: int = 0) -> None:
        self._marked, self._start = marked, start

    @cached_property
    def _before(self) -> list[int]:
        """How many rows were selected before each stride, and in all."""
        strides = (self._marked[at : at + STRIDE] for at in range(0, len(self._marked), STRIDE))
        return [0, *accumulate(map(counted, strides))]

    def __len__(self) -> int:
        return self._before[-1]

    def __bool__(self) -> bool:
        return 1 in self._marked

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> array[int]: ...
    def __getitem__(self, at: int | slice) -> int | array[int]:
        if isinstance(at, slice):
            return self._stretch(range(len(self))[at])
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        return self._start + self._place(at % len(self))

    def __iter__(self) -> Iterator[int]:
        return compress(range(self._start, self._start + len(self._marked)), self._marked)

    def __contains__(self, row: object) -> bool:
        place = row - self._start if isinstance(row, int) else -1
        return 0 <= place < len(self._marked) and bool(self._marked[place])

    def before(self, row: int) -> int:
        """Count the selected rows before a row: where it stands among them, if it is one."""
        place = max(0, min(len(self._marked), row - self._start))
        known = place // STRIDE
        return self._before[known] + self._marked.count(1, known * STRIDE, place)

    def has(self, start: int, stop: int) -> bool:
        """Say whether one of the rows from `start` up to `stop` was selected."""
        first = max(0, start - self._start)
        return self._marked.find(1, first, max(first, stop - self._start)) >= 0

    def without(self, rows: Iterable[int]) -> Selection:
        """Return the selection without some of its rows."""
        marked = bytearray(self._marked)
        for row in rows:
            marked[row - self._start] = 0
        return Selection(marked, self._start)

    def _stretch(self, wanted: range) -> array[int]:
        if not wanted:
            return array("I")
        low, high = self._place(min(wanted[0], wanted[-1])), self._place(max(wanted[0], wanted[-1]))
        return numbered(self._marked[low : high + 1], self._start + low)[:: wanted.step]

    def _place(self, at: int) -> int:
        """Return the place of the selected row number `at`."""
        known = bisect_right(self._before, at) - 1
        first, skipped = known * STRIDE, at - self._before[known]
        near = self._marked[first : first + STRIDE]
        if self._before[known + 1] - self._before[known] == len(near):
            return first + skipped
        return next(islice(compress(range(first, first + STRIDE), near), skipped, None))
