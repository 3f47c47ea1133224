"""Side files of a session: opened by directory handle, one component at a time, never through a link."""

from __future__ import annotations

import os
import stat

from unspool.dataclass import dataclass
from unspool.errors import SourceChanged, UnspoolError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Non-blocking: opening a FIFO must not hang before `fstat` can refuse it."""


class RefusedArtifact(UnspoolError):
    """A side file exists but is a link, a FIFO, a device or a folder, and is not opened."""


@dataclass(frozen=True, slots=True)
class ArtifactFolder:
    """A folder of side files: `base` is trusted (the agent's own project folder), `steps` lead down from it.

    `runs` is where older versions of the agent kept side files, in a folder for each of its runs: which session a run
    belonged to, only the session itself tells.
    """

    base: str
    steps: tuple[str, ...]
    runs: ArtifactFolder | None = None

    def sibling(self, session_id: str) -> ArtifactFolder | None:
        """Return the folder of another session of the same project, `None` when the id is no plain name."""
        return ArtifactFolder(self.base, (session_id, *self.steps[1:])) if _plain(session_id) else None

    def is_bereft(self, session_id: str) -> bool:
        """Say whether a session of the same project is known by its folder alone, its log being gone."""
        return _plain(session_id) and not os.path.lexists(os.path.join(self.base, f"{session_id}.jsonl"))

    def run(self, folders: tuple[str, ...]) -> ArtifactFolder | None:
        """Return the folder of a run, given by its name and the name above it; `None` when that is nothing of ours."""
        if self.runs is None or len(folders) < 2 or folders[0] != self.runs.steps[-1] or not _plain(folders[1]):
            return None
        return ArtifactFolder(self.runs.base, (*self.runs.steps, folders[1]))

    @property
    def path(self) -> str:
        """Where the folder lies, existing or not."""
        return os.path.join(self.base, *self.steps)

    def find(self, name: str) -> SideFile | None:
        """Return the side file `name`, `None` when there is none.

        Raises `RefusedArtifact` when something stands there that must not be opened.
        """
        if not _plain(name):
            raise RefusedArtifact(f"{name!r} is no plain file name; not opened")
        descriptor = self.open(name)
        if descriptor is None:
            return None
        try:
            state = _state(descriptor, name)
        finally:
            os.close(descriptor)
        return SideFile(self, name, state.st_size, state.st_ino, state.st_mtime_ns)

    def open(self, name: str) -> int | None:
        """Open a regular file for reading, to be closed by the caller; `None` when it or a folder above is missing.

        Raises `RefusedArtifact`, also for a link anywhere below `base`.
        """
        folder = self._enter()
        if folder is None:
            return None
        try:
            found = _open_below(folder, name, _FILE)
        finally:
            os.close(folder)
        if found is None:
            return None
        try:
            if stat.S_ISREG(_state(found, name).st_mode):
                return found
        except RefusedArtifact:
            os.close(found)
            raise
        os.close(found)
        raise RefusedArtifact(f"{name}: not a regular file; not opened")

    def _enter(self) -> int | None:
        try:
            current = os.open(self.base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise RefusedArtifact(f"the session's folder cannot be opened: {error.strerror}") from error
        for step in self.steps:
            try:
                below = _open_below(current, step, _FOLDER)
            finally:
                os.close(current)
            if below is None:
                return None
            current = below
        return current


@dataclass(frozen=True, slots=True)
class SideFile:
    """A side file whose `size` in bytes was fixed when it was found; it may grow, but not change."""

    folder: ArtifactFolder
    name: str
    size: int
    inode: int
    mtime_ns: int

    def read(self, offset: int, length: int) -> bytes:
        """Return up to `length` bytes at `offset`, never past `size`; raises `SourceChanged` when they are gone."""
        length = max(0, min(length, self.size - offset))
        wanted = (offset, offset + length)
        try:
            descriptor = self.folder.open(self.name)
        except RefusedArtifact as error:
            raise SourceChanged(str(error), path=self.name, byte_range=wanted) from error
        if descriptor is None:
            raise SourceChanged(f"{self.name} is gone", path=self.name, byte_range=wanted)
        try:
            data = os.pread(descriptor, length, offset)
            changed = self._changed(os.fstat(descriptor))
        except OSError as error:
            message = f"{self.name} cannot be read: {error.strerror}"
            raise SourceChanged(message, path=self.name, byte_range=wanted) from error
        finally:
            os.close(descriptor)
        if len(data) < length or changed:
            raise SourceChanged(f"{self.name} changed since it was first read", path=self.name, byte_range=wanted)
        return data

    def _changed(self, now: os.stat_result) -> bool:
        """Say whether this is another file, or the same rewritten in place; a longer one was only appended to."""
        return now.st_ino != self.inode or (now.st_size <= self.size and now.st_mtime_ns != self.mtime_ns)


def changed_at(folder: str) -> int | None:
    """Return when a folder changed last, in nanoseconds; `None` while it is not there."""
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return None


def _open_below(folder: int, name: str, flags: int) -> int | None:
    """Open one component of an open folder, `None` when it is missing; raises `RefusedArtifact`."""
    try:
        return os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if _is_link(folder, name):
            raise RefusedArtifact(f"{name}: a link; not opened") from error
        if isinstance(error, NotADirectoryError):
            return None
        raise RefusedArtifact(f"{name}: {error.strerror or 'not readable'}; not opened") from error


def _state(descriptor: int, name: str) -> os.stat_result:
    try:
        return os.fstat(descriptor)
    except OSError as error:
        raise RefusedArtifact(f"{name}: {error.strerror}; not opened") from error


def _is_link(folder: int, name: str) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _plain(name: str) -> bool:
    return name not in ("", ".", "..") and not any(sign in name for sign in "/\\\0")
