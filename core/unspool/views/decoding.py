"""Windows of bytes as text, also where the bytes are no UTF-8: each stretch that is none becomes one U+FFFD.

A window that begins where another ended gives the same characters as if both had been decoded at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from unspool.text import cut, size

LONGEST: Final = 4
"""Bytes of the longest character of UTF-8."""

STRETCH: Final = 4_096
"""Bytes decoded at once: what comes behind a byte that is no UTF-8 is decoded again."""

STAND_IN: Final = "\ufffd"

Read = Callable[[int, int], bytes]
"""Returns the bytes of a half-open range, clamped to the text."""


def decoded(data: bytes, room: int, wanted: int) -> tuple[str, int, bool]:
    """Decode the beginning of `data`: the characters that end within `wanted` bytes, as many as `room` bytes hold.

    Where more follows in the text, `data` goes on for `LONGEST` bytes behind them. Also return how many bytes of
    `data` were taken, and whether there was no room for what would come next.
    """
    said: list[str] = []
    taken = 0
    while taken < min(wanted, len(data)):
        limit = max(0, min(room, wanted - taken, STRETCH))
        good, bad = _beginning(data[taken : taken + limit + LONGEST])
        text = cut(good, limit)
        following, raw = text, size(text)
        if not text:
            following, raw = (good[0], size(good[0])) if good else (STAND_IN, bad)
        if taken + raw > wanted or size(following) > room:
            return "".join(said), taken, taken + raw <= wanted
        said.append(following)
        room -= size(following)
        taken += raw
    return "".join(said), taken, False


def border(read: Read, offset: int) -> int:
    """Return `offset`, or where it lies inside a character the byte behind that."""
    data = read(max(0, offset - LONGEST + 1), offset + LONGEST)
    inside = min(offset, LONGEST - 1)
    for start in range(inside):
        good, _ = _beginning(data[start : start + LONGEST])
        if good and start + size(good[0]) > inside:
            return offset - inside + start + size(good[0])
    return offset


def _beginning(data: bytes) -> tuple[str, int]:
    """Return the characters before the first stretch that is no UTF-8, and how many bytes that stretch has."""
    try:
        return data.decode(), 0
    except UnicodeDecodeError as error:
        return data[: error.start].decode(), error.end - error.start
