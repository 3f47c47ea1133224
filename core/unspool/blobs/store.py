"""What every blob store promises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, Protocol

import uuid_utils

from unspool.dataclass import dataclass
from unspool.ids import BlobId

if TYPE_CHECKING:
    from unspool.blobs.content import Content, Kind
    from unspool.blobs.opened import OpenBlob

State = Literal["good", "bad", "unknown", "missing"]


@dataclass(frozen=True, slots=True)
class BlobStat:
    """What a blob is: its kind, its size in bytes and lines, and the SHA-256 of its bytes in hex.

    Bytes and lines are those of the stored form: for a JSON value, its indented text.
    """

    kind: Kind
    bytes: int
    lines: int
    digest: str


@dataclass(frozen=True, slots=True)
class BlobCheck:
    """What `verify` found about one blob.

    `good` and `bad` tell whether its bytes are those that were stored; `unknown`: no digest was noted for it;
    `missing`: a digest was noted, but the blob is gone without having been deleted through the store.
    """

    id: BlobId
    state: State


class BlobStore(Protocol):
    """Keeps contents under ids. Storing never replaces anything, and storing twice gives two ids."""

    def store(self, content: Content) -> BlobId:
        """Keep a content; when this returns, it stays. Raises `BlobError` when it cannot be kept."""

    def load(self, blob_id: BlobId) -> Content:
        """Return a whole content; raises `BlobNotFound`, and `BlobError` when it cannot be read."""

    def exists(self, blob_id: BlobId) -> bool:
        """Say whether there is a blob of this id."""

    def open(self, blob_id: BlobId) -> OpenBlob:
        """Open a blob to read windows of it; raises `BlobNotFound` and `BlobError`. To be closed by the caller."""

    def stat(self, blob_id: BlobId) -> BlobStat:
        """Measure a blob, in constant memory; raises `BlobNotFound` and `BlobError`."""

    def ids(self) -> Iterator[BlobId]:
        """Yield the ids of all blobs, in the order in which they were made."""

    def delete(self, blob_id: BlobId) -> None:
        """Remove a blob; raises `BlobNotFound`, and `BlobError` when it cannot be removed."""


def new_id() -> BlobId:
    """Return an id that is greater than every one before it in this process, even when the clock is set back."""
    return BlobId(str(uuid_utils.uuid7()))
