"""Colours that a program printed, read safely: only styles come out of this, never a control sequence.

Understood are SGR sequences (`ESC [ … m`): the sixteen colours, the 256 and the 24-bit ones brought to the nearest of
our own, bold, dim, italic, underline, strike. They become tokens of the theme, so that what a program printed for a
dark terminal can be read in a light one. Everything else goes through `unspool.text.clean`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, replace
from unspool.pattern import pattern
from unspool.text import TAB_WIDTH, clean

if TYPE_CHECKING:
    from unspool_tui.present.cells import Cell, Row

_SGR = pattern(r"(?:\x1b\[|\x9b)([0-9;:]*)m")

_COLOURS: Final = ("faint", "error", "live", "user", "assistant", "stored", "input", "text")
"""Tokens of the eight terminal colours: black, red, green, yellow, blue, magenta, cyan, white."""

_GROUNDS: Final = ("chip", "error-bg", "add-bg", "match-bg", "chip", "stored-bg", "chip", "chip")

_GREY_BELOW: Final = 0.2
"""Saturation under which a colour counts as a grey."""


@dataclass(frozen=True, slots=True)
class Pen:
    """How the next character is drawn; carried from line to line, since programs colour across line ends."""

    colour: str | None = None
    ground: str | None = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False

    def ink(self, base: str) -> str:
        """Return the ink; `base` is the token of text without a colour."""
        token = self.colour or ("faint" if self.dim else base)
        if self.ground and token == "faint":
            token = "text"  # black on a bright ground, as programs print badges
        names = [name for name in ("bold", "italic", "underline", "strike") if getattr(self, name)]
        return " ".join([token, *names, *(["on", self.ground] if self.ground else [])])


PLAIN: Final = Pen()


def coloured(line: str, pen: Pen = PLAIN, base: str = "output") -> tuple[Row, Pen]:
    """Return one line as cleaned cells, and the pen that the next line begins with."""
    cells: list[Cell] = []
    at = column = 0
    for found in (*_SGR.finditer(line), None):
        text = _cleaned(line[at : found.start() if found else len(line)], column)
        column += len(text)
        if text:
            cells.append((text, pen.ink(base)))
        if found:
            at = found.end()
            pen = _turned(pen, found[1])
    return tuple(cells), pen


def has_colours(text: str) -> bool:
    """Say whether a text holds anything to interpret."""
    return ("\x1b" in text or "\x9b" in text) and _SGR.search(text) is not None


def _cleaned(text: str, column: int) -> str:
    """Clean a part of a line that begins at a column, so that its tabs end where they would in the whole line."""
    if "\t" not in text:
        return clean(text, newline=False)
    before = column % TAB_WIDTH
    return clean(" " * before + text, newline=False)[before:]


def _turned(pen: Pen, parameters: str) -> Pen:
    """Return the pen after one SGR sequence; what is not understood changes nothing."""
    codes = [int(code) if code else 0 for code in re.split("[;:]", parameters[:256]) if len(code) <= 3]
    at = 0
    while at < len(codes):
        code = codes[at]
        if code in (38, 48):
            token, taken = _extended(codes[at + 1 : at + 5], _GROUNDS if code == 48 else _COLOURS)
            pen = replace(pen, ground=token) if code == 48 else replace(pen, colour=token)
            at += taken
        else:
            pen = _plainly_turned(pen, code)
        at += 1
    return pen


_SWITCHES: Final[dict[int, dict[str, bool]]] = {
    1: {"bold": True},
    2: {"dim": True},
    3: {"italic": True},
    4: {"underline": True},
    9: {"strike": True},
    21: {"bold": False},
    22: {"bold": False, "dim": False},
    23: {"italic": False},
    24: {"underline": False},
    29: {"strike": False},
}


def _plainly_turned(pen: Pen, code: int) -> Pen:
    if code == 0:
        return PLAIN
    if code in _SWITCHES:
        return replace(pen, **_SWITCHES[code])  # type: ignore[arg-type] # all of these are flags
    if code in (7, 27):
        return replace(pen, ground="thumb" if code == 7 else None)
    if 30 <= code <= 37 or 90 <= code <= 97:
        return replace(pen, colour=_COLOURS[code % 10] if code != 90 else "faint")
    if 40 <= code <= 47 or 100 <= code <= 107:
        return replace(pen, ground=_GROUNDS[code % 10])
    if code in (39, 49):
        return replace(pen, colour=None) if code == 39 else replace(pen, ground=None)
    return pen


def _extended(codes: list[int], tokens: tuple[str, ...]) -> tuple[str | None, int]:
    """Return the token for `5;n` or `2;r;g;b`, and how many codes that took."""
    if codes[:1] == [5] and len(codes) >= 2:
        return _of_256(codes[1], tokens), 2
    if codes[:1] == [2] and len(codes) >= 4:
        return _of_rgb(codes[1], codes[2], codes[3], tokens), 4
    return None, len(codes)


def _of_256(number: int, tokens: tuple[str, ...]) -> str | None:
    if number < 16:
        return tokens[number % 8] if number != 8 else tokens[0]
    if number < 232:
        red, green, blue = ((number - 16) // step % 6 * 51 for step in (36, 6, 1))
        return _of_rgb(red, green, blue, tokens)
    return tokens[0] if number < 244 else tokens[7]


def _of_rgb(red: int, green: int, blue: int, tokens: tuple[str, ...]) -> str:
    """Return the token of the terminal colour whose hue is nearest."""
    low, high = min(red, green, blue), max(red, green, blue)
    if high == 0 or (high - low) / high < _GREY_BELOW:
        return tokens[0] if high < 128 else tokens[7]
    middle = (high + low) / 2
    return tokens[(red > middle) | (green > middle) << 1 | (blue > middle) << 2]
