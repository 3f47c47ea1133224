"""The two rows above the reader's body."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from textual.message import Message
from textual.reactive import reactive

from unspool_tui.present.reader_header import SWITCH_WIDTH, Mode, has_switch, header_rows
from unspool_tui.widgets.painting import Painting

if TYPE_CHECKING:
    from textual import events

    from unspool_tui.present.cells import Row
    from unspool_tui.present.subject import Subject


class ReaderHeader(Painting):
    """What is read and how big it is; the call that made it."""

    DEFAULT_CSS = "ReaderHeader { height: 2; }"
    ground = "bar"

    subject: reactive[Subject | None] = reactive(None, always_update=True)
    mode: reactive[Mode] = reactive(Mode())
    zone: reactive[tzinfo | None] = reactive(None)
    """Time zone of the times; `None` for this machine's own."""

    class SwitchClicked(Message):
        """The switch between full text and model view was clicked."""

    class PeerClicked(Message):
        """The row that names the counterpart was clicked."""

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return both rows."""
        return header_rows(self.subject, self.mode, width, self.zone)

    def on_click(self, event: events.Click) -> None:
        """Take a click for the switch or for the counterpart."""
        if event.y == 0 and event.x >= self.size.width - SWITCH_WIDTH and has_switch(self.subject, self.mode):
            self.post_message(self.SwitchClicked())
        elif event.y == 1 and self.subject is not None and self.subject.peer is not None:
            self.post_message(self.PeerClicked())
