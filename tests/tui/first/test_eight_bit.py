"""Of 256 colours the first frame takes those that the app takes."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from rich.color import Color, ColorSystem

from unspool_tui.first.eight_bit import eight_bit
from unspool_tui.present.tokens import THEMES

PART = st.integers(0, 255)


def chosen(red: int, green: int, blue: int) -> int | None:
    return Color.from_rgb(red, green, blue).downgrade(ColorSystem.EIGHT_BIT).number


@given(PART, PART, PART)
def test_each_colour_is_the_one_that_rich_chooses(red: int, green: int, blue: int) -> None:
    assert eight_bit(red, green, blue) == chosen(red, green, blue)
    assert eight_bit(red, red, red) == chosen(red, red, red)


def test_the_colours_of_the_themes_are_those_of_the_app() -> None:
    for colour in set(itertools.chain.from_iterable(tokens.values() for tokens in THEMES.values())):
        parts = Color.parse(colour).get_truecolor()
        assert eight_bit(*parts) == chosen(*parts), colour
