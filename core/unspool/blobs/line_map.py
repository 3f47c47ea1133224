"""Where the lines of a long text start: counted in one pass, remembered by the block, in at most 1 MB."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable
from typing import Final

import stringzilla

BLOCK: Final = 1 << 20
"""Bytes of a block at first: read at once on the way to a line that was not passed before, and gone through again to
find one line in it, in three tenths of a millisecond. Smaller ones would be found sooner, and take longer to get to."""

CHECKPOINTS: Final = 1 << 17
"""Blocks that are remembered (8 bytes each). With more, two become one."""


class LineMap:
    """Maps line numbers, from 1, to bytes and back. LF ends a line and nothing else does.

    `read(start, stop)` returns the bytes of a half-open range of a text of `size` bytes. What lies behind the last
    line that was asked for is not read. `block` is a power of two.
    """

    def __init__(self, read: Callable[[int, int], bytes], size: int, *, block: int = BLOCK) -> None:
        self._read = read
        self._size = size
        self._block = block
        self._before = array("Q", [0])
        """How many line ends lie before each block that was gone through, and behind the last of them."""

    def through(self, read: Callable[[int, int], bytes]) -> LineMap:
        """Return a map of the same text that knows what this one knows, and reads on by another reader."""
        other = LineMap(read, self._size, block=self._block)
        other._before = self._before[:]
        return other

    @property
    def walked(self) -> bool:
        """Whether anything was gone through."""
        return len(self._before) > 1

    @property
    def count(self) -> int:
        """Return the number of lines; a last line without LF counts, an empty one does not."""
        while self._scanned < self._size:
            self._advance()
        return self._before[-1] + (self._size > 0 and self._read(self._size - 1, self._size) != b"\n")

    def start(self, line: int) -> int | None:
        """Return the byte at which a line starts, `None` behind the last; the text's end starts no line."""
        ends = line - 1
        while self._before[-1] < ends and self._scanned < self._size:
            self._advance()
        if not 0 <= ends <= self._before[-1] or not self._size:
            return None
        if not ends:
            return 0
        block = bisect_left(self._before, ends) - 1
        data = self._read(block * self._block, (block + 1) * self._block)
        start = block * self._block + _behind_break(data, ends - self._before[block])
        return start if start < self._size else None

    def at(self, offset: int) -> int:
        """Return the number of the line that holds a byte."""
        offset = max(0, min(offset, self._size))
        while self._scanned < offset:
            self._advance()
        block = min(offset // self._block, len(self._before) - 1)
        return self._before[block] + _breaks(self._read(block * self._block, offset)) + 1

    @property
    def _scanned(self) -> int:
        return min((len(self._before) - 1) * self._block, self._size)

    def _advance(self) -> None:
        """Go on by a block."""
        start = self._scanned
        self._before.append(self._before[-1] + _breaks(self._read(start, start + self._block)))
        if len(self._before) > CHECKPOINTS:
            self._merge()

    def _merge(self) -> None:
        """Make two blocks one; an odd one at the end is gone through again, unless it ends the text."""
        last = self._before[-1] if self._scanned == self._size else None
        odd = len(self._before) % 2 == 0
        self._before = self._before[::2]
        self._block *= 2
        if odd and last is not None:
            self._before.append(last)


def _breaks(data: bytes) -> int:
    return int(stringzilla.count(data, b"\n"))


def _behind_break(data: bytes, number: int) -> int:
    """Return the byte behind the `number`-th line end, which the data is known to hold.

    Halves are counted, until what is left is short enough to look for one after the other.
    """
    position, stop = 0, len(data)
    while stop - position > 256:
        middle = (position + stop) // 2
        before = int(stringzilla.count(data, b"\n", position, middle))
        if before >= number:
            stop = middle
        else:
            position, number = middle, number - before
    for _ in range(number):
        position = data.index(b"\n", position) + 1
    return position
