"""Which folder of blobs belongs to a session, as an open store."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from unspool.stores import by_agent

if TYPE_CHECKING:
    from unspool.blobs.files import FileBlobStore
    from unspool.stores.base import SourceFile, Store


class BlobStores:
    """What a person said of blobs: `given` for every session, `spare` for those without a folder of their own."""

    def __init__(self, given: str | None = None, spare: str | None = None) -> None:
        self.given = given
        self.spare = spare
        self._stores: dict[tuple[str, bool], FileBlobStore] = {}
        """One for each folder: what was measured in it is known to the next session that names it."""

    def of(self, store: Store, source: SourceFile) -> FileBlobStore | None:
        """Return the blobs of a session; `None` where its agent has none and nobody said anything.

        A folder that is only found beside the sessions must not be a link.
        """
        found = store.blobs(source)
        named = self.given
        if named is None and (found is None or not os.path.lexists(found)):
            named = self.spare
        if named is not None:
            return self._store(named, links=True)
        return self._store(found, links=False) if found is not None else None

    def known(self, sources: Iterable[SourceFile]) -> list[FileBlobStore]:
        """Return the blobs of some sessions, folders that are not there left out, each once."""
        found: dict[FileBlobStore, None] = {}
        for source in sources:
            store = by_agent(source.agent)
            blobs = self.of(store, source) if store is not None else None
            if blobs is not None and blobs.root.is_dir():
                found[blobs] = None
        return list(found)

    def _store(self, folder: str, *, links: bool) -> FileBlobStore:
        from unspool.blobs.files import FileBlobStore

        return self._stores.setdefault((folder, links), FileBlobStore(folder, links=links))
