"""A blob that is open: read by windows, in constant memory, whatever its size."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from unspool.blobs.line_map import LineMap
from unspool.errors import BlobError

if TYPE_CHECKING:
    from unspool.blobs.content import Kind
    from unspool.ids import BlobId

BLOCK: Final = 1 << 20
"""Bytes that are read at once where a whole blob is gone through."""


class OpenBlob:
    """One blob whose `size` in bytes was fixed when it was opened; a context manager.

    `lines` maps line numbers to bytes; `known` is what was found out when it was open before. Reads raise `BlobError`
    when the bytes are no longer there.
    """

    def __init__(
        self,
        blob_id: BlobId,
        kind: Kind,
        size: int,
        read: Callable[[int, int], bytes],
        close: Callable[[], None],
        *,
        known: LineMap | None = None,
    ) -> None:
        self.id = blob_id
        self.kind = kind
        self.size = size
        self._read = read
        self._close = close
        self.lines = LineMap(self.read, size) if known is None else known.through(self.read)

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes of a half-open range, clamped to the blob."""
        start, stop = max(0, start), min(stop, self.size)
        if stop <= start:
            return b""
        try:
            data = self._read(start, stop - start)
        except OSError as error:
            raise BlobError(f"blob {self.id} cannot be read: {error.strerror}") from error
        if len(data) < stop - start:
            raise BlobError(f"blob {self.id} became shorter while it was read")
        return data

    def blocks(self) -> Iterator[bytes]:
        """Yield the whole blob, block by block."""
        for start in range(0, self.size, BLOCK):
            yield self.read(start, start + BLOCK)

    def digest(self) -> str:
        """Return the SHA-256 of the bytes, in hex."""
        digest = hashlib.sha256()
        for block in self.blocks():
            digest.update(block)
        return digest.hexdigest()

    def close(self) -> None:
        """Let go of the file; closing twice is no fault."""
        close, self._close = self._close, _nothing
        close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _nothing() -> None:
    """Close what is closed already."""
