"""Facets: what there is in numbers, chosen by key or mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.message import Message
from textual.reactive import reactive

from unspool.dataclass import replace
from unspool_tui.present.facets import Facet, Spot, facet_row
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.pane_title import title_cells

if TYPE_CHECKING:
    from textual import events

    from unspool_tui.present.cells import Row


class FacetBar(Painting):
    """One row: a title and chips."""

    DEFAULT_CSS = "FacetBar { height: 1; }"

    title: reactive[str] = reactive("")
    facets: reactive[tuple[tuple[Facet, int], ...]] = reactive(())
    chosen: reactive[frozenset[str]] = reactive(frozenset())

    class Clicked(Message):
        """A chip was clicked."""

        def __init__(self, word: str) -> None:
            super().__init__()
            self.word = word

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the bar."""
        return [self._row(width)[0]]

    def on_click(self, event: events.Click) -> None:
        """Say which chip was clicked."""
        for spot in self._row(self.size.width)[1]:
            if spot.start <= event.x < spot.stop:
                self.post_message(self.Clicked(spot.word))

    def _row(self, width: int) -> tuple[Row, tuple[Spot, ...]]:
        facets = [(self._keyed(facet), count) for facet, count in self.facets]
        return facet_row(title_cells(self.title, lit=self.lit), facets, self.chosen, width)

    def _keyed(self, facet: Facet) -> Facet:
        return replace(facet, key=key_for(self.app, f"facet.{facet.key}")) if facet.key else facet
