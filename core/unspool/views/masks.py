"""Selections of rows as bit sets: one byte of 0 or 1 per row, held as one big integer.

So filters combine with `&` and count with `bit_count`, at memory speed.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from itertools import compress
from operator import or_
from typing import TYPE_CHECKING, Final

from unspool.columns.table import Columns, code_of, plane_of
from unspool.formats.piece import Flag, Kind, ToolPart

if TYPE_CHECKING:
    from unspool.ids import EvidenceId
    from unspool.views.filter import Filter
    from unspool.views.rows import Rows

STORED: Final = Flag.PERSISTED | Flag.SHORTENED
"""What `is:stored` means: the model saw less than there was."""

REPEATED: Final = Flag.TWIN | Flag.REPLAYED
"""What no list and no search wants unless it wants everything."""

CACHED_MASKS: Final = 40
"""Bit sets kept, a byte a row each: enough for all facets under one filter."""

RUN: Final = 32
"""Rows between two beginnings of runs from which on it is quicker to copy the runs than to count every row."""


NO_TOOL: Final = 0xFF
"""Stands for a row that is not counted where a byte tells the tools apart."""


class Masks:
    """The bit sets of some rows, made when they are asked for; `flags` and `tools` are those of the snapshot."""

    def __init__(self, rows: Rows, columns: Columns, flags: Sequence[int], tools: Sequence[int]) -> None:
        self._rows = rows
        self._columns = columns
        self._flags = flags
        self._tools = tools
        self._start, self._stop = rows.span
        self._made: dict[object, int] = {}

    def apart(self) -> Masks:
        """Return the same for another thread, with what was made so far."""
        other = Masks(self._rows, self._columns, self._flags, self._tools)
        other._made |= self._made
        return other

    def of(self, filter: Filter) -> int:
        """Return the rows that a filter wants (its `path` is not looked at)."""
        found = self._made.get(filter)
        if found is None:
            if len(self._made) > CACHED_MASKS:
                self._made.clear()
            found = self._made[filter] = self._make(filter)
        return found

    def _make(self, filter: Filter) -> int:
        unwanted = Flag(0) if filter.reasoning else Flag.REASONING
        unwanted |= Flag(0) if filter.hidden and filter.twins else REPEATED
        unwanted |= Flag(0) if filter.hidden else Flag.ABANDONED
        mask = self.all() ^ self.flag(unwanted)
        if filter.kinds:
            mask &= _union(self.kind(kind, None) for kind in filter.kinds)
        if filter.tool_part is not None:
            mask &= self.kind(Kind.TOOL, filter.tool_part)
        if filter.tools:
            mask &= self._tool(filter.tools)
        if filter.errors:
            mask &= self.flag(Flag.ERROR)
        if filter.stored:
            mask &= self.flag(STORED)
        if filter.within is not None:
            mask &= self._range(*self._rows.within(filter.within))
        if filter.ids is not None:
            mask &= self._ids(filter.ids)
        return mask

    def all(self) -> int:
        """Return every row."""
        every = self._made.get("all")
        if every is None:
            every = self._made["all"] = int.from_bytes(b"\1" * (self._stop - self._start), "little")
        return every

    def kind(self, kind: Kind, part: ToolPart | None) -> int:
        """Return the rows of a kind, or of one half of it."""
        key = ("kind", kind, part)
        if key not in self._made:
            codes = self._plane(self._columns.code, 0)
            self._made[key] = int.from_bytes(codes.translate(_codes_of(kind, part)), "little")
        return self._made[key]

    def flag(self, flags: Flag) -> int:
        """Return the rows that have any of the flags."""
        key = ("flag", flags)
        if key not in self._made:
            mask = 0
            for plane in range(3):
                bits = int(flags) >> (8 * plane) & 0xFF
                lane = self._plane(self._flags, plane).translate(_having(bits)) if bits else b""
                if 1 in lane:  # most flags are seldom, and a number of zeros takes as long to be made as any other
                    mask |= int.from_bytes(lane, "little")
            self._made[key] = mask
        return self._made[key]

    def counted(self, filter: Filter) -> dict[int, int]:
        """Count the rows that a filter wants by the number of their tool."""
        size, wanted = self._stop - self._start, self.of(filter)
        if len(self._columns.tools) > NO_TOOL:  # a byte does not tell them apart
            return Counter(compress(self._tools[self._start : self._stop], wanted.to_bytes(size, "little")))
        plane = self._plane(self._tools, 0)
        others = (self.all() ^ wanted) * NO_TOOL
        left = (int.from_bytes(plane, "little") | others).to_bytes(size, "little")
        counts = {number: left.count(number) for number in range(len(self._columns.tools))}
        return {number: count for number, count in counts.items() if count}

    def _plane(self, column: Sequence[int], number: int) -> bytes:
        return plane_of(column, number, self._start, self._stop)

    def _tool(self, names: frozenset[str]) -> int:
        wanted = {name.casefold() for name in names}
        numbers = {number for number, name in enumerate(self._columns.tools) if name and name.casefold() in wanted}
        tools = self._tools[self._start : self._stop]
        return int.from_bytes(bytes(map(numbers.__contains__, tools)), "little")

    def _range(self, start: int, stop: int) -> int:
        return int.from_bytes(b"\0" * (start - self._start) + b"\1" * (stop - start), "little")

    def _ids(self, ids: frozenset[EvidenceId]) -> int:
        wanted = bytearray(self._stop - self._start)
        for row in map(self._rows.row_of, ids):
            if row is not None:
                wanted[row - self._start] = 1
        return int.from_bytes(wanted, "little")


def counted(chosen: bytes | bytearray) -> int:
    """Count the bytes that are 1, all others being 0: several times as fast as `bytes.count` where they are many."""
    return int.from_bytes(chosen, "little").bit_count()


def numbered(chosen: bytes | bytearray, start: int) -> array[int]:
    """Return the numbers of the bytes that are 1, when the first byte has the number `start`.

    Rows that follow each other are copied, not counted: most filters choose nearly all rows, or hardly any.
    """
    size = len(chosen)
    if start > size or chosen.count(b"\0\1") * RUN > size:
        return array("I", compress(range(start, start + size), chosen))
    found, at = array("I"), chosen.find(1)
    while at >= 0:
        behind = chosen.find(0, at)
        stop = behind if behind >= 0 else size
        if stop - at < RUN:  # so that few rows need no list of all numbers
            found.extend(range(start + at, start + stop))
        else:
            found += _numbers((start + size).bit_length())[start + at : start + stop]
        at = chosen.find(1, stop)
    return found


@lru_cache(maxsize=1)
def _numbers(bits: int) -> array[int]:
    """Return all numbers of so many bits."""
    return array("I", range(1 << bits))


@lru_cache(maxsize=32)
def _codes_of(kind: Kind, part: ToolPart | None) -> bytes:
    """Return for each code of a row whether it is one of a kind, or of one half of it."""
    parts = [part] if part is not None else [None, *ToolPart]
    wanted = {code_of(kind, each) for each in parts}
    return bytes(code in wanted for code in range(256))


@lru_cache(maxsize=32)
def _having(bits: int) -> bytes:
    """Return for each byte whether it has any of some bits."""
    return bytes(bool(value & bits) for value in range(256))


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)
