"""Folders that are held open: what is done in one happens in that very folder, wherever its name leads by then."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from unspool.blobs.calls import Os

Identity = tuple[int, int]
"""Device and inode: which file or folder it is, whatever it is called."""

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class Folder:
    """An open folder; a context manager. Names are plain ones, of what lies right in it; links are never followed.

    Everything raises `OSError`. `path` is only for telling people.
    """

    def __init__(self, calls: Os, descriptor: int, path: str) -> None:
        self.calls = calls
        self.descriptor = descriptor
        self.path = path

    @classmethod
    def open(cls, calls: Os, path: str) -> Self:
        """Open a folder by its path, which must not be a link."""
        return cls(calls, calls.open(path, _FOLDER), path)

    def below(self, name: str) -> Folder:
        """Open a folder in this one; raises for a link too."""
        return Folder(self.calls, self.calls.open(name, _FOLDER, dir_fd=self.descriptor), os.path.join(self.path, name))

    def made(self, name: str) -> Folder:
        """Open a folder in this one, which is made when it is not there."""
        with suppress(FileExistsError):
            self.calls.mkdir(name, dir_fd=self.descriptor)
        return self.below(name)

    @property
    def identity(self) -> Identity:
        """Which folder it is."""
        return identity_of(self.calls.stat(self.descriptor))

    def names(self) -> list[str]:
        """Return what lies in it, sorted."""
        return sorted(self.calls.names(self.descriptor))

    def look(self, name: str) -> os.stat_result | None:
        """Return what a name stands for, a link itself; `None` for nothing."""
        try:
            return self.calls.look(name, dir_fd=self.descriptor)
        except FileNotFoundError:
            return None

    def close(self) -> None:
        """Let go of it."""
        self.calls.close(self.descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def identity_of(state: os.stat_result) -> Identity:
    """Return which file or folder was looked at."""
    return state.st_dev, state.st_ino


def is_folder(state: os.stat_result) -> bool:
    """Say whether it is a folder, and no link to one."""
    return stat.S_ISDIR(state.st_mode)
