"""The one adapter from rows of cells to strips: tokens become colours of the theme, every cell is styled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from unspool_tui.present.cells import Cell, fit
from unspool_tui.present.tokens import DEFAULT_THEME, LOUD, THEMES

if TYPE_CHECKING:
    from textual.app import App


class Ink:
    """Styles for the tokens of one theme; `plain` is for terminals without colour (`NO_COLOR`)."""

    def __init__(self, theme: str, *, plain: bool = False) -> None:
        self.theme = theme
        self.plain = plain
        self._tokens = THEMES.get(theme, THEMES[DEFAULT_THEME])

    @lru_cache(maxsize=2048)  # noqa: B019 - inks live as long as the process, there are four at most
    def style(self, ink: str, ground: str) -> Style:
        """Return the style for a cell's ink; `ground` is the surface below where the ink names none."""
        fore, _, back = ink.partition(" on ")
        token, *attributes = fore.split()
        loud = self.plain and (back in LOUD or (token == "error" and "bold" in attributes))
        return Style(
            color=self._tokens[token],
            bgcolor=self._tokens[back or ground],
            bold=loud or "bold" in attributes,
            italic="italic" in attributes,
            underline=loud or "underline" in attributes,
            strike="strike" in attributes,
        )

    def strip(self, cells: Sequence[Cell], width: int, ground: str) -> Strip:
        """Return the cells as a strip of exactly `width` cells on a surface."""
        fitted = fit(cells, width)
        return Strip([Segment(text, self.style(ink, ground)) for text, ink in fitted if text], max(width, 0))


@lru_cache(maxsize=8)
def _ink(theme: str, plain: bool) -> Ink:
    return Ink(theme, plain=plain)


def ink_of(app: App[object]) -> Ink:
    """Return the ink of the app's present theme."""
    return _ink(app.theme, app.no_color)
