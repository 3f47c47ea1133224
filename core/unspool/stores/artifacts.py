"""Side files of a session: opened by directory handle, one component at a time, never through a link."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass

from unspool.errors import SourceChanged, UnspoolError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Non-blocking: opening a FIFO must not hang before `fstat` can refuse it."""


class RefusedArtifact(UnspoolError):
    """A side file exists but is a link, a FIFO, a device or a folder, and is not opened."""


@dataclass(frozen=True, slots=True)
class ArtifactFolder:
    """A folder of side files: `base` is trusted (the agent's own project folder), `steps` lead down from it."""

    base: str
    steps: tuple[str, ...]

    def sibling(self, session_id: str) -> ArtifactFolder | None:
        """Return the folder of another session of the same project, `None` when the id is no plain name."""
        return ArtifactFolder(self.base, (session_id, *self.steps[1:])) if _plain(session_id) else None

    def find(self, name: str) -> SideFile | None:
        """Return the side file `name`, `None` when there is none.

        Raises `RefusedArtifact` when something stands there that must not be opened.
        """
        if not _plain(name):
            raise RefusedArtifact(f"{name!r} is no plain file name; not opened")
        descriptor = self._open(name)
        if descriptor is None:
            return None
        try:
            state = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        return SideFile(self, name, state.st_size, state.st_ino)

    def _open(self, name: str) -> int | None:
        """Open a regular file below the folder without following any link; `None` when a component is missing."""
        current = None
        try:
            current = os.open(self.base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            for step in self.steps:
                current, above = os.open(step, _FOLDER, dir_fd=current), current
                os.close(above)
            found = os.open(name, _FILE, dir_fd=current)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            why = "a link" if error.errno in (errno.ELOOP, errno.EMLINK) else (error.strerror or "not readable")
            raise RefusedArtifact(f"{name}: {why}; not opened") from error
        finally:
            if current is not None:
                os.close(current)
        if not stat.S_ISREG(os.fstat(found).st_mode):
            os.close(found)
            raise RefusedArtifact(f"{name}: not a regular file; not opened")
        return found


@dataclass(frozen=True, slots=True)
class SideFile:
    """A side file whose `size` in bytes was fixed when it was found."""

    folder: ArtifactFolder
    name: str
    size: int
    inode: int

    def read(self, offset: int, length: int) -> bytes:
        """Return up to `length` bytes at `offset`, never past `size`; raises `SourceChanged` when they are gone."""
        length = max(0, min(length, self.size - offset))
        descriptor = self.folder._open(self.name)
        if descriptor is None:
            raise SourceChanged(f"{self.name} is gone", path=self.name, byte_range=(offset, offset + length))
        try:
            data = os.pread(descriptor, length, offset)
            replaced = os.fstat(descriptor).st_ino != self.inode
        finally:
            os.close(descriptor)
        if len(data) < length or replaced:
            raise SourceChanged(
                f"{self.name} changed since it was first read", path=self.name, byte_range=(offset, offset + length)
            )
        return data


def _plain(name: str) -> bool:
    return name not in ("", ".", "..") and not any(sign in name for sign in "/\\\0")
