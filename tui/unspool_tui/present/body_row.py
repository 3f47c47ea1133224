"""One row of a body, as it is painted: gutter, then text whose characters know their place in the line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.named_tuple import NamedTuple
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import BLANK, Cell, Row
from unspool_tui.present.lines import Line, cut, inked
from unspool_tui.present.width import cell_len
from unspool_tui.present.wrap import hung

if TYPE_CHECKING:
    from unspool_tui.present.layout import Place

NUMBER_WIDTH: Final = 5
"""Cells of a line number at least: 99 999 lines without a jump."""

LOOKED_AT: Final = 40
"""Lines at the end among which one with its number in its file is: what the harness puts below a file is short."""

MATCH: Final = "match on match-bg"
MATCH_NOW: Final = "match-now-text bold on match-now"

_DASHES: Final = marks.SEAM * 6


class Marked(NamedTuple):
    """A stretch of characters of a line that matches; `now` is the one that was gone to."""

    start: int
    stop: int
    now: bool


class Run(NamedTuple):
    """Text in one ink; `at` is the character of the line that it begins with."""

    text: str
    ink: str
    at: int


@dataclass(frozen=True, slots=True)
class BodyRow:
    """A row to paint: `runs` are the line's own text, `gutter` before and `tail` behind it are never copied.

    It may be narrower than the pane.
    """

    gutter: Row
    runs: Sequence[Run]
    ground: str
    tail: Row = ()


@dataclass(frozen=True, slots=True)
class Gutter:
    """What stands left of the text: `numbered` lines have their number in `digits` cells."""

    numbered: bool
    digits: int = NUMBER_WIDTH

    @classmethod
    def of(cls, lines: Sequence[Line], last_number: int, *, numbered: bool) -> Gutter:
        """Return the gutter for some lines of which the last has a number."""
        own = max((line.number or 0 for line in lines[-LOOKED_AT:]), default=0)
        return cls(numbered, max(NUMBER_WIDTH, len(str(max(own, last_number)))))

    def row(self, line: Line, number: int, *, first: bool, seen: bool) -> Row:
        """Return the cells for a row of a line; rows after the first repeat no number."""
        if line.gutter is not None:
            return line.gutter if first else tuple((" " * len(text), ink) for text, ink in line.gutter)
        edge: Cell = (marks.SEEN, "stored") if seen else BLANK
        if not self.numbered:
            return (edge, BLANK)
        said = number if line.number is None else line.number or ""
        return (edge, (f"{said if first else '':>{self.digits}}", "faint"), ("  ", "text"))

    def width(self, lines: Sequence[Line]) -> int:
        """Return how many cells it takes."""
        if lines and lines[0].gutter is not None:
            return sum(len(text) for text, _ in lines[0].gutter)
        return self.digits + 3 if self.numbered else 2


def body_row(line: Line, place: Place, gutter: Row, width: int, matches: Sequence[Marked] = ()) -> BodyRow:
    """Paint one row of a broken line; `width` cells are there for its text, and one more for a space at its end."""
    if not place.first:
        gutter = (*gutter, (_hanging(line, hung(line.text, width, line.hang)), "muted"))
    runs = [run for start, stop in place.spans for run in _runs(line.cells, start, stop, matches)]
    return BodyRow(gutter, runs, line.ground)


def _hanging(line: Line, cells: int) -> str:
    """Return what stands before the rows after the first: of a rendered line the bars of its quotes go on."""
    if line.origin is None or marks.QUOTE not in line.text[:cells]:
        return " " * cells
    return "".join(sign if sign == marks.QUOTE else " " for sign in line.text[:cells])


def cut_row(line: Line, gutter: Row, width: int, shift: int, matches: Sequence[Marked] = ()) -> BodyRow:
    """Paint a line that is not broken: `shift` characters are out at the left; an ellipsis says that there is more."""
    stop = shift + width
    runs = list(_runs(line.cells, shift, stop, matches))
    while runs and (over := sum(cell_len(run.text) for run in runs) - width) > 0:  # wide characters
        stop -= (over + 1) // 2
        runs = list(_runs(line.cells, shift, stop, matches))
    if stop >= len(line.text):
        return BodyRow(gutter, runs, line.ground)
    if runs:
        runs[-1] = runs[-1]._replace(text=runs[-1].text[:-1])
    return BodyRow(gutter, runs, line.ground, ((marks.ELLIPSIS, "faint"),))


def _runs(cells: Row, start: int, stop: int, matches: Sequence[Marked]) -> Iterator[Run]:
    """Yield the text between two characters of a line, matches in their own ink."""
    row = cut(cells, start, stop)
    if matches:
        inks = [(each.start - start, each.stop - start, MATCH_NOW if each.now else MATCH) for each in matches]
        row = inked(row, inks)
    for ink, alike in groupby(row, key=itemgetter(1)):
        text = "".join(text for text, _ in alike)
        yield Run(text, ink, start)
        start += len(text)


def seam_row(seen: int, total: int) -> Row:
    """Say where the model's view stopped; sizes are in bytes."""
    return (
        BLANK,
        BLANK,
        (_DASHES, "stored"),
        (f" the model saw down to here, {numbers.size(seen)} ", "stored"),
        (_DASHES, "stored"),
        (f" {numbers.size(max(0, total - seen))} more, stored", "muted"),
    )
