"""Folders of a recording: made when the first file comes into them, entered only by their owner."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from unspool.blobs.calls import Os

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY


def make_folder(calls: Os, folder: Path) -> list[Path]:
    """Make a folder and those above it that are missing; return those that got a new name in them. Raises `OSError`."""
    if folder.exists():
        return []
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        with contextlib.suppress(FileExistsError):
            calls.mkdir(str(each))
    return [each.parent for each in missing]


def flush_folders(calls: Os, folders: Iterable[Path]) -> None:
    """Make the names in folders outlive a loss of power. Raises `OSError`."""
    for folder in folders:
        with open_folder(calls, folder) as descriptor:
            calls.fsync(descriptor)


@contextlib.contextmanager
def open_folder(calls: Os, folder: Path) -> Iterator[int]:
    """Open a folder while it is used. Raises `OSError`."""
    descriptor = calls.open(str(folder), _FOLDER)
    try:
        yield descriptor
    finally:
        calls.close(descriptor)
