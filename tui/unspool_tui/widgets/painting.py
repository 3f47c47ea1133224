"""The base of what is painted and neither scrolls nor takes keys: bars, titles, cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.reactive import reactive
from textual.widget import Widget

from unspool_tui.widgets.ink import ink_of

if TYPE_CHECKING:
    from textual.strip import Strip

    from unspool_tui.present.cells import Row


class Painting(Widget):
    """A widget of rows on one surface; a subclass returns its rows for a size."""

    ALLOW_SELECT = False
    ground = "ground"

    lit: reactive[bool] = reactive(False)
    """Whether the pane that this belongs to has the focus."""

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the rows; missing ones are blank."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        width, height = self.size
        rows = self.rows(width, height)
        return ink_of(self.app).strip(rows[y] if y < len(rows) else (), width, self.ground)
