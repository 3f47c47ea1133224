"""Following the session that is open: every pane grows in place, the list stays at its end while it is there."""

from __future__ import annotations

import time
from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import on

from unspool.dataclass import replace
from unspool.follow.events import Replaced, Truncated
from unspool_tui.keymap import bindings
from unspool_tui.present.evidence_row import widest_name
from unspool_tui.present.tool_names import MostUsed
from unspool_tui.screens.standing import Standing
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.new_chip import NewChip

if TYPE_CHECKING:
    from textual.timer import Timer

    from unspool.follow.tail import Tail
    from unspool.views.view import SessionView
    from unspool_tui.gateway.tailing import Tailer
    from unspool_tui.messages.failed import Failed
    from unspool_tui.messages.session import PartBegun, SessionGrown, SessionOpened
    from unspool_tui.present.choosing import Choice

READ_EVERY: Final = 0.08
"""Seconds between two pieces that the reader shows while the list follows: fewer could not be told apart."""

PAUSE: Final = 0.05
"""Seconds without anything new after which what comes is drawn at once; what comes without a pause is drawn in step."""

UNASKED: Final = ("overview", "rows")
"""Questions that the screen asks by itself."""


class Following(Standing):
    """Takes in what is written while the session is open, and says how that goes."""

    BINDINGS = bindings("view.follow", "view.refresh")

    _tailer: Tailer | None = None
    _later: SessionGrown | None = None
    """What came while the list was being chosen."""
    _chosen_again: tuple[SessionGrown, bool] | None = None
    """What came for which the list had to be chosen again, and whether it followed."""
    _begins_at_end = False
    """Whether what is opened is shown from its end, and followed."""
    _unread = False
    """Whether the piece could not be read for the reader, for the file was another already."""
    _unasked = 0
    """The reading of a piece that nobody asked for: the session grew."""
    _reading: Timer | None = None
    """What ends the time after a piece that came was read in which no other one is."""
    _newer = False
    """Whether a piece came that was not read for the reader yet."""
    _grown_at = 0.0

    # Beginning and end.

    def begin_following(self, event: SessionOpened) -> None:
        """Follow the session that was opened, in place of the one before."""
        self.end_following()
        self.tell_nothing()
        if event.tail is not None:
            self.when_seen(partial(self._follow, event.tail))

    def _follow(self, tail: Tail) -> None:
        self._tailer = self.gateway.follow(self, tail)

    def end_following(self) -> None:
        """Let the session go."""
        if self._tailer is not None:
            self._tailer.stop()
        elif self.view is not None:
            self.gateway.release(self.view)
        self._tailer = self._later = None
        self.forget_thread()

    # What came.

    def on_session_grown(self, event: SessionGrown) -> None:
        """Show what has come, once the list is what was asked for."""
        if event.view is not self.view or self._tailer is None:
            return
        if self.settled and self.answered:
            self._grow(event)
        else:
            self._later = event

    def on_part_begun(self, event: PartBegun) -> None:
        """Go on in the new part with who follows at the end; tell everybody else of it."""
        if self.view is None or event.ref != self.view.ref:
            return
        if self.follows:
            self._begins_at_end = True
            self.target = str(event.part)
            self.gateway.open(self, self.target)
        else:
            self.gateway.know(self, event.part)
            key = key_for(self.app, "part.next")
            self.say((("it goes on in a new part", "live"), (f"   {key}", "text bold"), (" shows it", "muted")))

    def go_on_growing(self) -> None:
        """Take in what came while the list was being chosen; the next may come."""
        event, self._later = self._later, None
        again, self._chosen_again = self._chosen_again, None
        if again is not None and self.choice is not None:
            grown, followed = again
            self._part_seen(grown, self.choice, followed=followed)
            self._stand(grown, self.choice, followed=followed)
            self.tell_following()
        if event is not None and event.view is self.view:
            self._grow(event)
        else:
            self._take()

    def outrun(self, failed: Failed) -> bool:
        """Say whether something could not be read only because the file is another by now: what it is comes next.

        Of one that is gone that is said already; what a person asks for is refused in words all the same.
        """
        if failed.question == "overview":
            self.thread_failed()
        unasked = failed.question in UNASKED or (failed.question, failed.generation) == ("piece", self._unasked)
        if self._tailer is None or not failed.changed or (self._gone and not unasked):
            return False
        self._unread = self._unread or failed.question == "piece"
        return True

    def _take(self) -> None:
        """Let the next come; a choice of an older view is not gone on with."""
        if self._tailer is not None:
            choice = self.choice
            self._tailer.taken(choice if choice is not None and choice.listing.view is self.view else None)

    def _grow(self, event: SessionGrown) -> None:
        followed, before = self.follows, event.view
        self.note_change(event)
        if event.grown is not before:
            self.view, self.prompts = event.grown, event.prompts
            self._learn(event)
            self._place(event, before)
            if self._fits(event.choice):
                self._show_choice(event, event.choice, followed=followed)
            else:
                self._chosen_again = (event, followed)
                self.choose(self.filter_line.words)
            self.renew_thread()
            self.grew(event.grown)
            if _cut(event) and self.summary is not None:
                self.summary = replace(self.summary, title=None)  # the list had it from what is no longer there
        if self.answered:
            self._take()
        self.show_top()
        self.tell_following()

    def grew(self, view: SessionView) -> None:
        """Take note that the session is another now."""

    def _fits(self, choice: Choice | None) -> bool:
        """Say whether a choice is of the words and the case that the list shows."""
        shown = self.choice
        return choice is not None and shown is not None and (choice.words, choice.case) == (shown.words, shown.case)

    def _learn(self, event: SessionGrown) -> None:
        """Know the names that came."""
        self.evidence.folder = event.grown.facts.cwd or ""
        self.filter_line.values["tool:"] = MostUsed(event.grown)
        self.evidence.names = widest_name(event.grown)

    def _place(self, event: SessionGrown, before: SessionView) -> None:
        """Stay at the piece, or where it was; what the reader shows of it is read again where it changed."""
        row, grown = self.row, event.grown
        unread, self._unread = self._unread, False
        if row is None:
            return
        same = row < grown.rows and grown.id(row) == before.id(row) and not unread
        if not same:
            self.row = None
        elif row >= event.kept or row in event.restored or _answer(before, row) != _answer(grown, row):
            self._renew_piece(row)

    def _renew_piece(self, row: int) -> None:
        """Read the piece in the reader again; one that is on its way to it will be read as it is now."""
        subject, view = self.reader.subject, self.view
        if subject is None or subject.evidence.row != row or view is None:
            return
        self._piece_generation += 1
        self._renewed_generation = self._unasked = self._piece_generation
        top = self.reader.position
        self.gateway.read_piece(
            self, view, row, self._piece_generation, case=self.case, line=top[0] if top is not None else None
        )

    def _show_choice(self, event: SessionGrown, choice: Choice | None, *, followed: bool) -> None:
        assert choice is not None  # it fits
        self.choice = choice
        self._part_seen(event, choice, followed=followed)
        self.evidence.grow(choice.listing, event.kept, event.restored, event.evidence, event.hits)
        if followed:
            self.evidence.move_to(self.evidence.record_count() - 1)
        before, self._grown_at = self._grown_at, time.monotonic()
        if self._grown_at - before > PAUSE:
            self.draw_now(self.evidence)
        self._stand(event, choice, followed=followed)
        self.show_choice(choice)

    def _part_seen(self, event: SessionGrown, choice: Choice, *, followed: bool) -> None:
        """Draw the line between what was seen and what came, where reading stopped."""
        if followed or _cut(event):
            self._new, self.evidence.unseen = 0, None
        elif not self._new and _behind(choice, event.kept):
            self.evidence.unseen = event.kept

    def _stand(self, event: SessionGrown, choice: Choice, *, followed: bool) -> None:
        """Go to the end where the list was there, else stay and count."""
        rows, came = choice.listing.rows, _behind(choice, event.kept)
        self._new = 0 if followed else min(len(rows), self._new + came)
        if self.evidence.row is None:
            self.row = None
            self.reader.clear()
        elif followed and (came or self.row not in (None, rows[-1])):
            self._follow_to(rows[-1])
        elif self.row is None:
            self.go(self.evidence.row, "evidence", again=True)

    # Staying at the end.

    def _follow_to(self, row: int) -> None:
        """Go to the newest row; the reader shows as many of them as can be told apart."""
        self.evidence.move_to(self.evidence.record_count() - 1)
        self.rail.go(row)
        self.row = row
        self._newer = True
        if self._reading is None:
            self._read_newest()

    def _read_newest(self) -> None:
        """Read the piece that came, if one did; the next one is read a little later."""
        newer, self._newer = self._newer, False
        self._reading = self.set_timer(READ_EVERY, self._read_newest) if newer else None
        if newer and self.row is not None:
            self._piece_generation += 1
            self._unasked = self._piece_generation
            self._read(self.row, self._piece_generation, None, 0)

    def action_follow(self) -> None:
        """Follow, from the end of the list on; or stay."""
        self._tells = True
        self._held = self.follows
        if not self._held:
            if self.pane == "reader":
                self.use("evidence")
            self.evidence.action_end()
        self.tell_following()

    def action_refresh(self) -> None:
        """Look for more now."""
        if self._tailer is not None:
            self.gateway.look(self, self._tailer)

    @on(NewChip.Clicked)
    def _chip_clicked(self) -> None:
        self.use("evidence")
        self.evidence.action_end()


def _cut(event: SessionGrown) -> bool:
    """Say whether something was taken away: the file is another, or shorter."""
    return any(isinstance(each, Truncated | Replaced) for each in event.events)


def _behind(choice: Choice, row: int) -> int:
    """Return how many rows of a list are not before a row of the view."""
    return len(choice.listing.rows) - bisect_left(choice.listing.rows, row)


def _answer(view: SessionView, row: int) -> tuple[object, ...]:
    """Return what may change of a row that is there: what came for it."""
    return view.flags(row), view.peer_row(row), view.bytes(row)
