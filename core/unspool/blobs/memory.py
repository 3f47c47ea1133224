"""Blobs in memory: for tests, and for agents that end with their process."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from unspool.blobs.content import Content, Kind, decoded, encoded, kind_of
from unspool.blobs.opened import OpenBlob
from unspool.blobs.store import BlobStat, new_id
from unspool.errors import BlobNotFound

if TYPE_CHECKING:
    from unspool.ids import BlobId


class MemoryBlobStore:
    """A `BlobStore` that forgets everything with its process. Contents are kept as the bytes a file would hold."""

    def __init__(self) -> None:
        self._blobs: dict[BlobId, tuple[Kind, bytes]] = {}

    def store(self, content: Content) -> BlobId:
        """Keep a content; raises `BlobError` for a value that is no JSON."""
        data = encoded(content)
        blob_id = new_id()
        self._blobs[blob_id] = kind_of(content), data
        return blob_id

    def load(self, blob_id: BlobId) -> Content:
        """Return a content; raises `BlobNotFound`."""
        return decoded(*self._found(blob_id))

    def exists(self, blob_id: BlobId) -> bool:
        """Say whether there is a blob of this id."""
        return blob_id in self._blobs

    def open(self, blob_id: BlobId) -> OpenBlob:
        """Open a blob to read windows of it; raises `BlobNotFound`."""
        kind, data = self._found(blob_id)
        return OpenBlob(blob_id, kind, len(data), lambda offset, length: data[offset : offset + length], lambda: None)

    def stat(self, blob_id: BlobId) -> BlobStat:
        """Measure a blob; raises `BlobNotFound`."""
        kind, data = self._found(blob_id)
        with self.open(blob_id) as blob:
            return BlobStat(kind, len(data), blob.lines.count, hashlib.sha256(data).hexdigest())

    def ids(self) -> Iterator[BlobId]:
        """Yield the ids of all blobs, oldest first."""
        yield from sorted(self._blobs)

    def delete(self, blob_id: BlobId) -> None:
        """Forget a blob; raises `BlobNotFound`."""
        self._found(blob_id)
        del self._blobs[blob_id]

    def _found(self, blob_id: BlobId) -> tuple[Kind, bytes]:
        try:
            return self._blobs[blob_id]
        except KeyError:
            raise BlobNotFound(f"blob not found: {blob_id}") from None
