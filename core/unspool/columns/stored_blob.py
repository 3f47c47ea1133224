"""A stored output as the full text of a piece: one blob of a store, opened for each window that is read of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from unspool.dataclass import dataclass
from unspool.errors import BlobError, SourceChanged

if TYPE_CHECKING:
    from unspool.blobs.store import BlobStore
    from unspool.ids import BlobId


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """A blob whose `size` in bytes was fixed when it was found. It holds nothing open: a session may name thousands."""

    store: BlobStore
    id: BlobId
    size: int

    @classmethod
    def find(cls, store: BlobStore, blob_id: BlobId) -> Self:
        """Return the blob of an id; raises `BlobNotFound`, and `BlobError` for what must not be opened."""
        with store.open(blob_id) as blob:
            return cls(store, blob_id, blob.size)

    def read(self, offset: int, length: int) -> bytes:
        """Return up to `length` bytes at `offset`, never past `size`; raises `SourceChanged` when they are gone."""
        stop = min(offset + length, self.size)
        try:
            with self.store.open(self.id) as blob:
                data = blob.read(offset, stop)
        except BlobError as error:
            raise SourceChanged(str(error), path=str(self.id), byte_range=(offset, stop)) from error
        if len(data) < stop - offset:
            message = f"blob {self.id} changed since it was first read"
            raise SourceChanged(message, path=str(self.id), byte_range=(offset, stop))
        return data
