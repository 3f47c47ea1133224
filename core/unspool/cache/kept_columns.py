"""Columns as they are kept: a screen asks for few of their rows, and of these alone the items are made."""

from __future__ import annotations

import sys
from _thread import allocate_lock
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, Final, overload

from unspool.cache.frames import ITEMS, Frames
from unspool.cache.kept_texts import KeptTexts
from unspool.cache.planes import SAME, STORED, join
from unspool.columns.table import Columns
from unspool.columns.verbatim import Verbatim

FEW: Final = 1_000
"""Items that are made one by one; who asks for more asks for most, and all are made at once."""

_MAKING: Final = allocate_lock()
"""Held by who puts all items in the place of the planes: one array is written to later, whoever else made one."""


class KeptColumn(Sequence[int]):
    """A column of `length` items whose planes are of these kinds, those that are stored in frames.

    Raises `ValueError` for kinds or frames of no such column. Any thread may ask it while another one makes all of it.
    """

    __slots__ = ("_asked", "_frames", "_kinds", "_length", "_made", "_places", "_typecode")

    def __init__(self, typecode: str, length: int, kinds: Sequence[int], frames: Frames) -> None:
        join(typecode, 0, kinds, memoryview(b""))  # refuses them
        self._typecode, self._length, self._kinds, self._frames = typecode, length, kinds, frames
        self._places = _places(kinds)
        if len(frames) != (-(-length // ITEMS) if STORED in kinds else 0):
            raise ValueError(f"{len(frames)} frames of {length} items")
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
        if self._made is not None or self._asked > FEW:
            return self.whole()[at]
        if isinstance(at, slice):
            start, stop, step = at.indices(self._length)
            return self._join(start, max(start, stop))[::step] if step > 0 else self.whole()[at]
        if not -self._length <= at < self._length:
            raise IndexError(at)
        number, at = divmod(at % self._length, ITEMS)
        planes, items = self._planes(number), self._items(number)
        item = [value if place is None else planes[place * items + at] for place, value in self._places]
        return int.from_bytes(item, sys.byteorder, signed=self._typecode.islower())

    @property
    def is_whole(self) -> bool:
        """Whether all items were made."""
        return self._made is not None

    def whole(self) -> array[int]:
        """Return all items, made once."""
        made = self._made
        if made is None:
            made = self._join(0, self._length)
            with _MAKING:
                if self._made is None:
                    self._made = made
                    self._frames.forget()
                made = self._made
        return made

    def as_kept(self) -> KeptColumn:
        """Return the column as it was kept: whatever is written to the items that were made of this one."""
        return KeptColumn(self._typecode, self._length, self._kinds, self._frames)

    def plane(self, number: int, start: int, stop: int) -> bytes:
        """Return one byte of each item in a range, number 0 the least."""
        place, value = self._places[number if sys.byteorder == "little" else len(self._places) - 1 - number]
        return bytes([value]) * (stop - start) if place is None else self._stored(place, start, stop)

    def _join(self, start: int, stop: int) -> array[int]:
        stored = [self._stored(place, start, stop) for place in range(self._kinds.count(STORED))]
        return join(self._typecode, stop - start, self._kinds, memoryview(b"".join(stored)))

    def _stored(self, place: int, start: int, stop: int) -> bytes:
        """Return a stretch of a plane, which is stored behind `place` others."""
        parts = list[bytes]()
        for number in range(start // ITEMS, -(-stop // ITEMS)):
            begin, items = number * ITEMS, self._items(number)
            first, behind = max(start - begin, 0), min(stop - begin, items)
            parts.append(self._planes(number)[place * items + first : place * items + behind])
        return b"".join(parts)

    def _planes(self, number: int) -> bytes:
        """Return the stored planes of a frame."""
        stored = self._kinds.count(STORED)
        return self._frames.planes(number, stored * self._items(number)) if stored else b""

    def _items(self, number: int) -> int:
        return min(ITEMS, self._length - number * ITEMS)


def _places(kinds: Sequence[int]) -> list[tuple[int | None, int]]:
    """Return for each byte of an item which of the stored planes it is in, or the one it always is."""
    places: list[tuple[int | None, int]] = []
    at = -1
    for kind in kinds:
        at += kind == STORED
        places.append((at, 0) if kind in (STORED, SAME) else (None, kind))
    return places


class KeptColumns(Columns):
    """Columns of which each is kept until most of it is asked for, or it is to be written to."""

    __slots__ = ("_kept", "facets")

    def __init__(self, kept: Mapping[str, Any], facets: Mapping[str, int] | None = None) -> None:
        super().__init__()
        self.facets = facets
        self._kept = _filled(self, kept)

    def __getattr__(self, name: str) -> Any:
        """Return a column that is kept: its own place is empty until all of it was made."""
        column = self._kept.get(name) if name != "_kept" else None
        if column is None:
            raise AttributeError(name)
        if not column.is_whole:
            return column
        setattr(self, name, column.whole())
        return column.whole()

    def as_now(self, name: str) -> Sequence[int]:
        """Return a column as it is now; of one that is kept no more is made."""
        column: Sequence[int] = getattr(self, name)
        return column.as_kept() if isinstance(column, KeptColumn) else column[:]

    def make_whole(self) -> None:
        """Make all of every column, to be written to."""
        self.facets = None
        for name, column in self._kept.items():
            if isinstance(getattr(self, name), KeptColumn):  # one of its own stays, as that of a twin
                setattr(self, name, column.whole())
        if isinstance(self.calls, KeptTexts):
            self.calls = self.calls.whole()


class KeptVerbatim(Verbatim):
    """Where texts stand, as it was kept: all of a column is made when it is asked for."""

    __slots__ = ("_kept",)

    def __init__(self, kept: Mapping[str, Any]) -> None:
        super().__init__()
        self._kept = _filled(self, kept)

    def __getattr__(self, name: str) -> array[int]:
        """Make a column in its own place, which is empty until then."""
        column = self._kept.get(name) if name != "_kept" else None
        if column is None:
            raise AttributeError(name)
        setattr(self, name, column.whole())
        return column.whole()


def _filled(owner: Columns | Verbatim, kept: Mapping[str, Any]) -> dict[str, KeptColumn]:
    """Give columns what was kept of them, but for those that stay kept: their own places are empty; return these."""
    columns = dict[str, KeptColumn]()
    for name, value in kept.items():
        if isinstance(value, KeptColumn):
            columns[name] = value
            delattr(owner, name)
        else:
            setattr(owner, name, value)
    return columns
