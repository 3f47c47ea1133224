"""One reader at a time: each view of a session has a lock, and the views after it have the same."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from unspool.views.view import SessionView


class Locks:
    """The locks of views, each as long as there is one of its views."""

    def __init__(self) -> None:
        self._locks: WeakKeyDictionary[SessionView, threading.Lock] = WeakKeyDictionary()

    def of(self, view: SessionView) -> threading.Lock:
        """Return the lock of a view."""
        return self._locks.setdefault(view, threading.Lock())

    def share(self, view: SessionView, newer: SessionView) -> None:
        """Let a newer view have the lock of one before it: they share what reads the file."""
        if newer is not view:
            self._locks[newer] = self.of(view)
