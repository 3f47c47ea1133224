"""The overview: the thread of the session, with a cursor that goes with the evidence."""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING, Final

from textual.message import Message

from unspool.dataclass import dataclass
from unspool_tui.keymap import bindings
from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, Row
from unspool_tui.present.overview_rows import EMPTY, NOBODY, Thread, lay_out, thread_row, turn_words
from unspool_tui.widgets.covered import CoveredColumn
from unspool_tui.widgets.pane_title import PaneTitle
from unspool_tui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from unspool.views.overview import Overview

TITLE_GAP: Final = 4
"""Cells around the title: the bar, a blank at the end, and two that part it from what is said beside it."""

LAID_OUT_AT_ONCE: Final = 100
"""Texts that are wrapped in no more than some milliseconds; more are wrapped in a worker."""


class ThreadList(RecordList):
    """The lines of the thread; the cursor goes over prompts, steps, gaps and answers."""

    BINDINGS = bindings(("list.open", "go there"))
    DEFAULT_CSS = "ThreadList { scrollbar-size-vertical: 0; }"
    ground = "rail"
    zone: tzinfo | None = None

    class LaidOut(Message):
        """The thread was wrapped for another width."""

    @dataclass
    class Wanted(Message):
        """A thread too long to be wrapped here wants wrapping; answer with `take`. The one `known` is shown."""

        overview: Overview
        width: int
        known: Thread

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._overview: Overview | None = None
        self._width = 0
        self._row: int | None = None
        self.thread: Thread = EMPTY

    def show(self, overview: Overview) -> None:
        """Show another thread."""
        self._overview = overview
        self._lay_out()

    def take(self, overview: Overview, width: int, thread: Thread) -> None:
        """Show a thread that was wrapped; one that was wrapped for something else is dropped."""
        if overview is self._overview and width == self._width:
            self.thread = thread
            self.renew(thread.at_row(self._row) if self._row is not None and thread.knots else 0, keep_offset=True)
            self.post_message(self.LaidOut())

    def go(self, row: int) -> None:
        """Put the cursor where a row of the view belongs."""
        self._row = row
        if self.thread.knots:
            self.move_to(self.thread.at_row(row))

    def record_count(self) -> int:
        """Return how many places the thread has."""
        return len(self.thread.knots)

    def line_count(self) -> int:
        """Return how many lines it takes."""
        return len(self.thread.owners)

    def lines_of(self, record: int) -> range:
        """Return the lines of a place."""
        return self.thread.lines_of(record)

    def record_at(self, line: int) -> int | None:
        """Return the place of a line."""
        owner = self.thread.owners[line]
        return None if owner == NOBODY else owner

    def context_of(self, lines: range) -> tuple[int, int]:
        """Keep two lines around the cursor in view."""
        return max(0, lines.start - 2), min(self.line_count(), lines.stop + 2)

    def paint(self, line: int, width: int, *, here: bool) -> tuple[Row, str]:
        """Return a line."""
        bar = (marks.BAR, "accent" if self.lit else "faint") if here else BLANK
        row = thread_row(self.thread, line, width, bar=bar, here=here, zone=self.zone)
        return row, self.surface(here)

    def on_resize(self) -> None:
        """Wrap the texts for the new width."""
        if self.scrollable_content_region.width != self._width:
            self._lay_out()
        super().on_resize()

    def _lay_out(self) -> None:
        self._width = self.scrollable_content_region.width
        if self._overview is None or self._width <= 0:
            return
        if len(self._overview.items) <= LAID_OUT_AT_ONCE:
            self.take(self._overview, self._width, lay_out(self._overview, self._width, known=self.thread))
        else:
            self.post_message(self.Wanted(self._overview, self._width, self.thread))


class OverviewRail(CoveredColumn):
    """Title and thread."""

    DEFAULT_CSS = """
    OverviewRail { height: 1fr; }
    OverviewRail > ThreadList { height: 1fr; }
    """

    def compose(self) -> ComposeResult:
        """Put the title above the thread."""
        yield PaneTitle("Overview")
        yield ThreadList(id="overview")

    @property
    def thread(self) -> ThreadList:
        """The list."""
        return self.query_one(ThreadList)

    @property
    def shows(self) -> bool:
        """Whether the thread is shown, or that there is none."""
        return self.thread.thread is not EMPTY

    def show(self, overview: Overview) -> None:
        """Show another thread."""
        self.thread.show(overview)

    def go(self, row: int) -> None:
        """Put the cursor where a row of the view belongs."""
        self.thread.go(row)
        self._say_turn()

    def light(self, *, lit: bool) -> None:
        """Show whether the pane has the focus."""
        self.query_one(PaneTitle).lit = lit

    def on_record_list_moved(self) -> None:
        """Say which turn the cursor is in."""
        self._say_turn()

    def on_thread_list_laid_out(self) -> None:
        """Say which turn the cursor is in."""
        self._say_turn()

    def _say_turn(self) -> None:
        title = self.query_one(PaneTitle)
        title.said = turn_words(self.thread.thread, self.thread.cursor, self.size.width - len(title.title) - TITLE_GAP)
