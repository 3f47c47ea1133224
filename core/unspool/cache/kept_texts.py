"""Texts as they are kept: of a hundred thousand ids a screen asks for a few."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from unspool.cache.frames import TEXTS, Frames


class KeptTexts(Sequence[str]):
    """A list of `length` texts, made when one of them is asked for; raises `ValueError` for frames of no such list."""

    __slots__ = ("_frames", "_length", "_made")

    def __init__(self, length: int, frames: Frames) -> None:
        self._length, self._frames = length, frames
        self._made: dict[int, list[str]] = {}
        if len(frames) != -(-length // TEXTS):
            raise ValueError(f"{len(frames)} frames of {length} texts")

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return self.whole()[at]
        if not -self._length <= at < self._length:
            raise IndexError(at)
        number, at = divmod(at % self._length, TEXTS)
        texts = self._made.get(number)
        if texts is None:
            texts = self._made[number] = self._frames.texts(number)
        return texts[at]

    def whole(self) -> list[str]:
        """Return all texts; raises `ValueError` where they are more or fewer."""
        texts = [text for number in range(len(self._frames)) for text in self._frames.texts(number)]
        if len(texts) != self._length:
            raise ValueError(f"{len(texts)} texts where {self._length} were kept")
        return texts
