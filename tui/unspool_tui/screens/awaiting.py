"""What was asked for and comes later: the screen says so, and whatever a person does meanwhile gives it up."""

from __future__ import annotations

from typing import Final

from unspool_tui.present.bars import LASTING_SHARE
from unspool_tui.present.cells import Row, fit, width_of
from unspool_tui.screens.panes import PaneScreen
from unspool_tui.widgets.hints import key_for

AROUND: Final = 4
"""Cells of the blanks around what is waited for."""


class Awaiting(PaneScreen):
    """Waits for one thing at most. Nothing opens or moves that a person no longer waits for."""

    _awaited = ""

    heard = 0
    """How often the person went on: by a key, by the mouse, to another screen."""

    def wait_for(self, question: str, said: Row) -> None:
        """Say what is waited for, and how to stop it; `question` is the group of the worker that brings it."""
        self._awaited = question
        stops: Row = (("   ", "text"), (key_for(self.app, "app.back"), "text bold"), (" stops it", "muted"))
        room = int(self.app.size.width * LASTING_SHARE) - width_of(stops) - AROUND
        self.tell_awaited((*fit(said, min(width_of(said), room)), *stops))

    def arrived(self, question: str) -> bool:
        """Say whether this is what is waited for, and wait no longer."""
        if self._awaited != question:
            return False
        self._awaited = ""
        self.tell_awaited(())
        return True

    def give_up(self) -> bool:
        """Wait no longer; return whether something was waited for."""
        awaited = self._awaited
        if not awaited:
            return False
        self.workers.cancel_group(self, awaited)
        return self.arrived(awaited)

    def tell_awaited(self, row: Row) -> None:
        """Say what is waited for, empty for nothing any more; the other keys give way to the one that stops it."""
        self.say(row, loud=True, stays=True)

    def hear_key(self) -> bool:
        """Take note that the person goes on; return whether something was given up by that."""
        self.hush()
        self.heard += 1
        return self.give_up()

    def on_mouse_down(self) -> None:
        """Give up what would come in between."""
        self.heard += 1
        self.give_up()

    def on_screen_suspend(self) -> None:
        """Give up what would come over another screen."""
        self.heard += 1
        self.give_up()
