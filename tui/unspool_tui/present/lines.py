"""A logical line of a body: cleaned text in ink, not yet broken into rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from unspool.named_tuple import NamedTuple

if TYPE_CHECKING:
    from unspool_tui.present.cells import Cell, Row


class Origin(NamedTuple):
    """Where the characters of a line that is shown in another form were written.

    `line` is the index of the line in the source; `at` has the column there of each character that is shown, and is
    empty where only the line as a whole can be named.
    """

    line: int
    at: Sequence[int] = ()


class Line(NamedTuple):
    """One line of what is read.

    `text` is cleaned and holds no line end; `cells` join to it. `gutter` stands left of it (old and new number of a
    difference), `None` where the number of the line in the source does. `ground` names the surface.
    `source` is False for a line that we say and the source does not hold: it is never copied. `hang` is how many cells
    the rows after the first hang in, `None` for the indent and `HANG` more. `lead` counts the characters at its
    beginning that only the layout put there: they are not copied either. `number` is its number in the file that it
    was read from, shown instead of its place in the text (0 for none); `aside` counts the characters before `text`
    that say so in the source. `origin` tells where a line in another form comes from.
    """

    text: str
    cells: Row
    gutter: Row | None = None
    ground: str = "ground"
    source: bool = True
    hang: int | None = None
    lead: int = 0
    number: int | None = None
    aside: int = 0
    origin: Origin | None = None


def line_of(cells: Iterable[Cell], *, gutter: Row | None = None, ground: str = "ground", source: bool = True) -> Line:
    """Join cells to a line; empty ones are left out."""
    kept = tuple(cell for cell in cells if cell[0])
    return Line("".join(text for text, _ in kept), kept, gutter, ground, source)


def cut(cells: Iterable[Cell], start: int, stop: int) -> Row:
    """Return the cells between two characters, half open."""
    row: list[Cell] = []
    at = 0
    for text, ink in cells if start < stop else ():
        end = at + len(text)
        if end > start and at < stop:
            row.append((text[max(0, start - at) : stop - at], ink))
        elif at >= stop:
            break
        at = end
    return tuple(row)


def inked(cells: Iterable[Cell], spans: Iterable[tuple[int, int, str]]) -> Row:
    """Return the cells with some stretches of characters in another ink; spans are in order and do not overlap."""
    source = tuple(cells)
    length = sum(len(text) for text, _ in source)
    row: list[Cell] = []
    at = 0
    for start, stop, ink in spans:
        start, stop = max(start, at), min(stop, length)  # they may stick out
        if stop <= start:
            continue
        row += cut(source, at, start)
        row.append(("".join(text for text, _ in cut(source, start, stop)), ink))
        at = stop
    return (*row, *cut(source, at, length))


def merged(first: Line, second: Line) -> Line:
    """Put the two halves of one line together again."""
    return first._replace(text=first.text + second.text, cells=(*first.cells, *second.cells))
