"""Which pieces of a view a list shows: the answer to one filter, frozen."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, field, replace
from unspool_tui.present import marks
from unspool_tui.present.cells import Cell

if TYPE_CHECKING:
    from unspool.views.view import SessionView

MAP_STEPS: Final = 512
"""Places that a map tells apart: more than any screen has rows."""

Spots = Mapping[int, Cell]


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """Rows of a view in order, with what is needed to draw and walk them.

    `rows` are row numbers of the view. `matches` counts matches by row number, `None` when nothing is searched.
    `errors` are the row numbers of errors among them, `errors_beyond` those of all that the filter could show, whatever
    it asks for. `spots` are marks by place, in `MAP_STEPS` steps. A `guest` is a
    row that was put in though the filter leaves it out, so that a reference always leads somewhere. `folded` are rows
    that another one stands for, by that one: the boundary of a compaction by its summary.
    """

    view: SessionView
    rows: Sequence[int]
    matches: Mapping[int, int] | None = None
    query: str = ""
    errors: Sequence[int] = ()
    errors_beyond: Sequence[int] = ()
    spots: Spots = field(default_factory=dict)
    complete: bool = True
    guest: int | None = None
    folded: Mapping[int, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def pieces(self) -> int:
        """How many pieces the filter chose: those that others stand for count, a guest does not."""
        return len(self.rows) + len(self.folded) - (self.guest is not None)

    @property
    def walked(self) -> Sequence[int]:
        """The errors that are gone to one by one: those that are shown, or where there is none those left out."""
        return self.errors or (self.errors_beyond if self.complete else ())

    def index_near(self, row: int) -> int:
        """Return the index of a row, or of the next one that is shown; the last when none follows."""
        return max(0, min(len(self.rows) - 1, bisect_left(self.rows, row)))

    def index_of(self, row: int) -> int | None:
        """Return the index of a row, `None` when it is not shown."""
        return bisect_left(self.rows, row) if holds(self.rows, row) else None

    def with_guest(self, row: int) -> Listing:
        """Return a listing that also shows this row; an earlier guest goes."""
        if self.index_of(row) is not None and row != self.guest:
            return self.without_guest() if self.guest is not None else self
        rows = array("I", self.without_guest().rows)
        rows.insert(bisect_left(rows, row), row)
        return replace(self, rows=rows, guest=row)

    def without_guest(self) -> Listing:
        """Return the listing as the filter gives it."""
        if self.guest is None:
            return self
        return replace(self, rows=array("I", (row for row in self.rows if row != self.guest)), guest=None)

    def marks(self, height: int) -> dict[int, Cell]:
        """Return the marks for a bar of so many rows; where several fall together the weightiest stays.

        Of a list that fits beside the bar each mark stands at its row.
        """
        found: dict[int, Cell] = {}
        total = len(self.rows)
        for step, cell in self.spots.items():
            y = step * height // MAP_STEPS if total > height else -(-step * total // MAP_STEPS)
            if y not in found or _WEIGHT[cell[0]] < _WEIGHT[found[y][0]]:
                found[y] = cell
        return found


def holds(rows: Sequence[int], row: int) -> bool:
    """Say whether a row is among ascending rows."""
    index = bisect_left(rows, row)
    return index < len(rows) and rows[index] == row


def spots_of(rows: Sequence[int], marked: Iterable[tuple[Cell, Sequence[int]]]) -> dict[int, Cell]:
    """Say where marked rows lie among `rows`, in `MAP_STEPS` steps; the first mark in order wins a place.

    All are ascending; from one place it is gone at once to the next marked row that has another one.
    """
    spots: dict[int, Cell] = {}
    total = max(1, len(rows))
    for cell, of in marked:
        at = 0
        while at < len(of):
            step = bisect_left(rows, of[at]) * MAP_STEPS // total
            spots.setdefault(step, cell)
            behind = -(-(step + 1) * total // MAP_STEPS)  # the first place of the next step
            at = bisect_right(of, rows[behind - 1], at) if behind <= len(rows) else len(of)
    return spots


_WEIGHT: Final = {marks.ERROR: 0, marks.STORED: 1, marks.MATCH: 2, marks.COMPACTED: 3}
