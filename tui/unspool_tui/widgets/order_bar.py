"""The orders of the ledger: chosen by key or mouse, with the weight of all at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.message import Message
from textual.reactive import reactive

from unspool_tui.present.ledger_rows import Order, OrderSpot, orders_row
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.pane_title import title_cells

if TYPE_CHECKING:
    from textual import events

    from unspool.views.ledger import Weight
    from unspool_tui.present.cells import Row


class OrderBar(Painting):
    """One row: the title of the list, and the orders it can have."""

    DEFAULT_CSS = "OrderBar { height: 1; }"

    order: reactive[Order] = reactive(Order.SIZE)
    keys: reactive[tuple[str, ...]] = reactive(("1", "2", "3"))
    total: reactive[Weight | None] = reactive(None, always_update=True)
    known: reactive[bool] = reactive(True)
    """Whether a model is known to have seen the outputs."""

    class Clicked(Message):
        """An order was clicked."""

        def __init__(self, order: Order) -> None:
            super().__init__()
            self.order = order

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the bar."""
        return [self._row(width)[0]]

    def on_click(self, event: events.Click) -> None:
        """Say which order was clicked."""
        for spot in self._row(self.size.width)[1]:
            if spot.start <= event.x < spot.stop:
                self.post_message(self.Clicked(spot.order))

    def _row(self, width: int) -> tuple[Row, tuple[OrderSpot, ...]]:
        head = title_cells(self.order.title, lit=self.lit)
        return orders_row(head, self.order, self.keys, self.total, width, known=self.known)
