"""Asking a library off the screen's thread: what every question of the gateway needs."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from unspool_tui.gateway.locks import Locks
from unspool_tui.settings.limits import Limits
from unspool_tui.worker import Work, ask

if TYPE_CHECKING:
    from textual.widget import Widget

    from unspool.follow.tail import Tail
    from unspool.library.facade import Library
    from unspool.library.targets import Target
    from unspool.views.view import SessionView


class Questions:
    """Questions to one library: its list is looked at by one thread at a time, and so is each of its views."""

    def __init__(self, library: Library, limits: Limits | None = None) -> None:
        self._library = library
        self._limits = limits or Limits()
        self._finding = threading.Lock()
        self._locks = Locks()

    def _view(self, target: str) -> tuple[SessionView, Target]:
        """Take a view; finding it looks into the library's list, reading it does not."""
        with self._finding:
            found = self._library.resolve_target(target)
        return self._library.view(found), found

    def _tail(self, target: str) -> tuple[Tail, Target]:
        """Take a view that is followed."""
        with self._finding:
            found = self._library.resolve_target(target)
        return self._library.tail(found), found

    def _lock(self, view: SessionView) -> threading.Lock:
        return self._locks.of(view)

    def _ask(self, to: Widget, group: str, work: Work, generation: int = 0) -> None:
        ask(to, group, work, generation)
