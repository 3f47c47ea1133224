"""The list of the path lens: every path that a session touches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from unspool_tui.keymap import bindings
from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, Row
from unspool_tui.present.path_rows import TouchedPath, path_columns, path_row
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from unspool.views.path_uses import PathUse
    from unspool.views.view import SessionView


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
    here: frozenset[str] = frozenset()
    """The paths of the piece that is open."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._view: SessionView | None = None
        self._uses: Sequence[PathUse] = ()

    def show(self, view: SessionView, uses: Sequence[PathUse], cursor: int) -> None:
        """Show other paths."""
        self._view, self._uses = view, uses
        self.renew(cursor, keep_offset=True)

    @property
    def use(self) -> PathUse | None:
        """The path under the cursor, `None` when there is none."""
        return self._uses[self.cursor] if self._uses else None

    def record_count(self) -> int:
        """Return how many there are."""
        return len(self._uses)

    def paint(self, line: int, width: int, *, here: bool) -> tuple[Row, str]:
        """Return a row."""
        bar = (marks.BAR, "accent" if self.lit else "faint") if here else BLANK
        view, use = self._view, self._uses[line]
        assert view is not None  # lines are only painted while there are paths
        path = TouchedPath(use, view.id(use.last), view.time(use.last), use.path in self.here)
        return path_row(path, width, bar=bar, here=here, zone=self.zone), self.surface(here)
