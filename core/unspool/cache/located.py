"""Where saved texts were found, told without the folders: these are the session's own each time it is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unspool.cache.packing import Unpackable
from unspool.columns.side_files import Located, SideFiles
from unspool.columns.stored_blob import StoredBlob
from unspool.ids import BlobId
from unspool.stores.artifacts import ArtifactFolder, SideFile

Told = tuple[Any, ...]
"""Row and notice; behind them id and bytes of a blob, or whose folder a file is in, its name, and what it was."""


def told(stored: Mapping[int, Located], side_files: SideFiles) -> list[Told]:
    """Return what can be kept of look-ups; raises `Unpackable` for a folder that leads nowhere from the session's."""
    return [(row, located.notice, *_told(located.file, side_files.folder)) for row, located in stored.items()]


def located(told: Sequence[Told], side_files: SideFiles) -> dict[int, Located]:
    """Return look-ups as they were told; raises `ValueError` for what the session cannot have found.

    Raises `UnspoolError` for a blob that is gone.
    """
    return {row: Located(_file(side_files, *file), notice) for row, notice, *file in told}


def _told(file: SideFile | StoredBlob | None, own: ArtifactFolder | None) -> Told:
    if file is None:
        return ()
    if isinstance(file, StoredBlob):
        return str(file.id), file.size
    folder = file.folder
    for whose in (None, *folder.steps[:1], folder.steps[-2:]):
        if _folder(own, whose) == folder:
            return whose, file.name, file.size, file.inode, file.mtime_ns
    raise Unpackable(folder.path)


def _file(side_files: SideFiles, *file: Any) -> SideFile | StoredBlob | None:
    match file:
        case ():
            return None
        case (str(blob), int(size)) if side_files.blobs is not None:
            found = StoredBlob.find(side_files.blobs, BlobId.parse(blob))
            if found.size == size:
                return found
        case (whose, name, size, inode, mtime_ns):
            folder = _folder(side_files.folder, whose)
            if folder is not None:
                return SideFile(folder, name, size, inode, mtime_ns)
        case _:
            pass
    raise ValueError(f"no file of this session: {file}")


def _folder(own: ArtifactFolder | None, whose: str | tuple[str, ...] | None) -> ArtifactFolder | None:
    """Return the session's own folder, that of another session by its id, or that of a run by its last two names."""
    if own is None or whose is None:
        return own
    return own.sibling(whose) if isinstance(whose, str) else own.run(whose)
