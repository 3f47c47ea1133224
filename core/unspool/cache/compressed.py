"""Bytes that take less room, and less time to be read from a disk than they take to be expanded."""

from __future__ import annotations

import sys
from typing import Final

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdCompressor, ZstdDecompressor, ZstdError
else:
    from backports.zstd import ZstdCompressor, ZstdDecompressor, ZstdError

LARGEST: Final = 1 << 30
"""Bytes that are expanded at the most: columns of ten million rows are fewer."""

_QUICK: Final = 1
"""The level that takes the least time."""


def compressed(data: bytes) -> bytes:
    """Compress bytes."""
    return ZstdCompressor(_QUICK).compress(data, ZstdCompressor.FLUSH_FRAME)


class Expanding:
    """Bytes that were compressed, expanded as far as they are taken: what was is not held, so that room is used again.

    To get room from the system costs more than to expand what goes into it.
    """

    def __init__(self, data: bytes | memoryview) -> None:
        self._decompressor = ZstdDecompressor()
        self._data: bytes | memoryview = data
        self._left = LARGEST

    def take(self, length: int) -> bytes:
        """Return the next bytes; raises `ValueError` for what was not compressed, is torn, or is too large."""
        self._left -= length
        if self._left < 0:
            raise ValueError(f"it holds more than {LARGEST:,} bytes")
        taken = self._expanded(length)
        while len(taken) < length:
            more = self._expanded(length - len(taken))
            if not more:
                raise ValueError(f"{length} bytes are wanted, {len(taken)} are left")
            taken += more
        return taken

    def end(self) -> None:
        """Raise `ValueError` unless all was taken."""
        if self._expanded(1) or not self._decompressor.eof:
            raise ValueError("it is torn, or goes on")

    def _expanded(self, most: int) -> bytes:
        if self._decompressor.eof or not most:
            return b""
        data, self._data = self._data, b""
        try:
            return self._decompressor.decompress(data, most)
        except ZstdError as error:
            raise ValueError(str(error)) from None
