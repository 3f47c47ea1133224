"""The list of the path lens: every path that a session touches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from unspool_tui.keymap import bindings
from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, Row
from unspool_tui.present.path_rows import TouchedPath, path_columns, path_row
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.record_list import RecordList


class PathColumns(Painting):
    """The names of the list's columns."""

    DEFAULT_CSS = "PathColumns { height: 1; }"

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the names; the last cell stays free for the list's map."""
        return [path_columns(width - 1)]


class PathList(RecordList):
    """One row per path."""

    BINDINGS = bindings(("list.open", "all that touches it"))
    zone: tzinfo | None = None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.paths: Sequence[TouchedPath] = ()

    def show(self, paths: Sequence[TouchedPath], cursor: int) -> None:
        """Show other paths."""
        self.paths = paths
        self.renew(cursor, keep_offset=True)

    @property
    def path(self) -> TouchedPath | None:
        """The path under the cursor, `None` when there is none."""
        return self.paths[self.cursor] if self.paths else None

    def record_count(self) -> int:
        """Return how many there are."""
        return len(self.paths)

    def paint(self, line: int, width: int, *, here: bool) -> tuple[Row, str]:
        """Return a row."""
        bar = (marks.BAR, "accent" if self.lit else "faint") if here else BLANK
        return path_row(self.paths[line], width, bar=bar, here=here, zone=self.zone), self.surface(here)
