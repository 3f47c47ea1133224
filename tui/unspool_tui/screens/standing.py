"""How following stands, and what the screen says of it: at the top, in the key bar and on the chip over the list."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from unspool.follow.events import Event, LineUnreadable, Moved, Replaced, Truncated
from unspool_tui.present.follow_rows import Pulse, follow_row
from unspool_tui.screens.kept_thread import KeptThread
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.key_bar import KeyBar
from unspool_tui.widgets.new_chip import NewChip

if TYPE_CHECKING:
    from textual.timer import Timer

    from unspool_tui.messages.session import SessionGrown

NOTICE_SECONDS: Final = 3.0
"""Seconds for which growth takes nothing away of what is said: who copies over a file cuts it, and writes at once."""


class Standing(KeptThread):
    """Knows whether the list follows, how much came out of sight, and what became of the file."""

    _held = False
    """Whether a person wants to stay though the list is at its end."""
    _tells = False
    """Whether there is something to tell of following: the session grew, or a person asked for it."""
    _new = 0
    _said = ""
    _said_at = 0.0
    _outgrown = False
    """Whether the session grew since that was said, so that it goes when it has stood long enough."""
    _gone = False
    _changed_at: float | None = None
    _ticking: Timer | None = None

    def tell_nothing(self) -> None:
        """Forget what was told: it was of another session."""
        self._new, self._said, self._gone, self._changed_at = 0, "", False, None

    @property
    def follows(self) -> bool:
        """Whether the list goes along: it is at its end, and nobody reads what is open there."""
        evidence = self.evidence
        at_end = evidence.cursor >= evidence.record_count() - 1
        return at_end and not self._held and self.pane != "reader"

    def note_change(self, event: SessionGrown) -> None:
        """Keep in mind what became of the file."""
        before, grown = event.view, event.grown
        told = [words for each in event.events if (words := _said_of(each))]
        if event.asked:
            more = grown.rows - before.rows
            self.say(((f"{more} more", "live"),) if more > 0 else (("nothing was appended", "muted"),))
        if grown is before and not event.events and event.gone == self._gone:
            return
        if self._ticking is None:
            self._ticking = self.set_interval(1.0, self.show_top, name="pulse")
        self._changed_at = time.monotonic()
        self._tells = True
        self._gone = event.gone
        if told:
            self._said, self._said_at, self._outgrown = told[-1], self._changed_at, False
        elif grown.rows > event.kept:
            self._outgrown = True

    def tell_following(self) -> None:
        """Say whether the list follows, and how much came that is out of sight."""
        evidence = self.evidence
        below = evidence.line_count() - evidence.scroll_offset.y - evidence.scrollable_content_region.height
        self._new = max(0, min(self._new, below))
        self.query_one(NewChip).new = self._new
        if self._tells:
            key = key_for(self.app, "view.follow" if self._held else "move.end")
            self.query_one(KeyBar).state = follow_row(key, following=self.follows) if not self._gone else ()

    def pulse(self) -> Pulse:
        """Say how it goes with the file."""
        known, view = super().pulse(), self.view
        if self._changed_at is None or view is None:
            return known
        start, stop = view.pending or (0, 0)
        now = time.monotonic()
        idle = int(now - self._changed_at)
        said = "" if self._outgrown and now - self._said_at >= NOTICE_SECONDS else self._said
        polled = self.gateway.polling is not None
        waits = view.facts.waiting is not None and (self.summary is None or self.summary.parent is None)
        return Pulse(known.live, waits, idle, said, stop - start, gone=self._gone, polling=polled)


def _said_of(event: Event) -> str:
    """Return what is said of an event at the top, empty for what is said elsewhere."""
    if isinstance(event, Truncated):
        return "truncated"
    if isinstance(event, Replaced):
        return event.how
    if isinstance(event, Moved):
        return "moved" if event.path != event.before else "back again"
    return "cannot be read" if isinstance(event, LineUnreadable) and event.line is None else ""
