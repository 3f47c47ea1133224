"""The preview: what the session under the cursor is about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from textual.reactive import reactive

from unspool_tui.present.preview_rows import Preview, preview_rows
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.painting import Painting

if TYPE_CHECKING:
    from unspool.library.summary import SessionSummary
    from unspool_tui.present.cells import Row


class SessionPreview(Painting):
    """Paints a summary at once, and the preview of it when it comes."""

    DEFAULT_CSS = "SessionPreview { height: 1fr; }"
    ground = "rail"
    zone: tzinfo | None = None
    now = 0
    home: str | None = None

    summary: reactive[SessionSummary | None] = reactive(None)
    preview: reactive[Preview | None] = reactive(None)
    note: reactive[str] = reactive("")

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the preview."""
        if self.summary is None:
            return []
        return preview_rows(
            self.summary, self.preview, width, height, now=self.now, zone=self.zone, note=self.note, home=self.home,
            key=key_for(self.app, "copy.reference"),
        )  # fmt: skip
