"""Looking out for sessions that come, go and grow while their list is seen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from unspool.text import clean
from unspool_tui.screens.panes import PaneScreen
from unspool_tui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from unspool.library.summary import SessionSummary
    from unspool_tui.gateway import Gateway
    from unspool_tui.gateway.lookout import Lookout
    from unspool_tui.messages.listing import RootsPolled


class LookingOut(PaneScreen):
    """A list of sessions that is kept true while it is the screen that is seen."""

    gateway: Gateway
    _lookout: Lookout | None = None

    @property
    def looks_out(self) -> bool:
        """Whether it is listed by itself."""
        return self._lookout is not None

    def look_out(self, known: tuple[SessionSummary, ...]) -> None:
        """Begin to look out for what is not `known`, once the list is seen."""
        self.when_seen(partial(self._look_out, known))

    def _look_out(self, known: tuple[SessionSummary, ...]) -> None:
        if self._lookout is None and self.is_current:
            self._lookout = self.gateway.look_out(self, known)

    def on_screen_suspend(self) -> None:
        """Look out no longer: nobody sees the list."""
        self._stop()

    def on_unmount(self) -> None:
        """Look out no longer."""
        self._stop()

    def on_roots_polled(self, event: RootsPolled) -> None:
        """Say that changes are found by looking again and again, and why."""
        self.gateway.polling = event.reason
        said = clean(event.reason or "", newline=False)
        self.query_one(KeyBar).state = (("polling  ", "user"), (said, "muted")) if event.reason is not None else ()

    def _stop(self) -> None:
        if self._lookout is not None:
            self._lookout.stop()
            self._lookout = None
