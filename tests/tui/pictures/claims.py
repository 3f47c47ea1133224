"""What must stand where in a picture, in small pieces that a table of states is made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.tui.conftest import SIZES
from tests.tui.pictures.picture import Picture, Size


@dataclass(frozen=True)
class Claim:
    """One thing that must be so, in words, at some sizes."""

    words: str
    holds: Callable[[Picture], bool]
    sizes: tuple[Size, ...] = SIZES


Claims = tuple[Claim, ...]


def at(sizes: tuple[Size, ...], *claims: Claim) -> Claims:
    """Make claims for some sizes only."""
    return tuple(replace(claim, sizes=sizes) for claim in claims)


def row(y: int, pattern: str) -> Claim:
    """A row, counted from 0 or from below by -1, matches a pattern somewhere."""
    return Claim(f"row {y} has {pattern!r}", lambda picture: bool(re.search(pattern, picture.rows[y])))


def shows(*texts: str) -> Claim:
    """All of the texts stand somewhere, each in one row."""
    return Claim(f"it shows {texts}", lambda picture: all(any(picture.find(text)) for text in texts))


def lacks(*texts: str) -> Claim:
    """None of the texts stands anywhere."""
    return Claim(f"it lacks {texts}", lambda picture: not any(any(picture.find(text)) for text in texts))


def matches(pattern: str) -> Claim:
    """A pattern matches within one row."""
    return Claim(f"a row has {pattern!r}", lambda picture: any(re.search(pattern, text) for text in picture.rows))


def cursor(pattern: str) -> Claim:
    """The focused cursor lies on a row that matches a pattern from its bar on."""
    return Claim(f"the cursor is on {pattern!r}", lambda picture: bool(re.match(pattern, "\n".join(picture.lit()))))


def focus(pane: str) -> Claim:
    """A pane, named by the class of the widget that holds its title, is the one with the bar and the accent."""

    def holds(picture: Picture) -> bool:
        region = picture.regions[pane]
        first, second = picture.cells[region.y][region.x : region.x + 2]
        return first.text in "▌|" and first.ink == picture.tokens["accent"] and second.bold

    return Claim(f"{pane} has the focus", holds)


def keys(*words: str) -> Claim:
    """The key bar names these keys in this order, and help at its end or before what is said there."""
    pattern = ".*".join(f" {re.escape(each)}(?= |$)" for each in words)
    return row(-1, pattern)


def inked(words: str, ink: str, *, ground: str | None = None, bold: bool | None = None) -> Claim:
    """The first place where words stand is drawn in these tokens."""

    def holds(picture: Picture) -> bool:
        y, x = next(picture.find(words), (0, -1))
        cell = picture.cells[y][x]
        return (
            x >= 0
            and cell.ink == picture.tokens[ink]
            and (ground is None or cell.ground == picture.tokens[ground])
            and (bold is None or cell.bold is bold)
        )

    return Claim(f"{words!r} is {ink} on {ground}, bold: {bold}", holds)


def somewhere(words: str, ink: str, *, ground: str | None = None) -> Claim:
    """Words stand somewhere in these tokens, though perhaps elsewhere in others too."""

    def holds(picture: Picture) -> bool:
        cells = (picture.cells[y][x] for y, x in picture.find(words))
        return any(
            cell.ink == picture.tokens[ink] and (ground is None or cell.ground == picture.tokens[ground])
            for cell in cells
        )

    return Claim(f"{words!r} is somewhere {ink} on {ground}", holds)


def above(first: str, second: str) -> Claim:
    """One text stands above another one."""

    def holds(picture: Picture) -> bool:
        here, there = (next(picture.find(text), None) for text in (first, second))
        return here is not None and there is not None and here[0] < there[0]

    return Claim(f"{first!r} stands above {second!r}", holds)


def within(widget: str, *patterns: str) -> Claim:
    """A widget shows what matches these patterns, each in one row of it."""

    def holds(picture: Picture) -> bool:
        rows = picture.part(picture.regions[widget]) if widget in picture.regions else []
        return all(any(re.search(pattern, text) for text in rows) for pattern in patterns)

    return Claim(f"{widget} shows {patterns}", holds)


def without(*widgets: str) -> Claim:
    """None of these widgets is drawn."""
    return Claim(f"no {widgets}", lambda picture: not set(widgets) & picture.regions.keys())


def column(words: tuple[str, ...], *, right: bool = False) -> Claim:
    """The first places of these words begin, or end, in one column."""

    def holds(picture: Picture) -> bool:
        found = [next(picture.find(word), None) for word in words]
        ends = {place[1] + (len(word) if right else 0) for place, word in zip(found, words, strict=True) if place}
        return None not in found and len(ends) == 1

    return Claim(f"{words} {'end' if right else 'begin'} in one column", holds)
