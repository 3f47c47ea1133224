"""The system calls that storage is made of, in one place: faults are put between any two of them by wrapping it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator


class Os:
    """The calls themselves. They raise `OSError`; descriptors are the caller's to close.

    Names are looked up in the open folder `dir_fd`, where one is given.
    """

    def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        """Open a file or folder, never inherited by child processes."""
        return os.open(path, flags | os.O_CLOEXEC, mode, dir_fd=dir_fd)

    def read(self, descriptor: int, offset: int, length: int) -> bytes:
        """Return up to `length` bytes at `offset`."""
        return os.pread(descriptor, length, offset)

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        """Write the beginning of `data`; return how many bytes that was."""
        return os.write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        """Make a file's content, or a folder's names, outlive a loss of power."""
        full = getattr(fcntl, "F_FULLFSYNC", None)
        if full is None:
            os.fsync(descriptor)
        else:  # macOS: a plain fsync leaves the data in the drive's cache
            fcntl.fcntl(descriptor, full)

    def close(self, descriptor: int) -> None:
        """Close a descriptor; it is gone even when this raises."""
        os.close(descriptor)

    def link(self, source: str, target: str, *, dir_fd: int) -> None:
        """Give a file a second name; raises `FileExistsError` rather than replacing anything."""
        os.link(source, target, src_dir_fd=dir_fd, dst_dir_fd=dir_fd, follow_symlinks=False)

    def unlink(self, name: str, *, dir_fd: int) -> None:
        """Remove a name."""
        os.unlink(name, dir_fd=dir_fd)

    def mkdir(self, path: str, *, dir_fd: int | None = None) -> None:
        """Make one folder that only its owner may enter."""
        os.mkdir(path, 0o700, dir_fd=dir_fd)

    def rename(self, name: str, target: str, *, dir_fd: int, target_fd: int) -> None:
        """Move what has a name in one open folder to a name in another; an empty folder or a file there is replaced."""
        os.rename(name, target, src_dir_fd=dir_fd, dst_dir_fd=target_fd)

    def stat(self, descriptor: int) -> os.stat_result:
        """Return what an open file is."""
        return os.fstat(descriptor)

    def truncate(self, descriptor: int, length: int) -> None:
        """Cut an open file to a length in bytes."""
        os.ftruncate(descriptor, length)

    def lock(self, descriptor: int) -> None:
        """Wait for the exclusive lock of an open file; closing it gives the lock back."""
        fcntl.flock(descriptor, fcntl.LOCK_EX)

    def share_lock(self, descriptor: int) -> None:
        """Wait for a share of the lock of an open file or folder: others may have one too, but nobody all of it."""
        fcntl.flock(descriptor, fcntl.LOCK_SH)

    def unlock(self, descriptor: int) -> None:
        """Give the lock of an open file back, also where a child process has a copy of the descriptor."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)

    def try_lock(self, descriptor: int) -> bool:
        """Take the exclusive lock of an open file if nobody holds it; say whether it was taken."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def look(self, path: str, *, dir_fd: int | None = None) -> os.stat_result:
        """Return what is under a path now, itself when it is a link."""
        return os.stat(path, dir_fd=dir_fd, follow_symlinks=False)

    def rmdir(self, name: str, *, dir_fd: int) -> None:
        """Remove an empty folder."""
        os.rmdir(name, dir_fd=dir_fd)

    def names(self, descriptor: int) -> Iterator[str]:
        """Yield the names in an open folder, in no order."""
        with os.scandir(descriptor) as entries:
            for entry in entries:
                yield entry.name


OS = Os()
