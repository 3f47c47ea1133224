"""What stands where there are no sessions."""

from __future__ import annotations

from collections.abc import Sequence

from textual.reactive import reactive

from unspool_tui.present.cells import Row
from unspool_tui.present.empty_rows import Place, empty_rows
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.painting import Painting


class EmptyState(Painting, can_focus=True):
    """Names the folders that were searched, and the ways on."""

    DEFAULT_CSS = "EmptyState { height: 1fr; background: $u-ground; }"

    places: reactive[tuple[Place, ...]] = reactive(())

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the pane."""
        keys = key_for(self.app, "sessions.open"), key_for(self.app, "sessions.again")
        return empty_rows(self.places, width, height, keys)
