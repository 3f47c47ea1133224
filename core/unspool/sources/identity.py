"""Which file it was, and whether it is still the same."""

from __future__ import annotations

import os
from typing import Final

from unspool.blake2b import blake2b
from unspool.dataclass import dataclass

TAIL_BYTES: Final = 4096
"""Bytes before the end that are digested: they tell growth from a rewrite, and cost one read."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A file as it was found; `tail` digests the last `TAIL_BYTES` bytes before `size`."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int
    tail: bytes

    @classmethod
    def of(cls, file: int | str | os.PathLike[str], size: int | None = None) -> Identity:
        """Look at a descriptor or a path; `size` looks as if the file ended there. Raises `OSError`."""
        if not isinstance(file, int):
            descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            try:
                return cls.of(descriptor, size)
            finally:
                os.close(descriptor)
        found = os.fstat(file)
        end = found.st_size if size is None else size
        tail = tail_digest(file, end)
        return cls(found.st_dev, found.st_ino, end, found.st_mtime_ns, found.st_ctime_ns, tail)


def tail_digest(descriptor: int, size: int) -> bytes:
    """Digest the last `TAIL_BYTES` bytes before `size` (fewer, if the file has become shorter)."""
    length = min(size, TAIL_BYTES)
    return blake2b(os.pread(descriptor, length, size - length), digest_size=16).digest()
