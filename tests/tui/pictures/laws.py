"""What is so in every picture, whatever it shows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final

from textual.geometry import Region

from tests.tui.pictures.picture import Cell, Picture

Law = Callable[[Picture], Iterator[str]]
"""Yields what is wrong."""

ENOUGH: Final = 4.5
"""The least ratio of lightness between text and what it stands on."""

RAILS: Final = ("ThreadList", "SessionPreview")
"""Widgets on the ground of the rail."""


def broken(picture: Picture) -> list[str]:
    """Return what breaks a law."""
    return [said for law in LAWS for said in law(picture)]


def exact(picture: Picture) -> Iterator[str]:
    """Every row is as wide as the screen, every cell has a colour and a ground."""
    width, height = picture.size
    if len(picture.cells) != height:
        yield f"{len(picture.cells)} rows on a screen of {height}"
    for y, row in enumerate(picture.cells):
        if len(row) != width:
            yield f"row {y} has {len(row)} cells on a screen of {width}"
        if not all(cell.ground and (cell.ink or not cell.text.strip()) for cell in row):
            yield f"row {y} has cells without a colour"


def safe(picture: Picture) -> Iterator[str]:
    """No cell holds a character that a terminal obeys or that has no width, and no wide one is cut in half."""
    for y, row in enumerate(picture.cells):
        if picture.rows[y].isascii() and picture.rows[y].isprintable():
            continue
        for x, cell in enumerate(row):
            if cell.text and (unicodedata.category(cell.text) in ("Cc", "Cf", "Cs", "Co") or cell.text == "\ufffd"):
                yield f"row {y} holds {cell.text!r} in column {x}"
            if not cell.text and (x == 0 or unicodedata.east_asian_width(row[x - 1].text or "a") not in "WF"):
                yield f"row {y} has half a character in column {x}"


def framed(picture: Picture) -> Iterator[str]:
    """A bar at the top names the product, one at the foot offers help or the keys of what is typed."""
    if picture.modal:
        return
    top, foot = picture.rows[0], picture.rows[-1]
    if not top.startswith(" unspool"):
        yield f"the top bar begins with {top[:12]!r}"
    asks, typing = "Asked" in picture.regions, any(map(picture.typed_in, picture.regions))
    if not typing and not re.search(r" \S+ help( |$)", foot):
        yield f"the key bar offers no help: {foot!r}"
    bar = picture.tokens["bar"]
    if picture.cells[0][0].ground != bar or (not asks and picture.cells[-1][0].ground != bar):
        yield "top and foot are not on the ground of bars"


def tiled(picture: Picture) -> Iterator[str]:
    """What draws lies within the screen, and side by side."""
    whole = Region(0, 0, *picture.size)
    drawn = [(name, region) for name, region in picture.regions.items() if name not in OVER]
    for at, (name, region) in enumerate(drawn):
        if not whole.contains_region(region):
            yield f"{name} at {region} leaves the screen"
        for other, place in drawn[at + 1 :]:
            if region.overlaps(place):
                yield f"{name} at {region} lies over {other} at {place}"


OVER: Final = frozenset({"KeyBar", "Asked", "WordInput", "Complaint", "ScrollBar", "MapBar", "ScrollBarCorner"})
"""Widgets that may take another one's place: a question stands over the key bar."""


def grounded(picture: Picture) -> Iterator[str]:
    """A rail has its own ground from its first row to its last, and from edge to edge."""
    if picture.modal:
        return
    rail = {picture.tokens[name] for name in ("rail", "cursor", "cursor-dim")}
    for name in RAILS:
        region = picture.regions.get(name)
        if region is None:
            continue
        for y in range(region.y, region.bottom):
            row = picture.cells[y]
            if not {row[region.x].ground, row[region.right - 1].ground} <= rail:
                yield f"{name} has another ground in row {y}"


def pointed(picture: Picture) -> Iterator[str]:
    """One cursor is lit, in one block of rows."""
    ground = picture.tokens["cursor"]
    lit = [y for y, row in enumerate(picture.cells) if row and any(c.ground == ground and c.text == "▌" for c in row)]
    if lit and lit != list(range(lit[0], lit[-1] + 1)):
        yield f"the cursor is lit in rows {lit}"


def readable(picture: Picture) -> Iterator[str]:
    """Letters differ enough from what they stand on; below a card they step back."""
    if picture.modal:
        return
    told: set[tuple[str, str]] = set()
    for y, row in enumerate(picture.cells):
        for cell in row:
            pair = (cell.ink, cell.ground)
            if cell.text.isalnum() and pair not in told and contrast(cell) < ENOUGH:
                told.add(pair)
                yield f"{cell.text!r} in row {y} has a contrast of {contrast(cell):.1f}: {pair}"


def spoken(picture: Picture) -> Iterator[str]:
    """What is cut says so: a row of a pane never runs into its edge without a sign."""
    for name, region in picture.regions.items():
        if name in WRAPPED:
            continue
        for y, text in enumerate(picture.part(region), region.y):
            last = text[-1:] if len(text) else ""
            if last.isalnum():
                yield f"{name} runs into its edge in row {y}: {text[-20:]!r}"


WRAPPED: Final = frozenset({"KeyBar", "ReaderBody", "WordInput"})
"""Widgets whose rows may be full: what does not fit goes on in the next one, or gives way as a whole."""


def contrast(cell: Cell) -> float:
    """Return the ratio of lightness between a cell's text and its ground, from 1 to 21."""
    light, dark = sorted((_luminance(cell.ink), _luminance(cell.ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


LAWS: Final[tuple[Law, ...]] = (exact, safe, framed, tiled, grounded, pointed, readable, spoken)
