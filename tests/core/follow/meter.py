"""Counts the bytes that are read of files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch


class Meter:
    """Bytes that were read so far, by whichever call."""

    def __init__(self) -> None:
        self.bytes = 0

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count what is read meanwhile."""
        pread, preadv, read = os.pread, os.preadv, os.read

        def counted_pread(descriptor: int, length: int, offset: int) -> bytes:
            data = pread(descriptor, length, offset)
            self.bytes += len(data)
            return data

        def counted_preadv(descriptor: int, buffers: list[memoryview], offset: int) -> int:
            count = preadv(descriptor, buffers, offset)
            self.bytes += count
            return count

        def counted_read(descriptor: int, length: int) -> bytes:
            data = read(descriptor, length)
            self.bytes += len(data)
            return data

        with patch("os.pread", counted_pread), patch("os.preadv", counted_preadv), patch("os.read", counted_read):
            yield
