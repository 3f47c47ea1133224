"""Compressed sources: decompressed once into a private file that has no name."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Final

from unspool.dataclass import dataclass
from unspool.errors import Unreadable

SUFFIX: Final = ".zst"

SIZE_LIMIT: Final = 8 << 30
"""Decompressed bytes beyond which an archive is refused: no session is that long, and a bomb would fill the disk."""

_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first bytes of an archive: the descriptor of an unlinked file with them.

    `whole` says that they are all. `fault` is what is wrong with the archive, as far as it was looked at.
    """

    descriptor: int
    whole: bool
    fault: Unreadable | None


def decompressed(descriptor: int, path: str, *, limit: int = SIZE_LIMIT) -> int:
    """Decompress a file into an unlinked temporary file and return its descriptor.

    Raises `Unreadable` when the archive is torn or corrupt, or holds more than `limit` bytes.
    """
    import tempfile

    with tempfile.TemporaryFile(prefix="unspool-") as target:
        size = 0
        for block in _blocks(descriptor, path):
            size += len(block)
            if size > limit:
                raise Unreadable(f"{path} holds more than {limit:,} bytes; decompress it by hand to read it", path=path)
            _write(target.fileno(), block)
        return os.dup(target.fileno())


def beginning(descriptor: int, path: str, limit: int) -> Beginning:
    """Decompress about the first `limit` bytes; of a torn or corrupt archive what can be had."""
    import tempfile

    with tempfile.TemporaryFile(prefix="unspool-") as target:
        size, whole, fault = 0, False, None
        try:
            for block in _blocks(descriptor, path):
                _write(target.fileno(), block)
                size += len(block)
                if size >= limit:
                    break
            else:
                whole = True
        except Unreadable as error:
            fault = error
        return Beginning(os.dup(target.fileno()), whole, fault)


def _blocks(source: int, path: str) -> Iterator[bytes]:
    """Yield what the frames of an archive hold; raises `Unreadable` where it is corrupt or ends inside a frame."""
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdDecompressor, ZstdError
    else:
        from backports.zstd import ZstdDecompressor, ZstdError

    offset = 0
    block = b""
    decompressor = None
    while True:
        if not block and (decompressor is None or decompressor.needs_input):
            block = os.pread(source, _BLOCK, offset)
            offset += len(block)
            if not block:
                break
        decompressor = decompressor or ZstdDecompressor()
        try:
            yield decompressor.decompress(block, _BLOCK)
        except ZstdError as error:
            raise _corrupt(path, error) from None
        block = b""
        if decompressor.eof:
            block, decompressor = decompressor.unused_data, None
    if decompressor is not None:
        raise Unreadable(f"{path} ends inside its archive; it is torn, or still being written", path=path)


def _corrupt(path: str, error: Exception) -> Unreadable:
    why = str(error).rpartition(": ")[2]
    return Unreadable(f"{path} is no sound zstd archive ({why}); restore it, or decompress what is left", path=path)


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(target, view) :]
