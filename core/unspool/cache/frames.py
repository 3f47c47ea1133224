"""Long columns and long lists of texts, cut into frames of some items: who asks for few items expands few frames.

A frame is compressed by itself. It holds the stored planes of its items one behind the other, or its texts as JSON.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Final

import orjson

from unspool.cache.compressed import Expanding, compressed
from unspool.cache.planes import STORED, split

ITEMS: Final = 1 << 14
"""Items of a frame: its planes fit into a cache of the processor, and a column of a million has 62 of them."""
TEXTS: Final = 1 << 10
"""Texts of a frame."""

_LENGTH: Final = 4
"""Bytes that tell the length of a frame of texts when it is expanded."""


class Frames:
    """Compressed frames, each expanded when it is asked for the first time. Any thread may ask."""

    __slots__ = ("_expanded", "_packed")

    def __init__(self, packed: Sequence[memoryview]) -> None:
        self._packed = packed
        self._expanded: list[bytes | None] = [None] * len(packed)

    def __len__(self) -> int:
        return len(self._packed)

    def planes(self, number: int, size: int) -> bytes:
        """Return what a frame of so many bytes holds; raises `ValueError` for one that holds more or less."""
        found = self._expanded[number]
        if found is None:
            source = Expanding(self._packed[number])
            found = self._expanded[number] = source.take(size)
            source.end()
        return found

    def texts(self, number: int) -> list[str]:
        """Return the texts of a frame; raises `ValueError` for one that holds none."""
        source = Expanding(self._packed[number])
        texts: list[str] = orjson.loads(source.take(int.from_bytes(source.take(_LENGTH), "little")))
        source.end()
        return texts

    def forget(self) -> None:
        """Let go of what was expanded."""
        self._expanded = [None] * len(self._packed)


def frames_of_column(column: array[int]) -> tuple[list[int], list[bytes]]:
    """Return what each plane of a column is, and its frames."""
    kinds, planes = split(column)
    if STORED not in kinds:
        return kinds, []
    starts = range(0, len(column), ITEMS)
    return kinds, [compressed(b"".join(plane[at : at + ITEMS] for plane in planes)) for at in starts]


def frames_of_texts(texts: Sequence[str]) -> list[bytes]:
    """Return the frames of a list of texts; raises `TypeError` for half a character."""
    return [*map(compressed, _told(texts))]


def _told(texts: Sequence[str]) -> Iterator[bytes]:
    for at in range(0, len(texts), TEXTS):
        told = orjson.dumps(texts[at : at + TEXTS])
        yield len(told).to_bytes(_LENGTH, "little") + told
