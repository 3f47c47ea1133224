"""A folder of blobs as a log: one record for each, in the order of their ids, which is that of their making.

    {"folder":"/srv/agent/blobs","blob":"019d6f3e-52d0-7c4a-9f11-2b8d3c5e7a90","kind":"text"}

The first record names the folder. The log is made when the folder is opened, and stays what it was: blobs that come
later stand behind those that were there.
"""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Self

import orjson

from unspool.blobs.names import listing, total_bytes
from unspool.errors import SourceChanged, Unreadable
from unspool.sources.identity import Identity
from unspool.sources.jsonl import JsonLines
from unspool.sources.lines import LINE_LIMIT
from unspool.text import utf8

if TYPE_CHECKING:
    from unspool.blobs.content import Kind
    from unspool.ids import BlobId


class BlobFolder(JsonLines):
    """A snapshot of what a folder of blobs holds. The blobs themselves are opened by whoever reads them."""

    _held = 0

    @classmethod
    def open(cls, path: str | os.PathLike[str], limit: int = LINE_LIMIT) -> Self:
        """List a folder; raises `Unreadable`."""
        path = os.fspath(path)
        try:
            blobs = listing(path)
            held = total_bytes(path, blobs)
            return cls._of(path, limit, blobs, held)
        except OSError as error:
            raise Unreadable(f"{path} cannot be listed: {error.strerror}", path=path) from error

    @classmethod
    def _of(cls, path: str, limit: int, blobs: list[tuple[BlobId, Kind]], held: int) -> Self:
        with tempfile.TemporaryFile() as file:
            folder = {"folder": utf8(os.path.abspath(path)).decode()}
            for blob_id, kind in blobs:
                file.write(orjson.dumps({**folder, "blob": str(blob_id), "kind": kind}) + b"\n")
                folder = {}
            file.flush()
            descriptor = os.dup(file.fileno())
        opened = cls(path, descriptor, descriptor, Identity.of(descriptor), limit)
        opened._held = held
        return opened

    @property
    def held(self) -> int:
        """Bytes of all blobs, when the folder was opened."""
        return self._held

    def check(self) -> None:
        """Accept whatever became of the folder: the list of what it held is ours."""

    def grown(self, start: int | None = None, most: int | None = None) -> JsonLines | None:
        """Return a snapshot with the blobs made since, `None` without any; raises `SourceChanged` for other changes."""
        newer = type(self).open(self.path, self.limit)
        whole = self.read(0, self.size)
        same = newer.size >= self.size and newer.read(0, self.size) == whole
        if same and newer.size > self.size:
            return newer
        newer.close()
        if same:
            return None
        message = f"{self.path} no longer holds all that it held; open it again to see what it holds now"
        raise SourceChanged(message, path=self.path, byte_range=(0, self.size))
