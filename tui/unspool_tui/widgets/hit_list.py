"""The hits of a search over all sessions, as they come in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from textual.reactive import reactive

from unspool_tui.keymap import bindings
from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, Row
from unspool_tui.present.hit_rows import FoundPiece, FoundSession, found_piece_row, found_session_row
from unspool_tui.widgets.grouped_list import GroupedList


class HitList(GroupedList[FoundSession]):
    """Pieces under their sessions; the cursor goes over pieces only."""

    BINDINGS = bindings(("list.open", "open there"))

    wide: reactive[bool] = reactive(False, repaint=False)
    """Whether there is room for lines."""
    zone: tzinfo | None = None
    now = 0

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pieces: list[FoundPiece] = []

    def watch_wide(self) -> None:
        """Draw the rows in their other form."""
        self.redraw()

    def clear(self) -> None:
        """Show nothing."""
        self._pieces = []
        self.clear_lines()
        self.renew(0)

    def add(self, session: FoundSession, pieces: Sequence[FoundPiece]) -> None:
        """Add a session with its hits at the end."""
        first = len(self._pieces)
        self._pieces += pieces
        self.lay([None, session] if first else [session])
        self.lay(range(first, len(self._pieces)))
        self.renew(keep_offset=True)

    @property
    def piece(self) -> FoundPiece | None:
        """The hit under the cursor, `None` when there are none."""
        return self._pieces[self.cursor] if self._pieces else None

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
