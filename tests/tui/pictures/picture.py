"""What a screen shows, cell by cell, and where its widgets lie."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from textual._context import visible_screen_stack
from textual.app import App
from textual.geometry import Region

from unspool_tui.present.tokens import THEMES

Size = tuple[int, int]
"""Columns and rows."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. A character of two cells stands in the first; the second has no text.

    `ink` and `ground` are colours, such as `#d6d9df`.
    """

    text: str
    ink: str
    ground: str
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False


@dataclass(frozen=True)
class Picture:
    """A screen at one moment.

    `regions` are the places of the widgets that draw, by their class; of several of a class the last one. `modal` says
    whether a card lies over another screen.
    """

    size: Size
    theme: str
    cells: tuple[tuple[Cell, ...], ...]
    regions: Mapping[str, Region]
    modal: bool

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The rows as text, of as many characters as there are."""
        return tuple("".join(cell.text for cell in row) for row in self.cells)

    @cached_property
    def tokens(self) -> Mapping[str, str]:
        """The theme's colours by the names of their tokens."""
        return THEMES[self.theme]

    def __str__(self) -> str:
        return "\n".join(row.rstrip() for row in self.rows) + "\n"

    def find(self, words: str) -> Iterator[tuple[int, int]]:
        """Yield row and column of every place where words stand."""
        for y, row in enumerate(self.rows):
            for found in re.finditer(re.escape(words), row):
                yield y, cell_len(row[: found.start()])

    def typed_in(self, widget: str) -> bool:
        """Say whether the cursor of a field that is typed in stands in a widget's place."""
        region = self.regions[widget]
        accent = self.tokens["accent"]
        return any(cell.ground == accent for row in self.cells[region.y : region.bottom] for cell in row)

    def part(self, region: Region) -> list[str]:
        """Return what stands in a region, row by row."""
        return [
            "".join(cell.text for cell in row[region.x : region.right])
            for row in self.cells[max(0, region.y) : max(0, region.bottom)]
        ]

    def lit(self) -> list[str]:
        """Return the rows on the ground of the focused cursor, each from its first cell on that ground to its last."""
        ground, found = self.tokens["cursor"], []
        for row in self.cells:
            at = [x for x, cell in enumerate(row) if cell.ground == ground]
            if at and row[at[0]].text in BARS:
                found.append("".join(cell.text for cell in row[at[0] : at[-1] + 1]))
        return found


BARS: Final = frozenset({"▌", "|"})
"""What the cursor's row begins with."""


def picture_of(app: App[int]) -> Picture:
    """Take the picture of what an app shows."""
    screen = app.screen
    visible_screen_stack.set(app._background_screens)  # a card lies on what is below, also where it is drawn again
    strips = screen._compositor.render_strips()
    cells = tuple(tuple(_cells((text, style) for text, style, _ in strip)) for strip in strips)
    return Picture((app.size.width, app.size.height), app.theme, cells, _regions(app), screen.is_modal)


def _regions(app: App[int]) -> dict[str, Region]:
    return {
        type(widget).__name__: widget.region
        for widget in app.screen.walk_children()
        if widget.display and widget.region.area and not widget.displayed_children
    }


def _cells(runs: Iterator[tuple[str, Style | None]]) -> Iterator[Cell]:
    """Yield the cells of runs of one style."""
    for text, style in runs:
        look = style or Style()
        ink = look.color.triplet.hex if look.color is not None and look.color.triplet is not None else ""
        ground = look.bgcolor.triplet.hex if look.bgcolor is not None and look.bgcolor.triplet is not None else ""
        if look.reverse:
            ink, ground = ground, ink
        flags = (bool(look.bold), bool(look.italic), bool(look.underline), bool(look.strike))
        for sign in text:
            yield Cell(sign, ink, ground, *flags)
            for _ in range(cell_len(sign) - 1):
                yield Cell("", ink, ground, *flags)
