"""The title of a pane, with what belongs to it at the right."""

from __future__ import annotations

from collections.abc import Sequence

from textual.reactive import reactive

from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, Row, spread
from unspool_tui.widgets.painting import Painting


class PaneTitle(Painting):
    """One row of words; the rest of its height is blank."""

    DEFAULT_CSS = "PaneTitle { height: 1; }"
    ground = "rail"

    said: reactive[str] = reactive("")
    """The words at the right."""

    def __init__(self, title: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.title = title

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the title."""
        return [spread(title_cells(self.title, lit=self.lit), [(self.said, "muted"), BLANK], width)]


def title_cells(title: str, *, lit: bool) -> Row:
    """Return a title with the bar that says where the focus is."""
    return ((marks.BAR, "accent"), (title, "accent bold")) if lit else (BLANK, (title, "muted bold"))
