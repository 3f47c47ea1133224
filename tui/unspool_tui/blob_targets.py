"""Which stored output, or which folder of them, a word on the command line names."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from unspool.named_tuple import NamedTuple
from unspool.pattern import pattern
from unspool_tui.arguments import UsageError

if TYPE_CHECKING:
    from unspool.blobs.files import FileBlobStore
    from unspool.ids import BlobId

NAMED_FOLDERS: Final = 4
"""Folders that an error names: more would no longer be one line."""

_MARK = pattern(r"\[?blob:([^\]\s]*)\]?")
"""An id as it stands in a conversation."""


class BlobTarget(NamedTuple):
    """A store of blobs, and the blob in it that is meant; `None` for all of it."""

    store: FileBlobStore
    blob: BlobId | None


def blob_target(
    text: str | None, given: str | None, stores: Callable[[], Sequence[FileBlobStore]]
) -> BlobTarget | None:
    """Return what a word names: a folder of blobs, a blob's file, or an id; `None` for what is no blob's.

    `given` is the folder that a person names beside it; without one an id is looked up in `stores`. Raises
    `Unreadable`, `BadReference` and `BlobNotFound`.
    """
    if text is None:
        if given is None:
            raise UsageError("nothing is named; write REF/ID, a blob's id with --blobs DIR, or a folder of blobs")
        return BlobTarget(store_in(given), None)
    found = _of_path(text)
    if found is not None:
        return found
    marked = _MARK.fullmatch(text.strip())
    if "/" in text and marked is None:
        return None
    blob = _parsed(marked[1] if marked else text, wanted=marked is not None or given is not None)
    if blob is None:
        return None
    return BlobTarget(store_in(given), blob) if given is not None else _looked_up(blob, stores())


def store_in(folder: str) -> FileBlobStore:
    """Return the store of a folder that a person names; raises `Unreadable`."""
    from unspool.blobs.files import FileBlobStore
    from unspool.errors import Unreadable

    path = os.path.expanduser(folder)
    if not os.path.isdir(path):
        what = "is no folder" if os.path.lexists(path) else "is not there"
        raise Unreadable(f"{folder} {what}; --blobs names a folder of blobs", path=folder)
    return FileBlobStore(path)


def _of_path(text: str) -> BlobTarget | None:
    """Return what a path names: a folder of blobs, or the file of a blob, there or not, by its id with any ending."""
    from unspool.blobs.files import FileBlobStore
    from unspool.blobs.names import ENDINGS, blob_id_of, holds_blobs

    path = os.path.expanduser(text)
    if os.path.isdir(path):
        return BlobTarget(FileBlobStore(path), None) if holds_blobs(path) else None
    folder, name = os.path.split(path)
    blob = blob_id_of(name) or blob_id_of(f"{name}{ENDINGS['text']}")
    if blob is None or not (folder or os.path.lexists(path)) or not os.path.isdir(folder or os.curdir):
        return None
    return BlobTarget(FileBlobStore(folder or os.curdir), blob)


def _parsed(text: str, *, wanted: bool) -> BlobId | None:
    """Parse an id; what is none is `None`, or where one is `wanted` raises `BadReference`."""
    from unspool.errors import BadReference
    from unspool.ids import BlobId

    try:
        return BlobId.parse(text)
    except BadReference:
        if wanted:
            raise
        return None


def _looked_up(blob: BlobId, stores: Sequence[FileBlobStore]) -> BlobTarget:
    """Return the first store that has a blob; raises `BlobNotFound`."""
    from unspool.errors import BlobNotFound

    for store in stores:
        if store.exists(blob):
            return BlobTarget(store, blob)
    named = ", ".join(str(store.root) for store in stores[:NAMED_FOLDERS])
    where = f" in {named}{', …' if len(stores) > NAMED_FOLDERS else ''}" if stores else ""
    raise BlobNotFound(f"blob not found: {blob}{where}; --blobs DIR says where it lies")
