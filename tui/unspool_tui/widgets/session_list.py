"""The session list: days as headings, children under their parents."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Final

from textual.message import Message
from textual.reactive import reactive

from unspool.dataclass import dataclass
from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, Cell, Row
from unspool_tui.present.session_row import (
    AIRY_FROM,
    PROJECT_WIDTH,
    Day,
    Details,
    Item,
    Listed,
    columns_row,
    day_row,
    project_width,
    session_row,
)
from unspool_tui.widgets.grouped_list import GroupedList
from unspool_tui.widgets.painting import Painting

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library.summary import SessionSummary

MEASURED_EVERY: Final = 3.0
"""Seconds between two measures of a session that grows: each reads all of it."""


class ColumnNames(Painting):
    """The names of the list's columns."""

    DEFAULT_CSS = "ColumnNames { height: 1; }"

    projects: reactive[int] = reactive(PROJECT_WIDTH)
    """Cells of the project column."""

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the names; the last cell stays free for the list's map."""
        return [columns_row(width - 1, self.projects)]


class SessionList(GroupedList[Day]):
    """Shows arranged items.

    While they are looked for the first time, and until a person moves the cursor, it stands on the first one or on the
    one to begin on, whatever comes in.
    """

    zone: tzinfo | None = None
    now = 0
    """Milliseconds since 1970, against which ages are told."""
    begin = ""
    """The reference of the session that the cursor begins on, once it is listed and unless the cursor was moved."""

    _waits = False

    @dataclass
    class Wanted(Message):
        """Sessions came into view of which not all is known."""

        summaries: tuple[SessionSummary, ...]

    class ProjectsMeasured(Message):
        """The project column has another width."""

        def __init__(self, width: int) -> None:
            super().__init__()
            self.width = width

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.projects = PROJECT_WIDTH
        self._items: Sequence[Item] = ()
        self._sessions: list[Listed] = []
        self._touched = False
        self._details: dict[SessionRef, Details] = {}
        self._stale: set[SessionRef] = set()
        self._measured: dict[SessionRef, float] = {}
        self._asked = False

    def show(self, items: Sequence[Item], *, again: bool = False) -> None:
        """Show other items; the cursor stays on its session, or where that was if it is gone from the same ones."""
        at = self.cursor if again else 0
        kept = self.summary.ref if self.summary is not None else None
        self._items = items
        self._sessions = [item for item in items if isinstance(item, Listed)]
        self._lay_out()
        refs = [listed.summary.ref for listed in self._sessions]
        begin = next((at for at, ref in enumerate(refs) if self.begin == str(ref)), None)
        if not self._touched and not again:
            self.scroll_to(y=0, animate=False, immediate=True)
            self.renew(begin or 0)
        elif begin is not None:
            self.begin = ""
            self.renew(begin)
        else:
            self.renew(refs.index(kept) if kept in refs else at, keep_offset=kept is not None)

    def begin_anew(self) -> None:
        """Take the sessions away; those that come are seen from the first one on."""
        self._touched = False
        self.show(())

    def move_to(self, record: int, *, tell: bool = False) -> None:
        """Put the cursor on a session; a person who moves it has begun elsewhere."""
        if tell:
            self._touched, self.begin = True, ""
        super().move_to(record, tell=tell)

    def action_open(self) -> None:
        """Open the session under the cursor: it is where the person is."""
        self._touched = True
        super().action_open()

    def learn(self, ref: SessionRef, details: Details) -> None:
        """Take what a full read told about a session, and draw it."""
        self._details[ref] = details
        self._measured[ref] = time.monotonic()
        self.redraw()

    def grow(self, summaries: Sequence[SessionSummary], before: Mapping[str, SessionSummary]) -> None:
        """Measure again what is not as long as it was; until then it is told as it was."""
        sizes = {ref: summary.bytes for ref, summary in before.items()}
        self._stale |= {each.ref for each in summaries if sizes.get(str(each.ref), each.bytes) != each.bytes}

    @property
    def summary(self) -> SessionSummary | None:
        """The session under the cursor, `None` in an empty list."""
        return self._sessions[self.cursor].summary if self._sessions else None

    def marks(self, height: int) -> Mapping[int, Cell]:
        """Return where the live sessions are that are not in view."""
        total = max(1, len(self._lines))
        top = self.scroll_offset.y
        found: dict[int, Cell] = {}
        for start, listed in zip(self._starts, self._sessions, strict=True):
            if top <= start < top + self.scrollable_content_region.height:
                continue
            if listed.summary.waiting:
                found[start * height // total] = (marks.WAITING, "user")
            elif listed.summary.live:
                found.setdefault(start * height // total, (marks.LIVE, "live"))
        return found

    def paint(self, line: int, width: int, *, here: bool) -> tuple[Row, str]:
        """Return a line."""
        what = self._lines[line]
        if not isinstance(what, int):
            return (day_row(what) if what is not None else ()), self.ground
        listed = self._sessions[what]
        details = self._details.get(listed.summary.ref)
        if self._is_unknown(listed.summary):
            self._want()
        bar = (marks.BAR, "accent" if self.lit else "faint") if here else BLANK
        row = session_row(
            listed, width, bar=bar, here=here, now=self.now, zone=self.zone, details=details, projects=self.projects
        )
        return row, self.surface(here)

    def on_resize(self) -> None:
        """Give days their blank lines where there is room."""
        self._lay_out()
        self.renew()
        super().on_resize()

    def in_view(self) -> list[SessionSummary]:
        """Return the sessions in view."""
        top = self.scroll_offset.y
        lines = self._lines[top : top + self.scrollable_content_region.height]
        return [self._sessions[what].summary for what in lines if isinstance(what, int)]

    def _lay_out(self) -> None:
        airy = self.size.height >= AIRY_FROM
        projects = project_width((listed.summary for listed in self._sessions), self.scrollable_content_region.width)
        if projects != self.projects:
            self.projects = projects
            self.post_message(self.ProjectsMeasured(projects))
        self.clear_lines()
        number = 0
        for item in self._items:
            if isinstance(item, Day):
                self.lay([None, item] if airy and number else [item])
            else:
                self.lay([number])
                number += 1

    def _is_unknown(self, summary: SessionSummary) -> bool:
        """Say whether a session is to be measured: one that grows is measured again after a while."""
        if summary.counts is not None or summary.ref not in self._details:
            return summary.counts is None
        if summary.ref not in self._stale:
            return False
        wait = self._measured.get(summary.ref, 0.0) + MEASURED_EVERY - time.monotonic()
        if wait > 0 and not self._waits:
            self._waits = True
            self.set_timer(wait, self._look_again)
        return wait <= 0

    def _look_again(self) -> None:
        self._waits = False
        self.redraw()

    def _want(self) -> None:
        if not self._asked:
            self._asked = True
            self.call_after_refresh(self._ask)

    def _ask(self) -> None:
        self._asked = False
        unknown = [each for each in self.in_view() if self._is_unknown(each)]
        self._stale -= {each.ref for each in unknown}
        if unknown:
            self.post_message(self.Wanted(tuple(unknown)))
