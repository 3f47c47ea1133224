"""The text of a piece of any size, reached by windows: one block in memory, checkpoints for the rest.

A text is a sequence of segments. Each gives its text as UTF-8 blocks that end on character borders and can start again
at a raw position, so that a window deep inside costs one block once the way there has been measured.
"""

from __future__ import annotations

import codecs
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol

from unspool.dataclass import dataclass
from unspool.errors import SourceChanged
from unspool.sources.json_value import BadJson, compact
from unspool.text import utf8

BLOCK: Final = 1 << 20
"""Raw bytes decoded at a time: large enough to be fast, small enough to hold several."""

NEARBY: Final = 8
"""Lines that are stepped over one by one."""

Read = Callable[[int, int], bytes]


class Segment(Protocol):
    """A stretch of text."""

    def blocks(self, position: int) -> Iterator[tuple[int, bytes]]:
        """Yield (raw position behind the block, block in UTF-8) from a raw position that was given out before, or 0."""
        ...


@dataclass(frozen=True, slots=True)
class Literal:
    """Text that is in memory."""

    data: bytes

    def blocks(self, position: int) -> Iterator[tuple[int, bytes]]:
        """Yield the text as one block."""
        if position == 0 and self.data:
            yield len(self.data), self.data


@dataclass(frozen=True, slots=True)
class RawString:
    """A JSON string inside a record too long to be decoded; `span` excludes the quotes, `read` is relative to it.

    With `quoted` the text keeps JSON's escapes, as inside compact JSON. `block` is how many raw bytes are decoded at a
    time.
    """

    read: Read
    span: tuple[int, int]
    quoted: bool = False
    block: int = BLOCK

    def blocks(self, position: int) -> Iterator[tuple[int, bytes]]:
        """Yield decoded blocks of the string; raises `SourceChanged` when it is no JSON string any more."""
        from unspool.sources.structure import string_blocks

        try:
            for behind, text in string_blocks(self.read, self.span, position or None, self.block):
                yield behind, utf8(compact(text)[1:-1] if self.quoted else text)
        except BadJson as error:
            message = "a long record is no longer what it was; open its session again to see what it holds now"
            raise SourceChanged(message, path="", byte_range=self.span) from error


@dataclass(frozen=True, slots=True)
class RawBytes:
    """A file of text: UTF-8, with U+FFFD for what is not."""

    read: Read
    size: int

    def blocks(self, position: int) -> Iterator[tuple[int, bytes]]:
        """Yield the file from a raw position on."""
        while position < self.size:
            data = self.read(position, min(BLOCK, self.size - position))
            if data.isascii():
                position += len(data)
                yield position, data
                continue
            decoder = codecs.getincrementaldecoder("utf-8")("replace")
            text = decoder.decode(data, final=position + len(data) >= self.size)
            position += len(data) - len(decoder.getstate()[0])
            yield position, text.encode("utf-8")


