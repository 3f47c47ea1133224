"""The top bar: where one is, what it is about, whether it lives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.message import Message
from textual.reactive import reactive

from unspool_tui.present.bars import Top, top_row
from unspool_tui.present.cells import Row, width_of
from unspool_tui.widgets.painting import Painting

if TYPE_CHECKING:
    from textual import events


class TopBar(Painting):
    """One row; shows a `Top`."""

    DEFAULT_CSS = "TopBar { height: 1; dock: top; }"
    ground = "bar"

    top: reactive[Top] = reactive(Top())

    class PaneClicked(Message):
        """The name of a pane was clicked."""

        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the bar."""
        return [top_row(self.top, width)]

    def on_click(self, event: events.Click) -> None:
        """Say which pane was clicked."""
        at = self.size.width - 1 - sum(width_of([(f"  {name}", "")]) for name in self.top.panes)
        for name in self.top.panes:
            stop = at + len(name) + 2
            if at <= event.x < stop:
                self.post_message(self.PaneClicked(name))
            at = stop
