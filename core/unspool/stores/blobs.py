"""A folder of blobs that a person names: listed by itself, whichever agent wrote it.

It is nobody's home, and is looked for nowhere: the blobs of an agent's sessions are read through those.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Final

from unspool.blobs.names import holds_blobs, listing, total_bytes
from unspool.stores.base import DEPTH, Fits, ScanError, SourceFile, Store, every


class BlobsStore(Store):
    """Folders of blobs."""

    agent = "blobs"

    def default_roots(self, environ: Mapping[str, str], home: str) -> list[str]:
        """Return nothing: no folder is usual."""
        return []

    def recognise(self, path: str) -> str | None:
        """Return nothing: there may be sessions in the same folder."""
        return None

    def sources(
        self, root: str, *, errors: list[ScanError], depth: int = DEPTH, fits: Fits = every
    ) -> Iterator[SourceFile]:
        """List the folder itself, when it is one of blobs."""
        source = self.source(root)
        if source is not None:
            yield source

    def source(self, path: str) -> SourceFile | None:
        """Describe a folder of blobs; its size is that of all of them."""
        path = os.path.abspath(path)
        if not holds_blobs(path):
            return None
        try:
            size = total_bytes(path, listing(path))
            changed = os.stat(path).st_mtime_ns
        except OSError:
            return None
        above, name = os.path.split(path)
        named = "-".join(filter(None, (os.path.basename(above), name)))
        return SourceFile(path, self.agent, named, None, size, changed)

    def blobs(self, source: SourceFile) -> str | None:
        """Return the folder itself."""
        return source.path


BLOBS_STORE: Final = BlobsStore()
