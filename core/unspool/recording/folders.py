"""Folders of a recording: made when the first file comes into them, entered only by their owner."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from unspool.blobs.calls import Os

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY


def make_folder(calls: Os, folder: Path) -> None:
    """Make a folder and those above it that are missing, without flushing their names. Raises `OSError`."""
    if folder.exists():
        return
    for each in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        with contextlib.suppress(FileExistsError):
            calls.mkdir(str(each))


@contextlib.contextmanager
def open_folder(calls: Os, folder: Path) -> Iterator[int]:
    """Open a folder while it is used. Raises `OSError`."""
    descriptor = calls.open(str(folder), _FOLDER)
    try:
        yield descriptor
    finally:
        calls.close(descriptor)
