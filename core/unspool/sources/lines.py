"""Physical lines of a file, found by blocks: LF ends a line and nothing else does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

BLOCK: Final = 1 << 20
"""Bytes read at a time."""

LINE_LIMIT: Final = 16 << 20
"""Bytes of a line that is held in memory; decoding costs up to thirty times as much. Longer ones are only located."""

_LF: Final = 10


class Line(NamedTuple):
    """One physical line. `data` holds its bytes without LF until the next line is asked for, `None` past the limit."""

    offset: int
    length: int
    data: memoryview | None
    terminated: bool


ReadInto = Callable[[memoryview, int], int]
"""Fills a view from a file offset and returns how many bytes it got (at least one before the end)."""


def physical_lines(
    read_into: ReadInto, start: int, size: int, *, block: int = BLOCK, limit: int = LINE_LIMIT
) -> Iterator[Line]:
    """Yield the lines between two offsets; what follows the last LF, if anything, is not `terminated`."""
    buffer = bytearray(2 * block)
    view = memoryview(buffer)
    base, begin, scanned, filled = start, 0, 0, 0
    while True:
        end = buffer.find(_LF, scanned, filled)
        if end >= 0:
            yield Line(base + begin, end - begin, view[begin:end], True)
            begin = scanned = end + 1
            continue
        if filled - begin > limit:
            line = _long_line(read_into, base + begin, base + filled, size, view[:block])
            yield line
            base, begin, scanned, filled = line.offset + line.length + 1, 0, 0, 0
            continue
        if base + filled >= size:
            if filled > begin:
                yield Line(base + begin, filled - begin, view[begin:filled], False)
            return
        if filled + block > len(buffer):
            held = filled - begin
            if held + block > len(buffer):
                buffer, old = bytearray(2 * len(buffer)), view
                view = memoryview(buffer)
                view[:held] = old[begin:filled]
            else:
                view[:held] = view[begin:filled]
            base, begin, filled = base + begin, 0, held
        scanned = filled
        filled += read_into(view[filled : filled + min(block, size - base - filled)], base + filled)


def _long_line(read_into: ReadInto, offset: int, reached: int, size: int, scratch: memoryview) -> Line:
    """Find the end of a line that is not held, reading into `scratch`."""
    while reached < size:
        room = scratch[: min(len(scratch), size - reached)]
        got = read_into(room, reached)
        end = bytes(room[:got]).find(_LF)
        if end >= 0:
            return Line(offset, reached + end - offset, None, True)
        reached += got
    return Line(offset, size - offset, None, False)
