"""Searching a session that is still being read: its newest lines first, until all of it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool_tui.gateway.view_questions import opened_of
from unspool_tui.present import numbers
from unspool_tui.present.windows import LINES_BEFORE
from unspool_tui.screens.browse import BrowseScreen

if TYPE_CHECKING:
    from unspool.views.view import SessionView
    from unspool_tui.messages.session import EndOpened, SessionOpened
    from unspool_tui.present.cells import Cell


READING_REST: Final[Cell] = ("reading the rest …", "muted")


class NewestFirstScreen(BrowseScreen):
    """Shows the newest lines once words are searched before the session is read, in place of what there is of it."""

    _part = True
    """Whether at most a part of the session is read."""
    _asked_for_end = False

    @property
    def at_end(self) -> bool:
        """Whether the newest lines alone are shown."""
        return self.view is not None and self.view.begin > 0

    @property
    def read_part(self) -> str:
        """Of what part of the session the numbers of a search are: of its beginning, or of its newest lines."""
        if not self._part or self.view is None:
            return ""
        begin, size = self.view.begin, numbers.size(self.view.size)
        return f"in the newest {numbers.size(self.view.size - begin)} of {size}" if begin else f"in the first {size}"

    def choose(self, words: str) -> None:
        """Choose; words that are searched for the first time wait for the newest lines."""
        if self._part and not self._asked_for_end and self.asked[1]:
            self._asked_for_end = True
            self.filter_line.say((("looking at its newest part …", "muted"),))
            self.gateway.open_end(self, self.target)
        else:
            super().choose(words)

    def on_end_opened(self, event: EndOpened) -> None:
        """Show the newest lines, if they are still wanted; where there are none the beginning is searched."""
        if event.view is None:
            self.choose(self.filter_line.words)
        elif self._part and self.asked[1]:
            super().on_session_opened(opened_of(event.view))
            self.say((READING_REST,), stays=True)
        else:
            self._asked_for_end = False
            self.gateway.release(event.view)

    def on_session_opened(self, event: SessionOpened) -> None:
        """Show the session; in place of its newest lines more of its beginning is of no use."""
        event.prevent_default()  # what it would do is done here
        self._part = self._part and event.tail is None
        if self.view is None or not self.at_end:
            super().on_session_opened(event)
        elif self._part:
            self.gateway.release(event.view)
        else:
            self._go_on_from_end(event, self.view)

    def _go_on_from_end(self, event: SessionOpened, before: SessionView) -> None:
        """Show all of the session in place of its newest lines, at the same line of the same piece."""
        self.say(())
        self._begins_at_end = self._tells and self.follows
        row = event.view.row_of(before.id(self.row)) if self.row is not None else None
        subject, top = self.reader.subject, self.reader.position
        is_read = subject is not None and subject.evidence.row == self.row
        super().on_session_opened(event)
        if row is not None and not self._begins_at_end:
            self._start = row, top[0] + LINES_BEFORE if is_read and top is not None else None
