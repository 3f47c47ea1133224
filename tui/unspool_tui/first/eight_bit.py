"""The nearest of 256 colours, as `rich` chooses it: without its palettes, whose import takes longer than to paint."""

from __future__ import annotations

from colorsys import rgb_to_hls
from typing import Final

_GRAY_BELOW: Final = 0.15
"""Saturation below which a colour is drawn as a gray."""

_GRAYS: Final = 25
"""Steps of gray between black and white."""

_BLACK, _WHITE, _FIRST_GRAY, _CUBE = 16, 231, 231, 16


def eight_bit(red: int, green: int, blue: int) -> int:
    """Return the number of the colour that stands for one of 24 bits."""
    _, lightness, saturation = rgb_to_hls(red / 255, green / 255, blue / 255)
    if saturation < _GRAY_BELOW:
        gray = round(lightness * _GRAYS)
        return _BLACK if gray == 0 else _WHITE if gray == _GRAYS else _FIRST_GRAY + gray
    return _CUBE + 36 * _step(red) + 6 * _step(green) + _step(blue)


def _step(value: int) -> int:
    """Return the nearest of the six steps that each part of a colour has, the first of them wider than the others."""
    return round(value / 95 if value < 95 else 1 + (value - 95) / 40)
