"""The moment in which the app's own frames take the place of the first one, which was there before the app was."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.sessions import SessionsScreen

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen

    from unspool_tui.held import Held

LOOKS_EVERY: Final = 0.005
"""Seconds between two looks whether the screen has more to show than stands there."""

LONGEST: Final = 3.0
"""Seconds after which the screen is shown as it is: it says itself what it waits for."""


class Curtain:
    """Lets the app draw as soon as its screen shows all that the first frame does."""

    def __init__(self, app: App[int], held: Held) -> None:
        self._app = app
        self._held = held
        self._end = time.monotonic() + LONGEST

    def wait(self) -> None:
        """Begin to look."""
        self._timer = self._app.set_interval(LOOKS_EVERY, self._look)

    def _look(self) -> None:
        screen = self._app.screen
        if is_drawn(screen) or time.monotonic() > self._end:
            self._timer.stop()
            self._held.shown.set()
            screen.refresh()


def is_drawn(screen: Screen[object]) -> bool:
    """Say whether a screen shows what it is about."""
    if isinstance(screen, BrowseScreen):
        return screen.is_mounted and screen.evidence.told and (screen.single or screen.rail.shows)
    return screen.is_mounted and not (isinstance(screen, SessionsScreen) and screen.looking)
