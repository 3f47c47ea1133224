"""Reading the session under the cursor for its preview, once the cursor rests."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from unspool.text import clean
from unspool_tui.screens.session_taking import SessionTaking
from unspool_tui.widgets.session_preview import SessionPreview

if TYPE_CHECKING:
    from unspool.library.summary import SessionSummary
    from unspool_tui.messages.listing import PreviewRead

REST_SECONDS: Final = 0.12
"""How long the cursor rests on a session before it is read for the preview."""


class Previewing(SessionTaking):
    """Shows what the session under the cursor is about."""

    def preview(self) -> None:
        """Show the preview of the session under the cursor; what is known of it stands there at once."""
        preview, summary = self.query_one(SessionPreview), self.summary
        before, preview.summary = preview.summary, summary
        if summary is None or (before is not None and (before.ref, before.bytes) == (summary.ref, summary.bytes)):
            return
        if before is None or before.ref != summary.ref:
            preview.preview = None
            preview.note = ""
        self.set_timer(REST_SECONDS, partial(self.when_seen, partial(self._read_preview, summary)))

    def on_preview_read(self, event: PreviewRead) -> None:
        """Show the preview, when the cursor is still there."""
        preview = self.query_one(SessionPreview)
        if preview.summary is not None and preview.summary.ref == event.ref:
            preview.note = clean(event.note, newline=False)
            preview.preview = event.preview

    def _read_preview(self, summary: SessionSummary) -> None:
        """Read for the preview, unless the cursor went on or no preview is shown."""
        shown = self.query_one(SessionPreview).summary
        if shown is not None and (shown.ref, shown.bytes) == (summary.ref, summary.bytes) and not self.narrow:
            self.gateway.preview(self, summary)
