"""The hits of a search over all sessions, as they come in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from textual.reactive import reactive

from unspool_tui.keymap import bindings
from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, Row
from unspool_tui.present.hit_rows import FoundPiece, FoundSession, found_piece_row, found_session_row
from unspool_tui.widgets.record_list import RecordList


class HitList(RecordList):
    """Pieces under their sessions; the cursor goes over pieces only."""

    BINDINGS = bindings(("list.open", "open there"))

    wide: reactive[bool] = reactive(False, repaint=False)
    """Whether there is room for lines."""
    zone: tzinfo | None = None
    now = 0

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: list[FoundSession | int | None] = []
        self._pieces: list[FoundPiece] = []
        self._starts: list[int] = []

    def watch_wide(self) -> None:
        """Draw the rows in their other form."""
        self.redraw()

    def clear(self) -> None:
        """Show nothing."""
        self._lines, self._pieces, self._starts = [], [], []
        self.renew(0)

    def add(self, session: FoundSession, pieces: Sequence[FoundPiece]) -> None:
        """Add a session with its hits at the end."""
        self._lines += [None, session] if self._lines else [session]
        for piece in pieces:
            self._starts.append(len(self._lines))
            self._lines.append(len(self._pieces))
            self._pieces.append(piece)
        self.renew(keep_offset=True)

    @property
    def piece(self) -> FoundPiece | None:
        """The hit under the cursor, `None` when there are none."""
        return self._pieces[self.cursor] if self._pieces else None

    def record_count(self) -> int:
        """Return how many hits there are."""
        return len(self._pieces)

    def line_count(self) -> int:
        """Return how many lines they take with their sessions."""
        return len(self._lines)

    def lines_of(self, record: int) -> range:
        """Return the line of a hit."""
        return range(self._starts[record], self._starts[record] + 1)

    def record_at(self, line: int) -> int | None:
        """Return the hit of a line."""
        what = self._lines[line]
        return what if isinstance(what, int) else None

    def context_of(self, lines: range) -> tuple[int, int]:
        """Keep the session above its first hit in view."""
        start = lines.start
        return (start - 1 if start > 0 and self.record_at(start - 1) is None else start), lines.stop

    def paint(self, line: int, width: int, *, here: bool) -> tuple[Row, str]:
        """Return a line."""
        what = self._lines[line]
        if isinstance(what, FoundSession):
            return found_session_row(what, width, now=self.now, zone=self.zone), self.ground
        if what is None:
            return (), self.ground
        bar = (marks.BAR, "accent" if self.lit else "faint") if here else BLANK
        row = found_piece_row(self._pieces[what], width, bar=bar, here=here, wide=self.wide, zone=self.zone)
        return row, self.surface(here)
