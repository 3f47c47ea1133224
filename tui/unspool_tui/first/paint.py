"""Rows of cells as a terminal takes them: tokens become colours, as they do on the app's own screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from unspool.named_tuple import NamedTuple
from unspool_tui.present.cells import Row, fit
from unspool_tui.present.marks import encodable, in_ascii
from unspool_tui.present.tokens import LOUD, THEMES

_ATTRIBUTES: Final = {"bold": "1", "italic": "3", "underline": "4", "strike": "9"}


class Patch(NamedTuple):
    """A row somewhere on the screen: column and line from 0, cells, the surface below, and how many cells wide."""

    x: int
    y: int
    row: Row
    ground: str
    width: int


class Look(NamedTuple):
    """How it is drawn: the theme's name, without any colour (`plain`), in ASCII (`twins`), for an `encoding`.

    `colours` names the colours of a terminal that has fewer than all, as `rich` does.
    """

    theme: str
    plain: bool = False
    twins: bool = False
    encoding: str | None = None
    colours: str | None = None


def colours_of(environ: Mapping[str, str]) -> str | None:
    """Return which colours a terminal has that does not say that it has all."""
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return None
    last = environ.get("TERM", "").strip().lower().rpartition("-")[2]
    return "EIGHT_BIT" if last in ("kitty", "256color") else "STANDARD"


def painted(patches: Iterable[Patch], look: Look) -> str:
    """Return what draws the patches."""
    return "".join(_patch(each, look) for each in patches) + "\x1b[0m"


def shown(row: Sequence[tuple[str, str]], width: int, look: Look) -> str:
    """Return the text of a row as it is drawn, without its ink."""
    return "".join(_sign(text, look) for text, _ in fit(row, width))


def _patch(patch: Patch, look: Look) -> str:
    cells = fit(patch.row, patch.width)
    drawn = "".join(f"{_style(ink, patch.ground, look)}{_sign(text, look)}" for text, ink in cells if text)
    return f"\x1b[{patch.y + 1};{patch.x + 1}H{drawn}"


def _sign(text: str, look: Look) -> str:
    text = in_ascii(text) if look.twins else text
    return encodable(text, look.encoding) if look.encoding is not None else text


@lru_cache(maxsize=512)
def _style(ink: str, ground: str, look: Look) -> str:
    """Return the sequence that begins an ink; `ground` is the surface where the ink names none."""
    fore, _, back = ink.partition(" on ")
    token, *attributes = fore.split()
    loud = look.plain and (back in LOUD or (token == "error" and "bold" in attributes))
    codes = [*(_ATTRIBUTES[each] for each in (*attributes, *(("bold", "underline") if loud else ())))]
    if not look.plain:
        tokens = THEMES[look.theme]
        codes += [_colour(tokens[token], look, 38), _colour(tokens[back or ground], look, 48)]
    return f"\x1b[0m\x1b[{';'.join(dict.fromkeys(codes))}m" if codes else "\x1b[0m"


def _colour(colour: str, look: Look, plane: int) -> str:
    """Return the codes of a colour in front (38) or behind (48)."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    if look.colours is None:
        return f"{plane};2;{red};{green};{blue}"
    if look.colours == "EIGHT_BIT":
        from unspool_tui.first.eight_bit import eight_bit

        return f"{plane};5;{eight_bit(red, green, blue)}"
    from rich.color import Color, ColorSystem

    return ";".join(Color.parse(colour).downgrade(ColorSystem[look.colours]).get_ansi_codes(foreground=plane == 38))
