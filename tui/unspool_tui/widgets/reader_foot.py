"""The row below the reader's body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.reactive import reactive

from unspool_tui.present.reader_foot import Foot, foot_row
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.painting import Painting

if TYPE_CHECKING:
    from unspool_tui.present.cells import Row


class ReaderFoot(Painting):
    """Which window of what is shown."""

    DEFAULT_CSS = "ReaderFoot { height: 1; }"
    ground = "rail"

    foot: reactive[Foot | None] = reactive(None)

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the row."""
        keys = key_for(self.app, "move.page_down"), key_for(self.app, "reader.find")
        return [foot_row(self.foot, width, keys)]
