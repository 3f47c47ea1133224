"""What stands where there are no sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.reactive import reactive

from unspool_tui.present.empty_rows import KEYS, Place, empty_rows
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.painting import Painting

if TYPE_CHECKING:
    from unspool_tui.present.cells import Row


class EmptyState(Painting, can_focus=True):
    """Names the folders that were searched, and the ways on."""

    DEFAULT_CSS = "EmptyState { height: 1fr; }"

    places: reactive[tuple[Place, ...]] = reactive(())

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the pane."""
        keys = {name: key_for(self.app, name) for name in KEYS}
        return empty_rows(self.places, width, height, keys)
