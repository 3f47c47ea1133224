"""How a file comes under its name: whole, durable, without ever replacing what is there.

Write to a temporary file of the folder, flush it, link it to its name, flush the folder: after that it survives a loss
of power. Leaving out either flush loses acknowledged files, or shows torn ones, in some order in which a disk may have
written; writing in place shows torn ones to every reader.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from typing import TYPE_CHECKING, Final

from unspool.errors import BlobConflict

if TYPE_CHECKING:
    from unspool.blobs.calls import Os

TEMPORARY: Final = ".tmp-"
"""How the name of a temporary file begins."""

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_BLOCK: Final = 1 << 20
_OWN: Final = 4
"""Random bytes in the name of a temporary file: who tries again stumbles over no file of one that died."""


def write_new(calls: Os, folder: int, name: str, data: bytes) -> bool:
    """Bring bytes under a name in an open folder; `False` when they were there already, and now are durable too.

    Raises `OSError`, and `BlobConflict` when the name holds something else; then no temporary file and no half file
    stays.
    """
    temporary = f"{TEMPORARY}{os.urandom(_OWN).hex()}-{name}"
    linked = False
    try:
        _write(calls, folder, temporary, data)
        linked = _linked(calls, folder, temporary, name, data)
        calls.fsync(folder)
    except BaseException:
        remove(calls, folder, temporary)
        if linked:
            remove(calls, folder, name)
        raise
    if not remove(calls, folder, temporary):
        message = f"{name} is stored, but its temporary file could not be removed: {temporary}"
        warnings.warn(message, RuntimeWarning, stacklevel=5)
    return linked


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


def _linked(calls: Os, folder: int, temporary: str, name: str, data: bytes) -> bool:
    """Link the temporary file to its name; `False` when the same bytes were there, which then are durable too."""
    try:
        calls.link(temporary, name, dir_fd=folder)
    except FileExistsError:
        descriptor = calls.open(name, _READ, dir_fd=folder)
        try:
            if _digest(calls, descriptor) != hashlib.sha256(data).digest():
                raise BlobConflict(f"another content is stored as {name}; it is left as it is") from None
            calls.fsync(descriptor)
        finally:
            calls.close(descriptor)
        return False
    return True


def _digest(calls: Os, descriptor: int) -> bytes:
    digest, offset = hashlib.sha256(), 0
    while block := calls.read(descriptor, offset, _BLOCK):
        digest.update(block)
        offset += len(block)
    return digest.digest()


def remove(calls: Os, folder: int, name: str) -> bool:
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
