"""The moment in which the app's own frames take the place of the first one, which was there before the app was."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from unspool_tui.screens.whole import WholeScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App

    from unspool_tui.held import Held

LOOKS_EVERY: Final = 0.005
"""Seconds between two looks whether the screen has more to show than stands there."""

LONGEST: Final = 3.0
"""Seconds after which the screen is shown as it is: it says itself what it waits for."""

LATER: Final = 0.5
"""Seconds in which the first keys have the app for themselves."""


class Curtain:
    """Lets the app draw as soon as its screen shows all that the first frame does, and do the rest soon after that."""

    def __init__(self, app: App[int], held: Held, rest: Callable[[], None]) -> None:
        self._app = app
        self._held = held
        self._rest = rest
        self._end = time.monotonic() + LONGEST

    def wait(self) -> None:
        """Begin to look."""
        self._timer = self._app.set_interval(LOOKS_EVERY, self._look)

    def _look(self) -> None:
        screen = self._app.screen
        drawn = screen.drawn if isinstance(screen, WholeScreen) else screen.is_mounted
        if drawn or time.monotonic() > self._end:
            self._timer.stop()
            self._held.shown.set()
            if isinstance(screen, WholeScreen):
                screen.be_seen()
            else:
                screen.refresh()
            self._app.set_timer(LATER, self._rest)
