"""The chip over the last row of a list: how much came that is not in view, and the key that goes there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from unspool_tui.present.cells import Row, width_of
from unspool_tui.present.follow_rows import new_row
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.painting import Painting

FROM_THE_END: Final = 3
"""Cells between the chip and the end of the row: the map of the list stays in sight."""


class NewChip(Painting):
    """Lies over the list while `new` rows are below it; a click goes there."""

    DEFAULT_CSS = "NewChip { layer: above; dock: bottom; height: 1; width: auto; display: none; }"

    new: reactive[int] = reactive(0)

    class Clicked(Message):
        """The chip was clicked."""

    def watch_new(self, new: int) -> None:
        """Show the chip while there is something to tell."""
        self.display = new > 0
        self.place()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the chip."""
        return [self._row()]

    def on_click(self) -> None:
        """Say that it was clicked."""
        self.post_message(self.Clicked())

    def place(self) -> None:
        """Go to the end of the row in the size that there is."""
        width = width_of(self._row())
        self.styles.width = width
        room = self.parent.size.width if isinstance(self.parent, Widget) else width
        self.styles.offset = (max(0, room - width - FROM_THE_END), 0)

    def _row(self) -> Row:
        return new_row(self.new, key_for(self.app, "move.end"))
