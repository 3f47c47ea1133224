"""How a blob comes under its name, and its digest beside it."""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import TYPE_CHECKING, Final

from unspool.blobs.digests import Digests
from unspool.blobs.names import ENDINGS
from unspool.blobs.new_file import remove, write_new
from unspool.errors import BlobConflict

if TYPE_CHECKING:
    from unspool.blobs.calls import Os
    from unspool.ids import BlobId

_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


def place(calls: Os, folder: int, blob_id: BlobId, ending: str, data: bytes) -> None:
    """Bring the bytes of a blob under its name in an open folder.

    Raises `OSError`, and `BlobConflict` when something else is there under this id; then no temporary file and no half
    blob stays. A file with the same bytes is no conflict: it is made durable.
    """
    _refuse_twin(calls, folder, blob_id, ending)
    name = f"{blob_id}{ending}"
    new = write_new(calls, folder, name, data)
    digests = Digests(calls, folder)
    try:
        digests.note(blob_id, hashlib.sha256(data).hexdigest(), len(data))
    except BaseException:
        if new and remove(calls, folder, name):
            with contextlib.suppress(OSError):
                digests.forget(blob_id)
        raise


def _refuse_twin(calls: Os, folder: int, blob_id: BlobId, ending: str) -> None:
    """Refuse an id that stands under the other ending: one of the two could never be read."""
    for other in ENDINGS.values():
        if other == ending:
            continue
        with contextlib.suppress(FileNotFoundError):
            calls.close(calls.open(f"{blob_id}{other}", _READ, dir_fd=folder))
            raise BlobConflict(f"another content is stored as {blob_id}{other}; it is left as it is")