class PieceText:
    """A text in UTF-8 bytes; offsets and sizes are bytes, lines count from 1 and end at LF."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._segments = tuple(segments)
        self._starts = array("Q")
        self._newlines = array("Q")
        self._segment = array("I")
        self._position = array("Q")
        self._reached = (0, 0)
        self._size = 0
        self._total_newlines = 0
        self._last_byte = b""
        self._complete = False
        self._cached: tuple[int, bytes] = (-1, b"")
        self._counted = (-1, 0, 0)

    @classmethod
    def of(cls, text: str) -> PieceText:
        """Return a text that is in memory."""
        return cls([Literal(utf8(text))])

    @property
    def size(self) -> int:
        """Bytes of the whole text; the first call walks to its end."""
        self._measure()
        return self._size

    @property
    def line_count(self) -> int:
        """Lines of the whole text; a trailing LF ends the last line; the empty text has none."""
        self._measure()
        return self._total_newlines + (1 if self._last_byte not in (b"", b"\n") else 0)

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes of a half-open range, clamped to the text; the caller keeps the range small."""
        found = []
        for offset, block in self.blocks(start):
            found.append(block[max(0, start - offset) : max(0, stop - offset)])
            if offset + len(block) >= stop:
                break
        return b"".join(found)

    def blocks(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield (offset, block) from the block that holds byte `start` to the end."""
        self._reach(lambda: self._size > start)
        index = bisect_right(self._starts, start) - 1
        while index >= 0:
            if index >= len(self._starts):
                if self._complete or not self._step():
                    return
                continue
            yield self._starts[index], self._block(index)
            index += 1

    def checkpoint(self, offset: int) -> tuple[int, int]:
        """Return (raw position, byte) from which the block that holds a byte can be read again, within its segment."""
        self._reach(lambda: self._size > offset)
        index = bisect_right(self._starts, offset) - 1
        return (self._position[index], self._starts[index]) if index >= 0 else (0, 0)

    def border_after(self, offset: int) -> int:
        """Return the first character border at or behind a byte, at most the size."""
        return offset + border_after(self.read(offset, offset + 4), 0) if offset < self.size else self.size

    def line_start(self, line: int) -> int | None:
        """Return the byte offset at which a line begins, `None` when there are fewer lines."""
        if line <= 1:
            return 0 if line == 1 else None
        self._reach(lambda: self._total_newlines >= line - 1)
        if self._total_newlines < line - 1:
            return None
        index = bisect_right(self._newlines, line - 2) - 1
        start = self._starts[index] + self._behind_line(index, line - 1 - self._newlines[index])
        self._reach(lambda: self._size > start)
        return start if start < self._size else None

    def line_at(self, offset: int) -> int:
        """Return the line (from 1) that holds a byte."""
        self._reach(lambda: self._size > offset)
        index = max(0, bisect_right(self._starts, offset) - 1)
        if not self._starts:
            return 1
        return self._newlines[index] + self._lines_before(index, offset - self._starts[index]) + 1

    def line_begin(self, offset: int) -> int:
        """Return the byte offset at which the line that holds a byte begins."""
        self._reach(lambda: self._size > offset)
        index = max(0, bisect_right(self._starts, offset) - 1)
        while index >= 0 and self._starts:
            found = self._block(index).rfind(b"\n", 0, max(0, offset - self._starts[index]))
            if found >= 0:
                return self._starts[index] + found + 1
            index -= 1
        return 0

    def _lines_before(self, index: int, offset: int) -> int:
        """Return how many LFs a block has before an offset, counted from the place that was counted up to last."""
        block = self._block(index)
        at, count = self._counted_in(index)
        if offset >= at:
            count += block.count(b"\n", at, offset)
        elif offset > at // 2:
            count -= block.count(b"\n", offset, at)
        else:
            count = block.count(b"\n", 0, offset)
        self._counted = (index, offset, count)
        return count

    def _behind_line(self, index: int, number: int) -> int:
        """Return the offset behind the `number`-th LF of a block (0 for none)."""
        block = self._block(index)
        at, count = self._counted_in(index)
        if number <= count - NEARBY:
            at, count = 0, 0
        for _ in range(count - number + 1):
            at = block.rfind(b"\n", 0, at)
        at += count >= number
        if number > count:
            at = _behind_newline(block, at, number - count)
        self._counted = (index, at, number)
        return at

    def _counted_in(self, index: int) -> tuple[int, int]:
        """Return (offset, LFs before it) of the place in a block that was counted up to last."""
        return self._counted[1:] if self._counted[0] == index else (0, 0)

    def _measure(self) -> None:
        self._reach(lambda: False)

    def _reach(self, enough: Callable[[], bool]) -> None:
        while not self._complete and not enough():
            self._step()

    def _step(self) -> bool:
        """Walk one block further; `False` at the end.

        Each step begins anew where the one before ended: so a block is the same when it is read again, and a read that
        failed is tried again.
        """
        found = next(self._blocks(*self._reached), None)
        if found is None:
            self._complete = True
            return False
        segment, position, behind, block = found
        self._reached = (segment, behind)
        self._starts.append(self._size)
        self._newlines.append(self._total_newlines)
        self._segment.append(segment)
        self._position.append(position)
        self._size += len(block)
        self._total_newlines += block.count(b"\n")
        self._last_byte = block[-1:]
        self._cached = (len(self._starts) - 1, block)
        return True

    def _blocks(self, segment: int, position: int) -> Iterator[tuple[int, int, int, bytes]]:
        """Yield (segment, raw position before, raw position behind, block), empty blocks left out."""
        for number in range(segment, len(self._segments)):
            before = position
            for behind, block in self._segments[number].blocks(position):
                if block:
                    yield number, before, behind, block
                before = behind
            position = 0

    def _block(self, index: int) -> bytes:
        cached = self._cached
        if cached[0] != index:
            found = next(self._blocks(self._segment[index], self._position[index]))
            cached = self._cached = (index, found[3])
        return cached[1]


def _behind_newline(block: bytes, offset: int, count: int) -> int:
    """Return the offset behind the `count`-th LF from an offset on; far ones are approached by halves."""
    stop = len(block)
    while count > NEARBY:
        middle = (offset + stop) // 2
        inside = block.count(b"\n", offset, middle)
        if inside >= count:
            stop = middle
        else:
            offset, count = middle, count - inside
    for _ in range(count):
        offset = block.index(b"\n", offset) + 1
    return offset


def border_before(data: bytes, offset: int) -> int:
    """Return the largest character border of UTF-8 `data` that is not behind `offset`."""
    offset = max(0, min(offset, len(data)))
    while 0 < offset < len(data) and data[offset] & 0xC0 == 0x80:
        offset -= 1
    return offset


def border_after(data: bytes, offset: int) -> int:
    """Return the smallest character border of UTF-8 `data` that is not before `offset`."""
    offset = max(0, min(offset, len(data)))
    while offset < len(data) and data[offset] & 0xC0 == 0x80:
        offset += 1
    return offset
