"""The asynchronous face of a blob store: each call runs in a thread, so that an event loop never waits for a disk."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.blobs.content import Content
    from unspool.blobs.opened import OpenBlob
    from unspool.blobs.store import BlobStat, BlobStore
    from unspool.ids import BlobId


@dataclass(frozen=True, slots=True)
class AsyncBlobStore:
    """Any `BlobStore`, awaited. Arguments, answers and errors are those of the store.

    A call that is cancelled still ends in its thread: a blob may then be stored whose id nobody was told.
    """

    blobs: BlobStore

    async def store(self, content: Content) -> BlobId:
        """Keep a content."""
        return await asyncio.to_thread(self.blobs.store, content)

    async def load(self, blob_id: BlobId) -> Content:
        """Return a whole content."""
        return await asyncio.to_thread(self.blobs.load, blob_id)

    async def exists(self, blob_id: BlobId) -> bool:
        """Say whether there is a blob of this id."""
        return await asyncio.to_thread(self.blobs.exists, blob_id)

    async def open(self, blob_id: BlobId) -> OpenBlob:
        """Open a blob; its reads are small, and may be made where they are needed."""
        return await asyncio.to_thread(self.blobs.open, blob_id)

    async def stat(self, blob_id: BlobId) -> BlobStat:
        """Measure a blob."""
        return await asyncio.to_thread(self.blobs.stat, blob_id)

    async def ids(self) -> list[BlobId]:
        """Return the ids of all blobs, oldest first."""
        return await asyncio.to_thread(lambda: list(self.blobs.ids()))

    async def delete(self, blob_id: BlobId) -> None:
        """Remove a blob."""
        await asyncio.to_thread(self.blobs.delete, blob_id)
