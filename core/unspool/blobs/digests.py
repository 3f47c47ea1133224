"""The digests of stored blobs: one append-only file beside them, so that damage is told from what was stored.

A line is `<id> <sha256 in hex> <bytes>`, or `<id> deleted` when the store removed the blob. The last line of an id
counts. A torn line, left by a writer that died, is closed off by the next one and says nothing.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.errors import BadReference
from unspool.ids import BlobId

if TYPE_CHECKING:
    from unspool.blobs.calls import Os

NAME: Final = ".digests"
_LINE: Final = 256
"""Bytes of the longest line that is read as one: ours have 120 at most."""
_BLOCK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Noted:
    """What was noted when a blob was stored: the SHA-256 of its bytes in hex, and how many they are."""

    digest: str
    bytes: int


class Digests:
    """The digest file of one folder; `folder` is an open descriptor of it. All calls raise `OSError`."""

    def __init__(self, calls: Os, folder: int) -> None:
        self._calls = calls
        self._folder = folder

    def note(self, blob_id: BlobId, digest: str, size: int) -> None:
        """Note a blob, durably."""
        self._append(f"{blob_id} {digest} {size}\n".encode())

    def forget(self, blob_id: BlobId) -> None:
        """Note that a blob is gone on purpose."""
        self._append(f"{blob_id} deleted\n".encode())

    def read(self) -> dict[BlobId, Noted | None]:
        """Return what is noted for each id; `None` for what was deleted. No file reads as no notes."""
        found: dict[BlobId, Noted | None] = {}
        for line in self._lines():
            match line.decode(errors="replace").split(" "):
                case [name, "deleted"]:
                    noted = None
                case [name, digest, size] if len(digest) == 64 and size.isascii() and size.isdecimal():
                    noted = Noted(digest, int(size))
                case _:
                    continue
            try:
                found[BlobId.parse(name)] = noted
            except BadReference:
                continue
        return found

    def _append(self, line: bytes) -> None:
        """Write one whole line behind what is there, or nothing."""
        descriptor, new = self._writable()
        try:
            self._calls.lock(descriptor)
            size = self._calls.stat(descriptor).st_size
            if size and self._calls.read(descriptor, size - 1, 1) != b"\n":
                line = b"\n" + line
            if self._calls.write(descriptor, line) < len(line):
                self._calls.truncate(descriptor, size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self._calls.fsync(descriptor)
        finally:
            self._calls.close(descriptor)
        if new:
            self._calls.fsync(self._folder)

    def _writable(self) -> tuple[int, bool]:
        """Open the file for appending; also say whether it was made for that."""
        flags = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW
        try:
            return self._calls.open(NAME, flags, dir_fd=self._folder), False
        except FileNotFoundError:
            return self._calls.open(NAME, flags | os.O_CREAT, dir_fd=self._folder), True

    def _lines(self) -> Iterator[bytes]:
        try:
            descriptor = self._calls.open(NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=self._folder)
        except FileNotFoundError:
            return
        try:
            rest, offset = b"", 0
            while block := self._calls.read(descriptor, offset, _BLOCK):
                offset += len(block)
                *lines, rest = (rest + block).split(b"\n")
                yield from (line for line in lines if len(line) < _LINE)
                rest = rest[:_LINE]
        finally:
            self._calls.close(descriptor)
