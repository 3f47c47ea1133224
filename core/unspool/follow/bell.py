"""A bell at a file: it rings when the file changes, where the system tells of that (inotify); elsewhere it is silent.

Like every hint it says when to look and not what is true: one that does not ring costs time alone.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from unspool.follow.watch import Stop

CHANGES: Final = 0x002 | 0x004 | 0x040 | 0x080 | 0x100 | 0x200 | 0x400 | 0x800
"""Written to, or of another state; of a folder what left it, came, was made and went; gone, or moved."""

TOLD_AT_ONCE: Final = 1 << 16
"""Bytes of what the system told: what they say is not asked, for the file is looked at anyway."""

AddWatch = Callable[[int, bytes, int], int]
"""The system's `inotify_add_watch`: what it returns for a file that cannot be watched is negative."""


class Bell:
    """Waits until a file changes, it is time to stop, or time is over. For one thread, but for `wake`."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._inotify = _inotify()
        self._woken: int | None = None
        self._closing = threading.Lock()
        if self._inotify is not None:
            self._woken = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
            self._ready = select.poll()
            self._ready.register(self._inotify[0], select.POLLIN)
            self._ready.register(self._woken, select.POLLIN)

    def hang(self, path: str) -> None:
        """Ring also for the file, or the folder, that lies there now; one that is replaced rings once more."""
        if self._inotify is not None:
            told, add_watch = self._inotify
            add_watch(told, os.fsencode(path), CHANGES)

    def wait(self, seconds: float) -> bool:
        """Return whether it rang since the last time, within some seconds."""
        if self._inotify is None:
            self._stop.wait(seconds)
            return False
        told = self._inotify[0]
        rang = not self._stop.is_set() and (told, select.POLLIN) in self._ready.poll(seconds * 1000)
        if rang:
            os.read(told, TOLD_AT_ONCE)
        return rang

    def wake(self) -> None:
        """Let who waits see that it is time to stop."""
        with self._closing:
            if self._woken is not None:
                os.eventfd_write(self._woken, 1)

    def close(self) -> None:
        """Let the system's handles go."""
        with self._closing:
            for handle in (self._woken, self._inotify and self._inotify[0]):
                if handle is not None:
                    os.close(handle)
            self._woken = self._inotify = None


def _inotify() -> tuple[int, AddWatch] | None:
    """Return where the system tells and how it is asked to; `None` when it does not, or has nothing left for it."""
    if sys.platform != "linux":
        return None
    try:
        import ctypes

        system = ctypes.CDLL(None)
        told = system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        return (told, system.inotify_add_watch) if told >= 0 else None
    except (ImportError, OSError, AttributeError):
        return None
