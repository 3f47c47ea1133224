"""What a store holds, one row a blob: enough to recognise an output before it is looked into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from unspool.dataclass import dataclass
from unspool.errors import BlobError
from unspool.text import elided

if TYPE_CHECKING:
    from unspool.blobs.content import Kind
    from unspool.blobs.store import BlobStore
    from unspool.ids import BlobId

HEAD_BYTES: Final = 4_096
"""Bytes of a blob that are looked at for its first words."""

WORDS: Final = 200
"""Characters of the first words: a row of the widest screen holds no more."""


@dataclass(frozen=True, slots=True)
class ListedBlob:
    """One blob. `words` are the first words of a text, or the beginning of a JSON value, on one line.

    Of a blob that cannot be opened `kind`, `bytes` and `words` are `None`, and `fault` says why.
    """

    id: BlobId
    kind: Kind | None
    bytes: int | None
    words: str | None
    fault: str | None = None

    def to_json(self, time: str | None) -> dict[str, Any]:
        """Return the object of the command's JSON; `time` is when the blob was made, as it is written there."""
        found = {"id": str(self.id), "kind": self.kind, "bytes": self.bytes, "time": time, "words": self.words}
        return found | ({"fault": self.fault} if self.fault else {})


@dataclass(frozen=True, slots=True)
class BlobPage:
    """Some rows, newest first; `total` counts all blobs, `next` continues, `None` at the end."""

    items: tuple[ListedBlob, ...]
    total: int
    next: str | None


def list_blobs(store: BlobStore, *, limit: int | None, after: BlobId | None = None) -> BlobPage:
    """Return at most `limit` rows, newest first, from behind `after` on; raises `BlobError` for a folder."""
    every = sorted(store.ids(), reverse=True)
    left = every if after is None else [each for each in every if each < after]
    page = left if limit is None else left[:limit]
    following = str(page[-1]) if page and len(page) < len(left) else None
    return BlobPage(tuple(_row(store, each) for each in page), len(every), following)


def _row(store: BlobStore, blob_id: BlobId) -> ListedBlob:
    try:
        with store.open(blob_id) as blob:
            head = blob.read(0, HEAD_BYTES).decode(errors="replace")
            words = _first_line(head) if blob.kind == "text" else " ".join(head.split())
            return ListedBlob(blob_id, blob.kind, blob.size, elided(words, WORDS))
    except BlobError as error:
        return ListedBlob(blob_id, None, None, None, str(error))


def _first_line(text: str) -> str:
    return next((stripped for line in text.split("\n") if (stripped := line.strip())), "")
