"""What a card lies on: the picture below it, seen through a colour, of which nothing can be clicked."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.strip import Strip

if TYPE_CHECKING:
    from rich.color import Color as RichColor

NO_STYLE = Style()


def shaded(strips: Iterable[Strip], shade: Color) -> list[Strip]:
    """Return strips as they are seen through a colour; `shade.a` says how little of them."""
    return [Strip([_seen(each, shade) for each in strip], strip.cell_length) for strip in strips]


def _seen(segment: Segment, shade: Color) -> Segment:
    style = segment.style or NO_STYLE
    return Segment(segment.text, _through(style.clear_meta_and_links(), shade))


@lru_cache(maxsize=2048)
def _through(style: Style, shade: Color) -> Style:
    """Return a style with its colours mixed with another one: a screen has many cells and few styles."""
    return style + Style.from_color(_mixed(style.color, shade), _mixed(style.bgcolor, shade))


def _mixed(colour: RichColor | None, shade: Color) -> RichColor | None:
    return (Color.from_rich_color(colour) + shade).rich_color if colour is not None else None
