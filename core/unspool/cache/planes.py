"""Columns as planes: the first bytes of all their items, then all second bytes, and so on.

Most bytes of a column of integers are the same in every row. A plane that is one byte over and over takes no room, nor
does one that is the same as the plane before it, as those of a sign are. Joining the others is little more than a copy.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

SAME: Final = -1
"""A plane that is the one before."""
STORED: Final = -2
"""A plane whose bytes are stored. Any other number is the byte that a plane consists of."""


def split(column: array[int]) -> tuple[list[int], list[bytes]]:
    """Return what each plane is, and the bytes of those that are stored."""
    raw, width = column.tobytes(), column.itemsize
    kinds: list[int] = []
    stored: list[bytes] = []
    for place in range(width):
        plane = raw[place::width]
        if plane.count(plane[:1]) == len(plane) or not plane:
            kinds.append(plane[0] if plane else 0)
        elif stored and plane == stored[-1]:
            kinds.append(SAME)
        else:
            kinds.append(STORED)
            stored.append(plane)
    return kinds, stored


def join(typecode: str, length: int, kinds: Sequence[int], stored: memoryview) -> array[int]:
    """Return the column of `length` items whose stored planes are these bytes; raises `ValueError`."""
    column = array(typecode)
    width, begin = len(kinds), 0
    if width != column.itemsize:
        raise ValueError(f"{width} planes of items of {column.itemsize} bytes")
    raw = bytearray([max(kind, 0) for kind in kinds]) * length
    plane = stored[:0]
    for place, kind in enumerate(kinds):
        if kind == STORED:
            plane, begin = stored[begin : begin + length], begin + length
        if kind < 0:
            raw[place::width] = plane
    column.frombytes(raw)
    return column
