"""Which files there are, and what became of them since they were last looked at: by names, `stat`, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from unspool.dataclass import dataclass, field
from unspool.ids import SessionRef

if TYPE_CHECKING:
    from unspool.follow.tail import Stamp
    from unspool.formats.waiting import Waiting
    from unspool.stores.base import ScanError, SourceFile
    from unspool.views.view import SessionView


class Places(Protocol):
    """Where sessions are looked for, and how they are opened."""

    def sources(self, below: str | None, errors: list[ScanError]) -> Iterable[SourceFile]:
        """List the session files under all roots, or those below one folder or at one path; faults are appended."""
        ...

    def ref(self, source: SourceFile) -> SessionRef:
        """Return the reference of a file; two files may claim the same."""
        ...

    def open(self, source: SourceFile, ref: SessionRef) -> SessionView:
        """Read a session; raises `Unreadable`."""
        ...

    def folders(self) -> list[str]:
        """Return the folders to watch, existing or not."""
        ...

    def root(self, path: str) -> str | None:
        """Return the root that a path lies in; `None` for a file elsewhere."""
        ...


@dataclass(slots=True, eq=False)
class Known:
    """A session's file as it was when it was last looked at. `since` is how much of it was there at the beginning.

    `anew` says that it is not that any more: it was replaced or cut before anybody had read it. `unread` is one that is
    to be read though it did not change: it appeared, or could not be read.
    `waiting` is for what its agent waited, and `refused` why it cannot be read, when that was last told.
    """

    ref: SessionRef
    source: SourceFile
    stamp: Stamp
    since: int = 0
    anew: bool = False
    unread: bool = False
    missing: bool = False
    waiting: Waiting | None = None
    refused: str | None = None

    @property
    def path(self) -> str:
        """Where the file lies."""
        return self.source.path


@dataclass(slots=True, eq=False)
class Census:
    """The files that are known, by path and by inode."""

    known: dict[str, Known] = field(default_factory=dict)
    _inodes: dict[tuple[int, int], str] = field(default_factory=dict)
    _refs: dict[SessionRef, str] = field(default_factory=dict)

    def add(self, source: SourceFile, ref: SessionRef, stamp: Stamp) -> Known:
        """Add a file, under a reference that no other file has."""
        while self._refs.get(ref, source.path) != source.path:
            ref = SessionRef(ref.agent, ref.session_id, ref.part, copy=ref.copy + 1)
        known = Known(ref, source, stamp)
        self._enter(known)
        return known

    def _enter(self, known: Known) -> None:
        self.known[known.path] = known
        self._inodes[known.stamp[:2]] = known.path
        self._refs[known.ref] = known.path

    def drop(self, known: Known) -> None:
        """Forget a file."""
        self.known.pop(known.path, None)
        if self._inodes.get(known.stamp[:2]) == known.path:
            del self._inodes[known.stamp[:2]]
        if self._refs.get(known.ref) == known.path:
            del self._refs[known.ref]

    def move(self, known: Known, source: SourceFile, stamp: Stamp) -> None:
        """Note that a file lies elsewhere now, where none is known; it keeps its reference.

        One that was compressed, or is no longer, says what it said.
        """
        self.drop(known)
        anew, recoded = known.anew, source.compressed != known.source.compressed
        known.source, known.missing = source, False
        self.stamped(known, stamp)
        if recoded:
            known.anew, known.since = anew, stamp[2]
        self._enter(known)

    def stamped(self, known: Known, stamp: Stamp) -> None:
        """Note what a file is now."""
        known.anew = known.anew or stamp[:2] != known.stamp[:2] or stamp[2] < known.since
        if self._inodes.get(known.stamp[:2]) == known.path:
            del self._inodes[known.stamp[:2]]
        known.stamp = stamp
        self._inodes[stamp[:2]] = known.path

    def at(self, inode: tuple[int, int]) -> Known | None:
        """Return the file that had an inode when it was last looked at."""
        return self.known.get(self._inodes.get(inode, ""))

    def of(self, ref: SessionRef) -> Known | None:
        """Return the file that a session has."""
        return self.known.get(self._refs.get(ref, ""))

    def covers(self, path: str, folders: Iterable[str]) -> bool:
        """Say whether sessions are known to lie where a file does; elsewhere, only a look at everything tells.

        Agents keep files in their homes, the `folders`, that have a session's ending and are none.
        """
        branch = _branch(path, folders)
        return path in self.known or (branch is not None and any(each.startswith(branch) for each in self.known))

    def below(self, folder: str) -> Iterator[Known]:
        """Yield the files in a folder, at any depth."""
        inside = folder.rstrip(os.sep) + os.sep
        return (known for path, known in list(self.known.items()) if path.startswith(inside))


def stamp_of(path: str) -> Stamp | None:
    """Return what a file is, `None` when it is not there or not to be seen: `is_gone` tells which."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def is_gone(path: str, root: str | None) -> bool:
    """Say whether a file is certainly gone: what cannot be seen, or lies in a root that is away, may come back."""
    if root is not None and not os.path.lexists(root):
        return False
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def is_denied(path: str) -> bool:
    """Say whether a file cannot be looked at for another reason than that it is not there."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return False


def _branch(path: str, folders: Iterable[str]) -> str | None:
    """Return how the paths begin that lie in the same folder right below one of some; `None` outside of all."""
    for folder in folders:
        inside = folder.rstrip(os.sep) + os.sep
        if path.startswith(inside):
            name, slash, _ = path.removeprefix(inside).partition(os.sep)
            return inside + name + slash if slash else inside
    return None
