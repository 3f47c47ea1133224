"""A picture as SVG: a line per row of the screen, colours by the names of their tokens, no ids, no fonts of the net.

It is drawn with a fixed-width font of the machine, whichever: each run of text has its width given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final

from rich.cells import cell_len

from tests.tui.pictures.picture import Cell, Picture

WIDE: Final = 10
HIGH: Final = 20
"""Width and height of a cell in the units of the SVG."""

_RUN: Final = re.compile(r"[ -~\u00a0-\u024f]+|[\u2e80-\uffee]+|(.)\1*")
"""What is set in one go: letters, signs of two cells, or one sign over and over, whose widths fonts differ on."""


def svg_of(picture: Picture) -> str:
    """Return the picture as SVG."""
    width, height = picture.size[0] * WIDE, picture.size[1] * HIGH
    names = {colour: name for name, colour in reversed(picture.tokens.items())}
    rows = [_row(y, row, picture.tokens["ground"], names) for y, row in enumerate(picture.cells)]
    used = {name for row in rows for name in re.findall(r'class="([^"]+)"', row)}
    words = {word for name in used for word in name.split()}
    looks = [
        f".{name}{{fill:{picture.tokens[name]}}}" for name in picture.tokens if name in words
    ] + [look for word, look in _LOOKS.items() if word in words]  # fmt: skip
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        "<style>",
        "text{font:16.6px 'Fira Code','DejaVu Sans Mono',Menlo,Consolas,monospace;font-variant-ligatures:none;"
        "white-space:pre}",
        *looks,
        "</style>",
        f'<rect width="{width}" height="{height}" fill="{picture.tokens["ground"]}"/>',
    ]
    return "\n".join([*head, *filter(None, rows), "</svg>", ""])


_LOOKS: Final = {
    "bold": ".bold{font-weight:bold}",
    "italic": ".italic{font-style:italic}",
    "underline": ".underline{text-decoration:underline}",
    "strike": ".strike{text-decoration:line-through}",
}


def _row(y: int, row: Sequence[Cell], paper: str, names: dict[str, str]) -> str:
    drawn = "".join([*_grounds(y, row, paper, names), *_texts(y, row, names)])
    return f"<g>{drawn}</g>" if drawn else ""


def _grounds(y: int, row: Sequence[Cell], paper: str, names: dict[str, str]) -> Iterator[str]:
    x = 0
    for ground, cells in groupby(row, lambda cell: cell.ground):
        wide = len(list(cells))
        if ground not in (paper, ""):
            place = f'x="{x * WIDE}" y="{y * HIGH}" width="{wide * WIDE}" height="{HIGH}"'
            yield f"<rect {place} {_colour(ground, names)}/>"
        x += wide


def _texts(y: int, row: Sequence[Cell], names: dict[str, str]) -> Iterator[str]:
    runs, x = [], 0
    for look, cells in groupby(row, lambda cell: (cell.ink, cell.bold, cell.italic, cell.underline, cell.strike)):
        held = list(cells)
        runs += list(_spans(x, "".join(cell.text for cell in held), look, names))
        x += len(held)
    if runs:
        yield f'<text y="{y * HIGH + 15}">{"".join(runs)}</text>'


def _spans(
    x: int, text: str, look: tuple[str, bool, bool, bool, bool], names: dict[str, str]
) -> Iterator[str]:  # fmt: skip
    ink, *flags = look
    words = [word for word, on in zip(_LOOKS, flags, strict=True) if on]
    lined = "underline" in words or "strike" in words
    for found in _RUN.finditer(text):
        run = found.group()
        at = x + cell_len(text[: found.start()])
        if not lined:
            at += len(run) - len(run.lstrip(" "))
            run = run.strip(" ")
        if run:
            place = f'x="{at * WIDE}" textLength="{cell_len(run) * WIDE}"'
            yield f"<tspan {place} {_colour(ink, names, *words)}>{escape(run, quote=False)}</tspan>"


def _colour(colour: str, names: dict[str, str], *words: str) -> str:
    """Return the attributes of a look: a token by its name, another colour as it is."""
    if colour in names:
        return f'class="{" ".join([names[colour], *words])}"'
    classes = f'class="{" ".join(words)}" ' if words else ""
    return f'{classes}fill="{colour}"'
