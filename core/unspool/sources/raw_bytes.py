"""The bytes of a plain file and nothing else: for who looks through many files and reads few."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

from unspool.errors import SourceChanged
from unspool.sources.regular_file import open_regular

if TYPE_CHECKING:
    from types import TracebackType


class RawBytes:
    """A file as it was found, `size` bytes long; whether they are text is not asked. Raises `Unreadable`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._descriptor = open_regular(path)
        self._found = os.fstat(self._descriptor)
        self.size = self._found.st_size

    def read(self, offset: int, length: int) -> bytes:
        """Return the bytes that are there; whether they are what was found, `check` tells of all that was read."""
        return os.pread(self._descriptor, length, offset)

    def read_into(self, room: memoryview, offset: int) -> memoryview:
        """Read as many bytes as there is room for, or are there, and return them."""
        return room[: os.preadv(self._descriptor, [room], offset)]

    @property
    def stamp(self) -> tuple[int, int]:
        """Its size, and the time of its last change in nanoseconds."""
        return self.size, self._found.st_mtime_ns

    def check(self) -> None:
        """Raise `SourceChanged` when the file was written since it was found."""
        now = os.fstat(self._descriptor)
        if (now.st_size, now.st_mtime_ns) != self.stamp:
            message = f"{self.path} was written meanwhile"
            raise SourceChanged(message, path=self.path, byte_range=(0, self.size))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._descriptor)
