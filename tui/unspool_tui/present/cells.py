"""Rows of cells: how one terminal row is put together, cut and spread.

A cell is `(text, ink)`: cleaned text, and the name of a token with what goes with it, such as `"muted"`,
`"user bold"` or `"text bold on chip"`. Widths are counted in terminal cells, never in characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from unspool_tui.present.width import cell_len, set_cell_size

Cell = tuple[str, str]
Row = tuple[Cell, ...]

GAP: Final[Cell] = ("  ", "text")
"""Between facts."""
WIDE_GAP: Final[Cell] = ("   ", "text")
"""Between groups of facts."""
BLANK: Final[Cell] = (" ", "text")

_BREAK: Final = 24
"""Characters that a row may stay short to end at a space; beyond, a long word is cut instead."""


def width_of(cells: Iterable[Cell]) -> int:
    """Return how many terminal cells the texts take."""
    return sum(cell_len(text) for text, _ in cells)


def fit(cells: Sequence[Cell], width: int, *, right: bool = False) -> Row:
    """Cut with a faint ellipsis, or pad, to exactly `width` cells; padding goes left with `right`."""
    if width <= 0:
        return ()
    missing = width - width_of(cells)
    if missing == 0:
        return tuple(cells)
    if missing > 0:
        pad = (" " * missing, "text")
        return (pad, *cells) if right else (*cells, pad)
    return _cut(cells, width)


def spread(left: Sequence[Cell], right: Sequence[Cell], width: int) -> Row:
    """Put some cells at the left and some at the right of `width` cells; the left ones give way."""
    room = width - width_of(right)
    return (*fit(left, room), *right) if room > 0 else fit(right, width)


def joined(groups: Iterable[Sequence[Cell]], gap: Cell = WIDE_GAP) -> Row:
    """Put a gap between the groups that hold something."""
    row: list[Cell] = []
    for group in groups:
        if group:
            row += [*([gap] if row else []), *group]
    return tuple(row)


def wrap(text: str, width: int, most: int) -> tuple[str, ...]:
    """Break words into at most `most` rows of at most `width` cells; an ellipsis says that there is more."""
    text = " ".join(text.split())
    rows: list[str] = []
    while text and len(rows) < most:
        stop = row_end(text, 0, width)
        rows.append(text[:stop].rstrip())
        text = text[stop:].lstrip()
    if text and rows:
        rows[-1] = _unended(f"{rows[-1]} {text[:width]}", width)
    return tuple(rows)


def row_end(text: str, start: int, width: int) -> int:
    """Return where a row of at most `width` cells that begins at `start` ends, after a space where one is near."""
    limit = start + max(1, width)
    if text.isascii():
        if len(text) <= limit:
            return len(text)
        stop = limit
    else:
        stop = _cells_end(text, start, max(1, width))
        if stop >= len(text):
            return len(text)
    if text[stop] == " ":
        return stop + 1
    space = text.rfind(" ", start + 1, stop)
    return space + 1 if space >= 0 and stop - space <= _BREAK else stop


def ellipsis(text: str, width: int) -> str:
    """Cut to at most `width` cells, with `…` in the last one when something was cut."""
    return text if cell_len(text) <= width else _unended(text, width)


def end_of(text: str, width: int) -> str:
    """Return the end of a text that is too long, with `…` before it: of a path that tells more than its beginning."""
    while cell_len(text) > width and len(text) > 1:
        text = "…" + text[max(2, len(text) - width + 1) :]
    return text


def marked(text: str, spans: Iterable[tuple[int, int]], ink: str, mark: str = "match on match-bg") -> Row:
    """Return the text with some half-open stretches of characters in another ink."""
    row: list[Cell] = []
    at = 0
    for start, stop in spans:
        start, stop = max(start, at), min(stop, len(text))
        if stop <= start:
            continue
        row += [(text[at:start], ink), (text[start:stop], mark)]
        at = stop
    row.append((text[at:], ink))
    return tuple(cell for cell in row if cell[0])


def around(text: str, spans: Sequence[tuple[int, int]], room: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the stretch of the text that keeps its first marked part in `room` cells, and the spans within it."""
    if not spans or cell_len(text[: spans[0][1]]) < room - 1:
        return text, tuple(spans)
    start = max(0, spans[0][0] - room // 3)
    if start == 0:
        return text, tuple(spans)
    word = re.compile(r"\s\S").search(text, start, min(start + 8, spans[0][0]))
    start = word.end() - 1 if word else start
    return "…" + text[start:], tuple((a - start + 1, b - start + 1) for a, b in spans if a >= start)


def _cut(cells: Sequence[Cell], width: int) -> Row:
    out: list[Cell] = []
    room = width - 1
    for text, ink in cells:
        taken = cell_len(text)
        if taken > room:
            kept = set_cell_size(text, room).rstrip()
            ground = ink.partition(" on ")[2]
            out += [(kept, ink), ("…", f"faint on {ground}" if ground else "faint")]
            break
        out.append((text, ink))
        room -= taken
    short = width - width_of(out)
    return (*out, (" " * short, "text")) if short > 0 else tuple(out)


def _unended(text: str, width: int) -> str:
    return set_cell_size(text, width - 1).rstrip(" ,.;:") + "…" if width > 0 else ""


def _cells_end(text: str, start: int, width: int) -> int:
    stop = min(len(text), start + width)
    while cell_len(text[start:stop]) > width:
        stop -= max(1, (cell_len(text[start:stop]) - width) // 2)
    return max(stop, start + 1)
