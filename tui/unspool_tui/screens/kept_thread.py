"""The thread of the session that is open, read again as the session grows."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Final

from unspool_tui.screens.chrome import Chrome

if TYPE_CHECKING:
    from unspool.views.view import SessionView
    from unspool_tui.messages.session import OverviewBegun, OverviewRead

READ_AFTER: Final = 0.03
"""Seconds from what came to the reading of the thread: what came is on the screen by then."""

READ_RATIO: Final = 8
"""The thread is read again after so many times what it took last: of a long session it is every text."""


class KeptThread(Chrome):
    """Keeps the thread true, one reading at a time."""

    _thread: OverviewBegun | OverviewRead | None = None
    """The thread as it was read last, or how it begins."""
    _thread_view: SessionView | None = None
    """The view whose thread is being read."""
    _thread_due = 0.0

    def begin_thread(self) -> None:
        """Read how the thread begins, and all of it once that is seen."""
        if self.view is not None:
            self._thread_view = self.view
            self.gateway.begin_overview(self, self.view, self.app.size.height)

    def go_on_with(self, known: OverviewBegun | OverviewRead | None) -> None:
        """Read the thread of a view that has the rows of a thread which is known, and more."""
        if self.view is not None:
            self._thread, self._thread_view = known, self.view
            self._read_thread(self.view)

    def renew_thread(self) -> None:
        """Read the thread again, unless it is being read: then once that is there."""
        if self._thread_view is None and self.view is not None:
            self._thread_view = self.view
            wait = max(READ_AFTER, self._thread_due - time.monotonic())
            self.set_timer(wait, partial(self._read_thread, self.view))

    def forget_thread(self) -> None:
        """Forget what was read: it is that of another session."""
        self._thread_view = self._thread = None

    def thread_failed(self) -> None:
        """Take note that it could not be read; it is when the session grows."""
        self._thread_view = None

    def on_overview_begun(self, event: OverviewBegun) -> None:
        """Show how the thread begins; all of it comes when that is seen."""
        asked = self._thread_view
        if asked is event.view:
            self._thread = event
            self._show_thread(event)
            self.when_seen(partial(self._read_thread, asked))

    def on_overview_read(self, event: OverviewRead) -> None:
        """Show the thread; where the session grew meanwhile it is read once more."""
        if self.view is None or event.view.ref != self.view.ref:
            return
        self._thread_due = time.monotonic() + READ_RATIO * event.seconds
        self._thread_view, self._thread = None, event
        self._show_thread(event)
        if event.view is not self.view:
            self.renew_thread()

    def _show_thread(self, event: OverviewBegun | OverviewRead) -> None:
        view = self.view
        if view is event.view or (view is not None and view.common_rows(event.view) == event.view.rows):
            self.rail.show(event.overview)
            if self.row is not None:
                self.rail.go(self.row)

    def _read_thread(self, asked: SessionView) -> None:
        if self.view is not None and self._thread_view is asked:
            self._thread_view = self.view
            known = self._thread
            same = known is not None and self.view.common_rows(known.view) == known.view.rows
            self.gateway.read_overview(self, self.view, known.overview if known is not None and same else None)
