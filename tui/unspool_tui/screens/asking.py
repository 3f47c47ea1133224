"""A question that is answered with yes or no, and never by a slip of a key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from unspool_tui.keymap import bindings
from unspool_tui.present.cells import Row, spread, wrap
from unspool_tui.screens.over import OverScreen
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.painting import Painting

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.geometry import Size

REASON_ROWS: Final = 4
"""Rows that one reason may take."""


class AskScreen(OverScreen[bool]):
    """Asks, with the reasons to hesitate below; enter is yes, everything else no."""

    DEFAULT_CSS = """
    AskScreen { align: center middle; }
    AskScreen > * { width: 100%; max-width: 100; }
    """
    BINDINGS = bindings("ask.yes", "card.close")

    def __init__(self, question: str, reasons: Sequence[str]) -> None:
        super().__init__()
        self._card = Question(question, reasons)

    def compose(self) -> ComposeResult:
        """Show the question."""
        yield self._card

    def action_yes(self) -> None:
        """Answer yes."""
        self.dismiss(True)

    def action_close(self) -> None:
        """Answer no."""
        self.dismiss(False)


class Question(Painting):
    """The question on its card."""

    ground = "raised"

    def __init__(self, question: str, reasons: Sequence[str]) -> None:
        super().__init__()
        self._question = question
        self._reasons = reasons
        self.styles.height = "auto"

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Be as high as the rows."""
        return len(self.rows(width, 0)) + 1

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the card's rows."""
        yes, no = key_for(self.app, "ask.yes"), key_for(self.app, "card.close")
        keys: Row = ((yes, "text bold"), (" yes   ", "muted"), (no, "text bold"), (" no   ", "muted"))
        told = (line for reason in self._reasons for line in wrap(reason, width - 6, REASON_ROWS))
        reasons: list[Row] = [(("   ", "text"), (line, "soft")) for line in told]
        return [(), (("   ", "text"), (self._question, "text bold")), (), *reasons, spread((), keys, width)]
