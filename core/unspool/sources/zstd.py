"""Compressed sources: decompressed once into a private file that has no name."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Final

from unspool.errors import Unreadable

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError
else:
    from backports.zstd import ZstdDecompressor, ZstdError

SUFFIX: Final = ".zst"

SIZE_LIMIT: Final = 8 << 30
"""Decompressed bytes beyond which an archive is refused: no session is that long, and a bomb would fill the disk."""

_BLOCK: Final = 1 << 20


def decompressed(descriptor: int, path: str, *, limit: int = SIZE_LIMIT) -> int:
    """Decompress a file into an unlinked temporary file and return its descriptor.

    Raises `Unreadable` when the archive is torn or corrupt, or holds more than `limit` bytes.
    """
    with tempfile.TemporaryFile(prefix="unspool-") as target:
        try:
            _decompress(descriptor, target.fileno(), path, limit)
        except ZstdError:
            raise Unreadable(
                f"{path} is no sound zstd archive; restore it, or decompress what is left", path=path
            ) from None
        return os.dup(target.fileno())


def beginning(descriptor: int, limit: int) -> tuple[int, bool]:
    """Decompress about the first `limit` bytes; return the descriptor of an unlinked file, and whether that is all.

    Of a torn or corrupt archive: what can be had.
    """
    with tempfile.TemporaryFile(prefix="unspool-") as target:
        decompressor, offset, size = ZstdDecompressor(), 0, 0
        try:
            while size < limit and not decompressor.eof:
                block = os.pread(descriptor, _BLOCK, offset) if decompressor.needs_input else b""
                if not block and decompressor.needs_input:
                    break
                offset += len(block)
                data = decompressor.decompress(block, _BLOCK)
                size += len(data)
                _write(target.fileno(), data)
        except ZstdError:
            pass
        whole = decompressor.eof and not decompressor.unused_data and not os.pread(descriptor, 1, offset)
        return os.dup(target.fileno()), whole


def _decompress(source: int, target: int, path: str, limit: int) -> None:
    """Go through all frames; bytes of a frame that is not complete are torn."""
    size = offset = 0
    block = b""
    decompressor = None
    while True:
        if not block and (decompressor is None or decompressor.needs_input):
            block = os.pread(source, _BLOCK, offset)
            offset += len(block)
            if not block:
                break
        decompressor = decompressor or ZstdDecompressor()
        data = decompressor.decompress(block, _BLOCK)
        size += len(data)
        if size > limit:
            raise Unreadable(f"{path} holds more than {limit:,} bytes; decompress it by hand to read it", path=path)
        _write(target, data)
        block = b""
        if decompressor.eof:
            block, decompressor = decompressor.unused_data, None
    if decompressor is not None:
        raise Unreadable(f"{path} ends inside its archive; it is torn, or still being written", path=path)


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(target, view) :]
