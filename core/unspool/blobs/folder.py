"""The folder of a store: made with those above it, so that their names outlive a loss of power too."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from unspool.blobs.calls import Os

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY


def make_folder(calls: Os, path: str) -> None:
    """Make a folder and those above it that are missing (0700), and make their names durable; raises `OSError`.

    A name that was there already is made durable as well: whoever made it may have died before doing so.
    """
    path = os.path.abspath(path)
    missing = []
    above = path
    while not _is_there(calls, above):
        missing.append(above)
        above = os.path.dirname(above)
    for folder in reversed(missing):
        with contextlib.suppress(FileExistsError):
            calls.mkdir(folder)
    _flush_upwards(calls, path)


def _is_there(calls: Os, folder: str) -> bool:
    try:
        calls.close(calls.open(folder, _FOLDER))
    except FileNotFoundError:
        return False
    except PermissionError:
        return True  # one that only lets pass through, such as another user's home
    return True


def _flush_upwards(calls: Os, folder: str) -> None:
    """Flush a folder and those above it, as far as a store could have made them: ours, on one file system."""
    device = None
    while True:
        try:
            descriptor = calls.open(folder, _FOLDER)
        except PermissionError:
            return
        try:
            state = calls.stat(descriptor)
            if device not in (None, state.st_dev):
                return
            calls.fsync(descriptor)
        finally:
            calls.close(descriptor)
        device = state.st_dev
        if state.st_uid != os.getuid() or folder == os.path.dirname(folder):
            return
        folder = os.path.dirname(folder)
