"""A loss of power: every state in which a disk may be found, after each call of a run.

The model is the weakest that POSIX allows. What a file holds is sure only up to its last flush; what was written since
may be there, missing, half there, or zeros. What a folder names is sure only up to the folder's last flush; of the
changes since, any may have reached the disk. A file is found where its name and those of all folders above it are.
"""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.faults.in_place import WrittenInPlace
from unspool.blobs.calls import Os

State = frozenset[tuple[str, bytes]]
"""A disk as it is found: (path, content) of every file."""


@dataclass
class Disk:
    """What was done to files and names, and what of it is sure."""

    content: dict[int, bytes] = field(default_factory=dict)
    flushed: dict[int, bytes] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    sure: dict[str, int] = field(default_factory=dict)
    pending: list[tuple[str, int | None]] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)
    """The folders that were made."""

    def rename(self, path: str, inode: int | None) -> None:
        """Note that a path names a file from now on, or none."""
        self.pending.append((path, inode))
        self.names = _with(self.names, [(path, inode)])

    def flush_folder(self, folder: str) -> None:
        """Make the changes of one folder's names sure."""
        mine = [change for change in self.pending if os.path.dirname(change[0]) == folder]
        self.sure = _with(self.sure, mine)
        self.pending = [change for change in self.pending if change not in mine]

    def states(self) -> Iterator[State]:
        """Yield every state in which this disk may be found."""
        for chosen in itertools.product((False, True), repeat=len(self.pending)):
            changes = [change for change, reached in zip(self.pending, chosen, strict=True) if reached]
            names = self._reached(_with(self.sure, changes))
            inodes = sorted(set(names.values()))
            for contents in itertools.product(*(self._contents(inode) for inode in inodes)):
                found = dict(zip(inodes, contents, strict=True))
                yield frozenset((path, found[inode]) for path, inode in names.items())

    def _reached(self, names: dict[str, int]) -> dict[str, int]:
        """Return the files of these names to which the names of folders lead."""
        lost = tuple(f"{folder}/" for folder in self.folders if folder not in names)
        return {path: inode for path, inode in names.items() if path not in self.folders and not path.startswith(lost)}

    def _contents(self, inode: int) -> list[bytes]:
        whole, sure = self.content[inode], self.flushed[inode]
        if whole == sure:
            return [whole]
        new = len(whole) - len(sure)
        return [sure, whole, whole[: len(sure) + new // 2], sure + b"\0" * new]


class RecordingOs(Os):
    """Makes the calls, and notes what they do to a `Disk`; after each, every state it may be in is added to `found`.

    `acknowledged` is what the run was told to be safe so far, kept by who runs it and noted beside each state.
    """

    def __init__(self) -> None:
        self.disk = Disk()
        self.found: dict[tuple[frozenset[object], State], None] = {}
        self.looks = 0
        self.acknowledged: frozenset[object] = frozenset()
        self._paths: dict[int, str] = {}

    def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        full = os.path.join(self._paths[dir_fd], path) if dir_fd is not None else path
        descriptor = super().open(path, flags, mode, dir_fd=dir_fd)
        self._paths[descriptor] = full
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode) and full not in self.disk.names and flags & os.O_CREAT:
            inode = os.fstat(descriptor).st_ino
            self.disk.content[inode] = self.disk.flushed[inode] = b""
            self.disk.rename(full, inode)
            self.note()
        return descriptor

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        written = super().write(descriptor, data)
        self.disk.content[os.fstat(descriptor).st_ino] += bytes(data[:written])
        self.note()
        return written

    def fsync(self, descriptor: int) -> None:
        inode = os.fstat(descriptor).st_ino
        if inode in self.disk.content:
            self.disk.flushed[inode] = self.disk.content[inode]
        else:
            self.disk.flush_folder(self._paths[descriptor])
        self.note()

    def mkdir(self, path: str, *, dir_fd: int | None = None) -> None:
        assert dir_fd is None, "folders are made by their whole path"
        super().mkdir(path)
        self.disk.folders.add(path)
        self.disk.rename(path, os.stat(path).st_ino)
        self.note()

    def link(self, source: str, target: str, *, dir_fd: int) -> None:
        super().link(source, target, dir_fd=dir_fd)
        folder = self._paths[dir_fd]
        self.disk.rename(os.path.join(folder, target), self.disk.names[os.path.join(folder, source)])
        self.note()

    def unlink(self, name: str, *, dir_fd: int) -> None:
        super().unlink(name, dir_fd=dir_fd)
        self.disk.rename(os.path.join(self._paths[dir_fd], name), None)
        self.note()

    def note(self) -> None:
        """Add every state in which the disk may be found now."""
        for state in self.disk.states():
            self.found[self.acknowledged, state] = None
            self.looks += 1


class NoFileFlush(RecordingOs):
    """A planted mistake: files are not flushed."""

    def fsync(self, descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            super().fsync(descriptor)


class NoFolderFlush(RecordingOs):
    """A planted mistake: folders are not flushed."""

    def fsync(self, descriptor: int) -> None:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            super().fsync(descriptor)


class NoParentFlush(RecordingOs):
    """A planted mistake: of the folders, only that of the blobs is flushed."""

    def fsync(self, descriptor: int) -> None:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode) or self._paths[descriptor].endswith("/blobs"):
            super().fsync(descriptor)


class NoDigestFlush(RecordingOs):
    """A planted mistake: digests are not flushed."""

    def fsync(self, descriptor: int) -> None:
        if not self._paths[descriptor].endswith("/.digests"):
            super().fsync(descriptor)


class InPlace(WrittenInPlace, RecordingOs):
    """A planted mistake: a blob is written under its own name."""


def _with(names: dict[str, int], changes: list[tuple[str, int | None]]) -> dict[str, int]:
    result = dict(names)
    for path, inode in changes:
        if inode is None:
            result.pop(path, None)
        else:
            result[path] = inode
    return result
