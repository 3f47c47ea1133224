"""A card over a screen."""

from __future__ import annotations

from unspool_tui.keymap import bindings
from unspool_tui.screens.over import OverScreen
from unspool_tui.widgets.surface import lay


class CardScreen(OverScreen[None]):
    """Shows one thing in the middle, and closes with escape."""

    DEFAULT_CSS = """
    CardScreen { align: center middle; }
    CardScreen > * { width: 100%; max-width: 104; }
    """
    BINDINGS = bindings("card.close")

    busy = False
    """Whether something runs that a click beside the card must not end."""

    def on_mount(self) -> None:
        """Lay what is shown on a surface of its own."""
        for child in self.children:
            lay("raised", child)

    def action_close(self) -> None:
        """Close the card."""
        self.dismiss()

    def on_click(self) -> None:
        """Close the card by a click beside it."""
        if not self.busy and self.get_widget_at(*self.app.mouse_position)[0] is self:
            self.dismiss()
