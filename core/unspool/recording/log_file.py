"""The file of a log, and how lines come to its end: under its lock, all of them or none.

The lock is on the file itself, and given back by the system when its holder dies. A log that was taken away, or moved,
while somebody waited for its lock, is opened anew, so that nothing is written into what nobody will read.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from unspool.recording.folders import open_folder

if TYPE_CHECKING:
    from unspool.blobs.calls import Os

_FLAGS: Final = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
_TRIES: Final = 1_000
"""How often a log is opened that is gone when its lock is there."""


@contextlib.contextmanager
def locked(calls: Os, path: str, *, create: bool = False) -> Iterator[int]:
    """Open a log and hold its lock; others wait, be they threads or processes.

    Raises `OSError`, `FileNotFoundError` when there is none and it is not to be created.
    """
    descriptor = _open_locked(calls, path, create)
    try:
        yield descriptor
    except BaseException:
        if create:
            _remove_empty(calls, descriptor, path)
        raise
    finally:
        with contextlib.suppress(OSError):
            calls.unlock(descriptor)  # closing would not do where a child process has a copy of the descriptor
        with contextlib.suppress(OSError):
            calls.close(descriptor)  # what was written is written: a local file has nothing left to fail with


def append(calls: Os, descriptor: int, data: bytes, flush: Callable[[], None]) -> None:
    """Write bytes to the end of a log whose lock is held, and flush.

    Raises `OSError`, and then nothing is written. An end that is torn is closed off first, so that it takes nothing
    with it of what follows.
    """
    start = calls.stat(descriptor).st_size
    if start and calls.read(descriptor, start - 1, 1) != b"\n":
        data = b"\n" + data
    try:
        _write(calls, descriptor, data, start)
        flush()
    except BaseException:
        with contextlib.suppress(OSError):
            _roll_back(calls, descriptor, data, start)
        raise


def _open_locked(calls: Os, path: str, create: bool) -> int:
    for _ in range(_TRIES):
        descriptor = calls.open(path, _FLAGS | (os.O_CREAT if create else 0))
        try:
            calls.lock(descriptor)
            if _is_at(calls, descriptor, path):
                return descriptor
        except BaseException:
            calls.close(descriptor)
            raise
        calls.close(descriptor)
    raise OSError(errno.EAGAIN, "the log is taken away again and again")


def _is_at(calls: Os, descriptor: int, path: str) -> bool:
    """Say whether an open file is still the one under a path."""
    ours = calls.stat(descriptor)
    try:
        there = calls.look(path)
    except FileNotFoundError:
        return False
    return (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino)


def _write(calls: Os, descriptor: int, data: bytes, start: int) -> None:
    """Write in one call, as every system does that has room; the rest of a short write only right behind it."""
    rest = memoryview(data)
    while True:
        rest = rest[calls.write(descriptor, rest) :]
        if not rest:
            return
        if calls.stat(descriptor).st_size != start + len(data) - len(rest):
            raise OSError(errno.EIO, "a program that takes no lock wrote in between")


def _roll_back(calls: Os, descriptor: int, data: bytes, start: int) -> None:
    """Take back what was written of some bytes, but only if nothing else stands there."""
    length = calls.stat(descriptor).st_size - start
    if 0 < length <= len(data) and calls.read(descriptor, start, length) == data[:length]:
        calls.truncate(descriptor, start)


def _remove_empty(calls: Os, descriptor: int, path: str) -> None:
    """Remove a log that was made and into which nothing came; its lock is held, and who waits for it looks again."""
    folder, name = os.path.split(path)
    with contextlib.suppress(OSError):
        if not calls.stat(descriptor).st_size:
            with open_folder(calls, Path(folder)) as opened:
                calls.unlink(name, dir_fd=opened)
