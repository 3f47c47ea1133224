"""A folder of cached files: private, bounded, and never in anybody's way.

Whatever is wrong with it, nothing is found in it or nothing is kept: it raises no error. A file comes under its name
whole, but is not flushed: what a loss of power tears is found to be torn when it is read. Several processes may use one
folder at once.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from unspool.named_tuple import NamedTuple

MOST_BYTES: Final = 512 << 20
MOST_FILES: Final = 10_000
"""Bytes and files that are kept in all, about: what was not used for longest goes first."""
SPARED: Final = 7 / 8
"""What stays of these when there is too much: room is made for some time."""
LARGEST: Final = MOST_BYTES // 4
"""Bytes of one file: it must not drive out all others."""
STALE: Final = 3_600
"""Seconds after which a temporary file is taken for one whose writer died."""

_TEMPORARY: Final = ".tmp-"
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


class Held(NamedTuple):
    """How much a folder holds."""

    files: int
    bytes: int


class CacheFolder:
    """One folder, made (0700) when the first file is kept. What others may write to is not used, nor is a link."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._room = Held(0, 0)
        """How much more can be kept before the folder is looked through."""

    def read(self, name: str) -> bytes | None:
        """Return a file that was kept, and note that it was used; `None` where there is none."""
        with suppress(OSError), self._opened() as folder:
            descriptor = os.open(name, _READ, dir_fd=folder)
            with open(descriptor, "rb", buffering=0) as file:
                found = os.fstat(descriptor)
                if _is_own(found, stat.S_ISREG) and found.st_size <= LARGEST:
                    data = file.read(found.st_size)
                    with suppress(OSError):  # of a folder that may only be read
                        os.utime(descriptor)
                    return data if len(data) == found.st_size else None
        return None

    def holds(self, name: str) -> bool:
        """Say whether there is a file of a name."""
        with suppress(OSError), self._opened() as folder:
            return stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        return False

    def keep(self, name: str, blocks: Iterable[bytes]) -> bool:
        """Keep a file under a name, in place of what was kept under it; say whether that was possible."""
        temporary = f"{_TEMPORARY}{os.urandom(8).hex()}"
        with suppress(OSError):
            self._make()
            with self._opened() as folder:
                try:
                    size = _write(folder, temporary, blocks)
                    os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
                except BaseException:
                    _remove(folder, temporary)
                    raise
                self._room = Held(self._room.files - 1, self._room.bytes - size)
                if min(self._room) < 0:
                    self._room = _pruned(folder)
                return True
        return False

    def drop(self, *beginnings: str) -> None:
        """Remove the files whose names begin in one of some ways."""
        with suppress(OSError), self._opened() as folder:
            for name in os.listdir(folder):
                if name.startswith(beginnings):
                    _remove(folder, name)

    def is_ready(self) -> bool:
        """Say whether files can be kept, as far as that can be known before."""
        with suppress(OSError):
            self._make()
            with self._opened() as folder:
                return os.access(".", os.W_OK | os.X_OK, dir_fd=folder)
        return False

    def held(self) -> Held:
        """Say how much is kept."""
        with suppress(OSError), self._opened() as folder:
            sizes = [found.st_size for _, found in _files(folder)]
            return Held(len(sizes), sum(sizes))
        return Held(0, 0)

    def _make(self) -> None:
        for path in (os.path.dirname(self.path), self.path):  # what is made on the way is made with usual rights
            os.makedirs(path, mode=0o700, exist_ok=True)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the folder; raises `OSError`."""
        descriptor = os.open(self.path, _FOLDER)
        try:
            if not _is_own(os.fstat(descriptor), stat.S_ISDIR):
                raise PermissionError(f"{self.path} is not ours alone")
            yield descriptor
        finally:
            os.close(descriptor)


def _is_own(found: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    return is_kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & _BY_OTHERS


def _write(folder: int, name: str, blocks: Iterable[bytes]) -> int:
    """Write a new file; return its bytes."""
    with open(os.open(name, _NEW, 0o600, dir_fd=folder), "wb") as file:
        file.writelines(blocks)
        return file.tell()


def _files(folder: int) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as listing:
        for entry in listing:
            with suppress(FileNotFoundError):
                yield entry.name, entry.stat(follow_symlinks=False)


def _pruned(folder: int) -> Held:
    """Remove what is too much, and what writers that died have left; return how much room there is then."""
    stale, kept = time.time() - STALE, list[tuple[int, int, str]]()
    for name, found in _files(folder):
        if name.startswith(_TEMPORARY) and found.st_mtime < stale:
            _remove(folder, name)
        else:
            kept.append((found.st_mtime_ns, found.st_size, name))
    too_much = len(kept) > MOST_FILES or sum(size for _, size, _ in kept) > MOST_BYTES
    share = SPARED if too_much else 1
    held = Held(0, 0)
    for _, size, name in sorted(kept, reverse=True):
        more = Held(held.files + 1, held.bytes + size)
        if more.files > MOST_FILES * share or more.bytes > MOST_BYTES * share:
            _remove(folder, name)
        else:
            held = more
    return Held(MOST_FILES - held.files, MOST_BYTES - held.bytes)


def _remove(folder: int, name: str) -> None:
    with suppress(OSError):
        os.unlink(name, dir_fd=folder)
