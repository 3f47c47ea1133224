"""Physical lines of a file, found by blocks: LF ends a line and nothing else does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from unspool.named_tuple import NamedTuple

BLOCK: Final = 1 << 20
"""Bytes read at a time."""

LINE_LIMIT: Final = 8 << 20
"""Bytes of a line or record that is held in memory; decoding costs up to thirty times as much. Longer ones are only
located, and read by windows."""

_LF: Final = 10


class Line(NamedTuple):
    """One physical line. `data` holds its bytes without LF until the next line is asked for, `None` past the limit."""

    offset: int
    length: int
    data: memoryview | None
    terminated: bool


_line_of: Final[Callable[[tuple[int, int, memoryview | None, bool]], Line]] = partial(tuple.__new__, Line)

ReadInto = Callable[[memoryview, int], int]
"""Fills a view from a file offset and returns how many bytes it got (at least one before the end)."""


class PhysicalLines:
    """The lines between two offsets of a file; what follows the last LF, if anything, is not `terminated`.

    Memory is two blocks, or a line of up to `limit` bytes and two blocks while such a line is looked at.
    """

    def __init__(
        self, read_into: ReadInto, start: int, size: int, *, block: int = BLOCK, limit: int = LINE_LIMIT
    ) -> None:
        block = min(block, max(1, size - start))
        self._read_into = read_into
        self._size = size
        self._block = block
        self._limit = limit
        self._buffer = bytearray(2 * block)
        self._view = memoryview(self._buffer)
        self._base = start  # the file offset of the buffer's first byte
        self._begin = self._scanned = self._filled = 0  # where the line begins, how far LF was looked for, how far read

    def __iter__(self) -> Iterator[Line]:
        while True:
            begin, filled, find = self._begin, self._filled, self._buffer.find
            base, view, limit = self._base, self._view, self._limit
            end = find(_LF, self._scanned, filled)
            while end >= 0:  # whether a line is held depends on its length alone
                data = view[begin:end] if end - begin <= limit else None
                yield _line_of((base + begin, end - begin, data, True))
                begin = end + 1
                end = find(_LF, begin, filled)
            self._begin, self._scanned = begin, filled
            if filled - begin > self._limit:
                yield self._long_line()
            elif self._base + self._filled < self._size:
                self._fill()
            else:
                break
        if self._filled > self._begin:
            yield self._rest()

    def held(self, offset: int, length: int) -> bytes | None:
        """Return bytes of the file that are in memory, `None` for a range that is not all there."""
        begin = offset - self._base
        return bytes(self._view[begin : begin + length]) if begin >= 0 and begin + length <= self._filled else None

    def _rest(self) -> Line:
        """Return what follows the last LF."""
        data = self._view[self._begin : self._filled] if self._filled - self._begin <= self._limit else None
        return Line(self._base + self._begin, self._filled - self._begin, data, False)

    def _fill(self) -> None:
        """Read the next block behind the bytes that are there, which contain no LF."""
        if self._filled + self._block > len(self._buffer):
            self._make_room()
        self._scanned = self._filled
        room = self._view[self._filled : self._filled + min(self._block, self._size - self._base - self._filled)]
        self._filled += self._read_into(room, self._base + self._filled)

    def _make_room(self) -> None:
        """Move the unfinished line to the front of the buffer, or of a larger or again smaller one."""
        held = self._filled - self._begin
        wanted = held + self._block if held > self._block else 2 * self._block
        line = self._view[self._begin : self._filled]
        if wanted > len(self._buffer) or len(self._buffer) > 2 * self._block >= wanted:
            self._buffer = bytearray(min(2 * wanted, self._limit + 2 * self._block) if held > self._block else wanted)
            self._view = memoryview(self._buffer)
        self._view[:held] = line
        self._base += self._begin
        self._begin, self._filled = 0, held

    def _long_line(self) -> Line:
        """Find the end of a line that is not held, and go on behind it."""
        offset, reached = self._base + self._begin, self._base + self._filled
        end = -1
        while end < 0 and reached < self._size:
            got = self._read_into(self._view[: min(self._block, self._size - reached)], reached)
            end = self._buffer.find(_LF, 0, got)
            reached += end if end >= 0 else got
        self._base = min(reached + 1, self._size)
        self._begin = self._scanned = self._filled = 0
        return Line(offset, reached - offset, None, end >= 0)
