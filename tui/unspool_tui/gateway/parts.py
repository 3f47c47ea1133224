"""Whether a session that is followed goes on in another part."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from unspool.errors import UnspoolError

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library.facade import Library

LOOKED_EVERY: Final = 1.0
"""Seconds between two looks at the folder of a part."""

LOOKS: Final = 10
"""Looks after a change of the folder: a new part counts once it has a record."""


class NextPart:
    """Looks for the part behind one, as long as that is the newest. Off the screen's thread, by one thread."""

    def __init__(self, library: Library, finding: threading.Lock, ref: SessionRef, path: str) -> None:
        self._library = library
        self._finding = finding
        self._ref = ref
        self._folder = os.path.dirname(path)
        self._changed_at: int | None = None
        self._left = LOOKS
        self._at = 0.0
        self._may_follow = ref.part is not None
        self._is_known = False

    def look(self) -> SessionRef | None:
        """Return the part that the session goes on in, once; mostly `None`."""
        if not self._may_follow or time.monotonic() < self._at:
            return None
        self._at = time.monotonic() + LOOKED_EVERY
        if not self._may_have_begun():
            return None
        if not self._is_known:
            self._is_known, self._may_follow = True, self._newest(again=False) == self._ref
        newest = self._newest(again=True) if self._may_follow else None
        self._may_follow = self._may_follow and newest == self._ref
        return newest if newest != self._ref else None

    def _newest(self, *, again: bool) -> SessionRef | None:
        with suppress(UnspoolError), self._finding:
            return self._library.newest_part(self._ref, again=again)
        return self._ref

    def _may_have_begun(self) -> bool:
        try:
            changed_at = os.stat(self._folder).st_mtime_ns
        except OSError:
            return False
        self._left = LOOKS if changed_at != self._changed_at else self._left - 1
        self._changed_at = changed_at
        return self._left > 0
