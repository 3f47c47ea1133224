"""That somebody has a session open, so that nobody cleans it up, however long nothing is written.

The lock of a log is held only while something is written to it. Whoever has a log in hand shares the lock of the
session's folder besides, which is made for it. The system gives that back when the process ends, however it ends.
"""

from __future__ import annotations

import os
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from unspool.recording.folders import make_folder

if TYPE_CHECKING:
    from unspool.blobs.calls import Os
    from unspool.recording.place import SessionPlace

_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_TRIES: Final = 8
"""How often the folder is opened that somebody else takes away at the same time."""

_Which = tuple[int, int]
"""Device and inode."""


class Presence:
    """One holder's share of the lock of a session's folder, given back with `let_go` or when nobody uses this any more.

    Where there can be no folder, or no lock on one, the session is open all the same, and only that is not known.
    """

    def __init__(self, calls: Os, place: SessionPlace) -> None:
        self._calls = calls
        self._place = place
        self._which: _Which | None = None
        self._close: weakref.finalize[..., Presence] | None = None

    def hold(self) -> None:
        """Share the lock of the folder that is there now; holding it already, this is one look."""
        with suppress(OSError):
            for _ in range(_TRIES):
                if self._which is not None and self._which == self._there():
                    return
                self.let_go()
                make_folder(self._calls, self._place.folder)
                with suppress(FileNotFoundError):
                    self._share()

    def let_go(self) -> None:
        """Give the lock back."""
        self._which = None
        if self._close is not None:
            self._close()

    def _share(self) -> None:
        descriptor = self._calls.open(str(self._place.folder), _FLAGS)
        # Closing is all that gives it back: a child process that has a copy of the descriptor goes on holding it.
        self._close = weakref.finalize(self, _close, self._calls, descriptor)
        self._calls.share_lock(descriptor)
        self._which = _which(self._calls.stat(descriptor))

    def _there(self) -> _Which | None:
        with suppress(FileNotFoundError):
            return _which(self._calls.look(str(self._place.folder)))
        return None


def _which(state: os.stat_result) -> _Which:
    return state.st_dev, state.st_ino


def _close(calls: Os, descriptor: int) -> None:
    with suppress(OSError):
        calls.close(descriptor)
