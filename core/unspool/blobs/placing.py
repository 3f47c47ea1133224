"""How a blob comes under its name: whole, durable, without ever replacing what is there.

Write to a temporary file of the folder, flush it, link it to its name, flush the folder: after that it survives a
loss of power, and its digest is noted. Leaving out either flush loses acknowledged blobs, or shows torn ones, in some
order in which a disk may have written; writing in place shows torn ones to every reader.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import warnings
from typing import Final

from unspool.blobs.calls import Os
from unspool.blobs.digests import Digests
from unspool.blobs.names import ENDINGS
from unspool.errors import BlobConflict
from unspool.ids import BlobId

TEMPORARY: Final = ".tmp-"
"""How the name of a temporary file begins."""

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_BLOCK: Final = 1 << 20


def place(calls: Os, folder: int, blob_id: BlobId, ending: str, data: bytes) -> None:
    """Bring the bytes of a blob under its name in an open folder.

    Raises `OSError`, and `BlobConflict` when something else is there under this id; then no temporary file and no half
    blob stays. A file with the same bytes is no conflict: it is made durable.
    """
    name = f"{blob_id}{ending}"
    temporary = f"{TEMPORARY}{name}"
    digest = hashlib.sha256(data).hexdigest()
    _refuse_twin(calls, folder, blob_id, ending)
    linked = False
    try:
        _write(calls, folder, temporary, data)
        linked = _linked(calls, folder, temporary, name, digest)
        calls.fsync(folder)
        Digests(calls, folder).note(blob_id, digest, len(data))
    except BaseException:
        _removed(calls, folder, temporary)
        if linked and _removed(calls, folder, name):
            with contextlib.suppress(OSError):
                Digests(calls, folder).forget(blob_id)
        raise
    if not _removed(calls, folder, temporary):
        message = f"blob {blob_id} is stored, but its temporary file could not be removed: {temporary}"
        warnings.warn(message, RuntimeWarning, stacklevel=4)


def _write(calls: Os, folder: int, temporary: str, data: bytes) -> None:
    """Write a new file and flush it. A flush that failed is never tried again: the system may have dropped the data."""
    descriptor = calls.open(temporary, _NEW, dir_fd=folder)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[calls.write(descriptor, rest) :]
        calls.fsync(descriptor)
    finally:
        calls.close(descriptor)


def _linked(calls: Os, folder: int, temporary: str, name: str, digest: str) -> bool:
    """Link the temporary file to its name; `False` when the same bytes were there, which then are durable too."""
    try:
        calls.link(temporary, name, dir_fd=folder)
    except FileExistsError:
        descriptor = calls.open(name, _READ, dir_fd=folder)
        try:
            if _digest(calls, descriptor) != digest:
                raise BlobConflict(f"another content is stored as {name}; it is left as it is") from None
            calls.fsync(descriptor)
        finally:
            calls.close(descriptor)
        return False
    return True


def _digest(calls: Os, descriptor: int) -> str:
    digest, offset = hashlib.sha256(), 0
    while block := calls.read(descriptor, offset, _BLOCK):
        digest.update(block)
        offset += len(block)
    return digest.hexdigest()


def _refuse_twin(calls: Os, folder: int, blob_id: BlobId, ending: str) -> None:
    """Refuse an id that stands under the other ending: one of the two could never be read."""
    for other in ENDINGS.values():
        if other == ending:
            continue
        with contextlib.suppress(FileNotFoundError):
            calls.close(calls.open(f"{blob_id}{other}", _READ, dir_fd=folder))
            raise BlobConflict(f"another content is stored as {blob_id}{other}; it is left as it is")


def _removed(calls: Os, folder: int, name: str) -> bool:
    """Remove a name, with a second try when the first fails; say whether it is gone."""
    for _ in range(2):
        try:
            calls.unlink(name, dir_fd=folder)
        except FileNotFoundError:
            return True
        except OSError:
            continue
        return True
    return False
