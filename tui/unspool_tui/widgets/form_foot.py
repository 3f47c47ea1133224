"""What stands around a form: its title, what it says, its keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.reactive import reactive

from unspool_tui.present.cells import Cell, Row, spread, width_of
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.painting import Painting

INSET: Final[Cell] = ("   ", "text")

Keys = Sequence[tuple[Sequence[str], str]]
"""Commands, and what they do."""


class CardTitle(Painting):
    """The title of a card."""

    DEFAULT_CSS = "CardTitle { height: 3; }"
    ground = "raised"

    def __init__(self, title: str, *, closes: bool = True, also: tuple[str, str] | None = None) -> None:
        """Name the key that closes the card, and before it `also` a command with what it does."""
        super().__init__()
        self._title = title
        self._closes = closes
        self._also = also

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the title between blank rows."""
        also: Row = ()
        if self._also is not None:
            name, does = self._also
            also = ((key_for(self.app, name), "text bold"), (f" {does}   ", "muted"))
        closes: Row = (*also, (key_for(self.app, "card.close"), "text bold"), (" closes", "muted"), INSET)
        return [(), spread([INSET, (self._title, "text bold")], closes if self._closes else (INSET,), width)]


class FormTold(Painting):
    """What a form says, a blank row above it."""

    DEFAULT_CSS = "FormTold { height: 5; }"
    ground = "raised"
    told: reactive[tuple[Row, ...]] = reactive(())

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the rows."""
        return [(), *((INSET, *row) for row in self.told)]


class FormKeys(Painting):
    """The keys of a form, as they are bound now."""

    DEFAULT_CSS = "FormKeys { height: 2; }"
    ground = "raised"
    keys: reactive[Keys] = reactive(())

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the keys; those before the last, which leads out, give way where there is no room."""
        told = [(" ".join(key_for(self.app, name) for name in names), words) for names, words in self.keys]
        cells = [((shown, "text bold"), (f" {words}   ", "muted")) for shown, words in told]
        every: Row = (INSET, *(cell for pair in cells for cell in pair))
        return [every if width_of(every) <= width else spread(every[:-2], every[-2:], width)]
