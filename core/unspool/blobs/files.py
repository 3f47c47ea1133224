"""Blobs in a folder: `<id>.txt` holds a text as it is, `<id>.json` an indented JSON value. Any tool can read them.

What a store promises and how it keeps the promise: when `store` returns, the content survives the process and a loss
of power; a file under a blob's name is always complete, and is never replaced. So a blob is written to a temporary
file of the same folder, flushed, linked to its name (which fails if the name is taken), the folder is flushed, and its
digest is noted, before the answer.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from unspool.blobs.calls import OS, Os
from unspool.blobs.content import Content, Kind, decoded, encoded, kind_of
from unspool.blobs.digests import Digests, Noted
from unspool.blobs.folder import make_folder
from unspool.blobs.names import ENDINGS, blob_id_of
from unspool.blobs.new_file import TEMPORARY
from unspool.blobs.opened import OpenBlob
from unspool.blobs.placing import place
from unspool.blobs.store import BlobCheck, BlobStat, State, new_id
from unspool.errors import BlobError, BlobNotFound
from unspool.ids import BlobId

if TYPE_CHECKING:
    from unspool.blobs.line_map import LineMap

STALE: Final = 36 * 3600
"""Seconds after which a temporary file is taken for one whose writer died; the age that Maildir uses."""

REMEMBERED: Final = 4
"""Blobs whose line starts are remembered when they are closed: those being read, at 1 MB each at most."""

_Version = tuple[BlobId, Kind, int, int, int]
"""A blob's file as it was: id, kind, inode, bytes, time of its last change."""

_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
"""Non-blocking: opening a FIFO must not hang before it can be refused."""
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY


