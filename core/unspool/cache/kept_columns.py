"""Columns as they are kept: a screen asks for few of their rows, and of these alone the items are made."""

from __future__ import annotations

import sys
from _thread import allocate_lock
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, Final, overload

from unspool.cache.planes import SAME, STORED, join
from unspool.columns.table import Columns

FEW: Final = 1_000
"""Items that are made one by one; who asks for more asks for most, and all are made at once."""

WIDE: Final = 4
"""Bytes of an item from which on it is worth not to make all of them: of narrower columns that takes no time."""

_MAKING: Final = allocate_lock()
"""Held by who puts all items in the place of the planes: one array is written to later, whoever else made one."""


def column(typecode: str, length: int, kinds: Sequence[int], stored: memoryview) -> Sequence[int]:
    """Return a column whose stored planes are these bytes, kept where that is worth it; raises `ValueError`."""
    if length <= FEW or len(kinds) < WIDE:
        return join(typecode, length, kinds, stored)
    return KeptColumn(typecode, length, kinds, stored)


class KeptColumn(Sequence[int]):
    """A column of `length` items whose planes are of these kinds; raises `ValueError` for kinds of no such column.

    Any thread may ask it while another one makes all of it.
    """

    __slots__ = ("_asked", "_kinds", "_length", "_made", "_places", "_stored", "_typecode")

    def __init__(self, typecode: str, length: int, kinds: Sequence[int], stored: memoryview) -> None:
        join(typecode, 0, kinds, stored)  # refuses them
        self._typecode, self._length, self._kinds, self._stored = typecode, length, kinds, stored
        self._places = _places(length, kinds)
        self._made: array[int] | None = None
        self._asked = 0

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> array[int]: ...
    def __getitem__(self, at: int | slice) -> int | array[int]:
        self._asked += 1
        stored = self._stored  # before all else: it goes once all items were made
        if self._made is not None or self._asked > FEW:
            return self.whole()[at]
        if isinstance(at, slice):
            return self._join(stored, *at.indices(self._length))
        if not -self._length <= at < self._length:
            raise IndexError(at)
        at %= self._length
        item = [value if place is None else stored[place + at] for place, value in self._places]
        return int.from_bytes(item, sys.byteorder, signed=self._typecode.islower())

    @property
    def is_whole(self) -> bool:
        """Whether all items were made."""
        return self._made is not None

    def whole(self) -> array[int]:
        """Return all items, made once."""
        stored, made = self._stored, self._made
        if made is None:
            made = self._join(stored, 0, self._length, 1)
            with _MAKING:
                if self._made is None:
                    self._made, self._stored = made, stored[:0]
                made = self._made
        return made

    def _join(self, stored: memoryview, start: int, stop: int, step: int) -> array[int]:
        rows = range(start, stop, step)
        if len(rows) < self._length:
            begins = range(0, len(stored), self._length)
            stored = memoryview(b"".join(stored[at : at + self._length][start:stop:step].tobytes() for at in begins))
        return join(self._typecode, len(rows), self._kinds, stored)


def _places(length: int, kinds: Sequence[int]) -> list[tuple[int | None, int]]:
    """Return for each byte of an item where its plane begins among those that are stored, or the one it always is."""
    places: list[tuple[int | None, int]] = []
    at = -length
    for kind in kinds:
        at += length if kind == STORED else 0
        places.append((at, 0) if kind in (STORED, SAME) else (None, kind))
    return places


class KeptColumns(Columns):
    """Columns of which each is kept until most of it is asked for, or it is to be written to."""

    __slots__ = ("_kept",)

    def __init__(self, kept: Mapping[str, Any]) -> None:
        super().__init__()
        self._kept: dict[str, KeptColumn] = {}
        for name, value in kept.items():
            if isinstance(value, KeptColumn):
                self._kept[name] = value
                delattr(self, name)
            else:
                setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """Return a column that is kept: its own place is empty until all of it was made."""
        column = self._kept.get(name) if name != "_kept" else None
        if column is None:
            raise AttributeError(name)
        if not column.is_whole:
            return column
        setattr(self, name, column.whole())
        return column.whole()

    def make_whole(self) -> None:
        """Make all of every column, to be written to."""
        for name, column in self._kept.items():
            if isinstance(getattr(self, name), KeptColumn):  # one of its own stays, as that of a twin
                setattr(self, name, column.whole())
