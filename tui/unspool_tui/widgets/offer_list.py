"""The list of a palette: what fits the typed words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, Row
from unspool_tui.present.offers import Fitting, Offer, offer_row
from unspool_tui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from textual import events


class OfferList(RecordList, can_focus=False):
    """One row per offer. The focus stays where words are typed; the cursor is moved from there."""

    DEFAULT_CSS = "OfferList { height: 1fr; }"
    ground = "raised"
    note = "nothing is called so"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._fitting = Fitting((), ())

    @property
    def lit(self) -> bool:
        """Whether the cursor is drawn as the focused one."""
        return True

    @property
    def offer(self) -> Offer | None:
        """The offer under the cursor, `None` when nothing fits."""
        return self._fitting.offers[self.cursor] if self._fitting.offers else None

    def show(self, fitting: Fitting, *, from_top: bool) -> None:
        """Show other offers, from the best one or where the cursor is."""
        self._fitting = fitting
        self.renew(0 if from_top else None)

    def record_count(self) -> int:
        """Return how many there are."""
        return len(self._fitting.offers)

    def on_click(self, event: events.Click) -> None:
        """Choose at once: the focus is elsewhere, and a second click would be one too many."""
        event.prevent_default()
        line = event.y + self.scroll_offset.y
        if 0 <= line < self.record_count():
            self.move_to(line)
            self.action_open()

    def paint(self, line: int, width: int, *, here: bool) -> tuple[Row, str]:
        """Return a row."""
        bar = (marks.BAR, "accent") if here else BLANK
        row = offer_row(self._fitting.offers[line], self._fitting.words, width, bar=bar, here=here)
        return row, self.surface(here)