class FileBlobStore:
    """A durable `BlobStore` in one folder, which is made when the first blob is stored (0700; files are 0600).

    Several processes and threads may use one folder at once. With `links=False` a root that is a link is not opened:
    for a folder that was found somewhere and that nobody named. `calls` and `clock` (seconds since the epoch) are
    passed in by tests.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        links: bool = True,
        calls: Os = OS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.root = Path(root)
        self._folder_flags = _FOLDER if links else _FOLDER | os.O_NOFOLLOW
        self._calls = calls
        self._clock = clock
        self._ready = self._swept = False
        self._line_maps: dict[_Version, LineMap] = {}

    def store(self, content: Content) -> BlobId:
        """Keep a content; raises `BlobError` when it cannot be kept, and then leaves nothing behind."""
        blob_id = new_id()
        self.keep(blob_id, content)
        return blob_id

    def keep(self, blob_id: BlobId, content: Content) -> None:
        """Store under an id that was made before: the second try of a writer that got no answer to its first.

        When the same content is there already, it is kept, and made durable. Raises `BlobConflict` when it is
        another, and `BlobError` as `store` does.
        """
        data, ending = encoded(content), ENDINGS[kind_of(content)]
        with _said_plainly(f"a blob could not be stored in {self.root}"):
            if not self._ready:
                make_folder(self._calls, str(self.root))
                self._ready = True
            with self._folder() as folder:
                self._sweep(folder)
                place(self._calls, folder, blob_id, ending, data)

    def load(self, blob_id: BlobId) -> Content:
        """Return a whole content; raises `BlobNotFound`, and `BlobError` when it cannot be read."""
        with self.open(blob_id) as blob:
            return decoded(blob.kind, blob.read(0, blob.size))

    def exists(self, blob_id: BlobId) -> bool:
        """Say whether there is a blob of this id that can be opened."""
        try:
            self.open(blob_id).close()
        except BlobError:
            return False
        return True

    def open(self, blob_id: BlobId) -> OpenBlob:
        """Open a blob to read windows of it; raises `BlobNotFound`, and `BlobError` for what must not be opened.

        Where both files of an id exist, the text is the blob, as in the store this layout comes from.
        """
        with _said_plainly(f"blob {blob_id} cannot be read"):
            try:
                with self._folder() as folder:
                    return self._opened(folder, blob_id)
            except FileNotFoundError:
                raise BlobNotFound(f"blob not found: {blob_id}") from None

    def stat(self, blob_id: BlobId) -> BlobStat:
        """Measure a blob, in constant memory; raises as `open` does."""
        with self.open(blob_id) as blob:
            return BlobStat(blob.kind, blob.size, blob.lines.count, blob.digest())

    def ids(self) -> Iterator[BlobId]:
        """Yield the ids of all blobs, oldest first; a folder that is not there has none."""
        with _said_plainly(f"the blobs in {self.root} cannot be listed"):
            try:
                with self._folder() as folder:
                    found = {blob_id_of(name) for name in self._calls.names(folder)}
            except FileNotFoundError:
                return
        yield from sorted(blob_id for blob_id in found if blob_id is not None)

    def delete(self, blob_id: BlobId) -> None:
        """Remove a blob; raises `BlobNotFound`, and `BlobError` when it cannot be removed."""
        with _said_plainly(f"blob {blob_id} could not be deleted"), self.open(blob_id), self._folder() as folder:
            Digests(self._calls, folder).forget(blob_id)
            for ending in ENDINGS.values():
                with contextlib.suppress(FileNotFoundError):
                    self._calls.unlink(f"{blob_id}{ending}", dir_fd=folder)
            self._calls.fsync(folder)

    def verify(self) -> Iterator[BlobCheck]:
        """Compare every blob with the digest that was noted when it was stored; nothing is repaired.

        Blobs come first, in the order of their ids, then what is missing.
        """
        with _said_plainly(f"the digests in {self.root} cannot be read"):
            try:
                with self._folder() as folder:
                    noted = Digests(self._calls, folder).read()
            except FileNotFoundError:
                return
        for blob_id in self.ids():
            yield BlobCheck(blob_id, self._state(blob_id, noted.pop(blob_id, None)))
        yield from (BlobCheck(blob_id, "missing") for blob_id in sorted(noted) if noted[blob_id] is not None)

    def _state(self, blob_id: BlobId, noted: Noted | None) -> State:
        if noted is None:
            return "unknown"
        try:
            with self.open(blob_id) as blob:
                return "good" if blob.size == noted.bytes and blob.digest() == noted.digest else "bad"
        except BlobError:
            return "bad"

    @contextlib.contextmanager
    def _folder(self) -> Iterator[int]:
        descriptor = self._calls.open(str(self.root), self._folder_flags)
        try:
            yield descriptor
        finally:
            self._close(descriptor)

    def _close(self, descriptor: int) -> None:
        """Close what was only read: it is gone even when the system complains, and nothing is lost by that."""
        with contextlib.suppress(OSError):
            self._calls.close(descriptor)

    def _opened(self, folder: int, blob_id: BlobId) -> OpenBlob:
        """Open the file of a blob in the open folder; raises `OSError`, and `BlobError` for what is no plain file."""
        try:
            kind: Kind = "text"
            descriptor = self._calls.open(f"{blob_id}.txt", _READ, dir_fd=folder)
        except FileNotFoundError:
            kind = "json"
            descriptor = self._calls.open(f"{blob_id}.json", _READ, dir_fd=folder)
        try:
            state = self._calls.stat(descriptor)
            if not stat.S_ISREG(state.st_mode):
                raise BlobError(f"blob {blob_id} is not a plain file; not opened")
        except BaseException:
            self._close(descriptor)
            raise
        key = (blob_id, kind, state.st_ino, state.st_size, state.st_mtime_ns)
        opened = OpenBlob(
            blob_id,
            kind,
            state.st_size,
            partial(self._calls.read, descriptor),
            lambda: self._let_go(descriptor, key, opened.lines),
            known=self._line_maps.get(key),
        )
        return opened

    def _let_go(self, descriptor: int, key: _Version, lines: LineMap) -> None:
        """Close a blob, and remember where its lines start for whoever opens it next."""
        self._close(descriptor)
        if lines.walked:
            self._line_maps.pop(key, None)
            self._line_maps[key] = lines
            for oldest in list(self._line_maps)[:-REMEMBERED]:
                self._line_maps.pop(oldest, None)

    def _sweep(self, folder: int) -> None:
        """Remove what writers left behind that died, once; what cannot be removed is left."""
        if self._swept:
            return
        self._swept = True
        for name in [name for name in self._calls.names(folder) if name.startswith(TEMPORARY)]:
            with contextlib.suppress(OSError):
                descriptor = self._calls.open(name, _READ, dir_fd=folder)
                try:
                    state = self._calls.stat(descriptor)
                finally:
                    self._close(descriptor)
                old = state.st_mtime < self._clock() - STALE
                if old and stat.S_ISREG(state.st_mode) and state.st_uid == os.getuid():
                    self._calls.unlink(name, dir_fd=folder)


@contextlib.contextmanager
def _said_plainly(what: str) -> Iterator[None]:
    """Turn the system's errors into one line."""
    try:
        yield
    except OSError as error:
        raise BlobError(f"{what}: {error.strerror or error}") from error
