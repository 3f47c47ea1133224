"""The browse screen of a session of which only the beginning was read: it is used while the rest is read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from unspool.dataclass import replace
from unspool_tui.gateway.view_questions import opened_of
from unspool_tui.messages.session import OverviewRead, SessionGrown, SessionOpened
from unspool_tui.present.evidence_row import widest_name
from unspool_tui.present.tool_names import MostUsed
from unspool_tui.screens.newest_first import READING_REST, NewestFirstScreen

if TYPE_CHECKING:
    from unspool.follow.tail import Tail
    from unspool.views.view import SessionView
    from unspool_tui.gateway import Gateway
    from unspool_tui.screens.clock import Clock


LONGEST_WAIT: Final = 0.5
"""Seconds after which the rest is read, whether the beginning is all shown or not."""


class BegunScreen(NewestFirstScreen):
    """Shows the view of a tail at once. When that has only a `part` of the session, the whole takes its place."""

    def __init__(self, gateway: Gateway, target: str, tail: Tail, *, part: bool, clock: Clock) -> None:
        opened = opened_of(tail.view, tail)
        super().__init__(gateway, target, clock=clock, opened=replace(opened, tail=None) if part else opened)
        self._part = part
        self._reads = False

    def on_mount(self) -> None:
        """Read what is missing, and what the list knows of the session."""
        if self._part:
            self.say((READING_REST,), stays=True)
            self.set_timer(LONGEST_WAIT, self._read_on)
        elif self._opened is not None:
            self.when_seen(partial(self.gateway.know, self, self._opened.view.ref))

    def on_overview_read(self, event: OverviewRead) -> None:
        """Show the thread, and read the rest once the beginning is seen: both at once would be slower."""
        event.prevent_default()
        super().on_overview_read(event)
        self.when_seen(self._read_on)

    def _read_on(self) -> None:
        if self._part and not self._reads:
            self._reads = True
            self.gateway.open(self, self.target, None if self.at_end else self.view)

    def on_session_opened(self, event: SessionOpened) -> None:
        """Take the whole, or more of the beginning; every pane stays where it is.

        It does not where what was read is no longer the beginning.
        """
        event.prevent_default()  # what it would do is done here, or asked for here
        before = self.view
        if before is not None and event.tail is not None:
            self.say(())
        if self.at_end or not self._part or before is None or event.view.common_rows(before) < before.rows:
            super().on_session_opened(event)
        else:
            self._go_on(event, before)

    def _go_on(self, event: SessionOpened, before: SessionView) -> None:
        self._part = event.tail is None
        follows = self._tells and self.follows and not self._part  # the end of the beginning was not what F meant
        known = self._thread
        if self._part:
            self.forget_thread()  # what was shown first may still be read from
        else:
            self.begin_following(event)
        self.view, self.prompts = event.view, event.prompts
        if self.evidence.listing is not None:
            self.evidence.listing = replace(self.evidence.listing, view=event.view)
        self.filter_line.values["tool:"] = MostUsed(event.view)
        self.evidence.names = widest_name(event.view)
        grown = SessionGrown(before, event.view, before.rows, (), (), event.prompts, None, (), {})
        self._place(grown, before)
        if follows:
            self._chosen_again = grown, True
        self.show_top()
        self.choose(self.filter_line.words)
        self.go_on_with(known)
