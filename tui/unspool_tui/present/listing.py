"""Which pieces of a view a list shows: the answer to one filter, frozen."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from unspool.dataclass import dataclass, field, replace
from unspool.views.selection import Selection
from unspool_tui.present.cells import Cell

if TYPE_CHECKING:
    from unspool.views.view import SessionView

Marked = tuple[tuple[Cell, Sequence[int]], ...]
"""Marks of a map and the ascending rows that have them, the weightiest first."""


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """Rows of a view in order, with what is needed to draw and walk them.

    `rows` are row numbers of the view. `matches` counts matches by row number, `None` when nothing is searched.
    `errors` are the row numbers of errors among them, `errors_beyond` those of all that the filter could show, whatever
    it asks for. A `guest` is a row that was put in though the filter leaves it out, so that a reference always leads
    somewhere. `folded` are rows that another one stands for, by that one: the boundary of a compaction by its summary.
    """

    view: SessionView
    rows: Sequence[int]
    matches: Mapping[int, int] | None = None
    query: str = ""
    errors: Sequence[int] = ()
    errors_beyond: Sequence[int] = ()
    marked: Marked = ()
    complete: bool = True
    guest: int | None = None
    folded: Mapping[int, int] = field(default_factory=dict)
    _maps: dict[int, dict[int, Cell]] = field(default_factory=dict, init=False)

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
        return max(0, min(len(self.rows) - 1, before(self.rows, row)))

    def index_of(self, row: int) -> int | None:
        """Return the index of a row, `None` when it is not shown."""
        return before(self.rows, row) if holds(self.rows, row) else None

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
        if height not in self._maps:
            self._maps[height] = spots_of(self.rows, self.marked, min(height, len(self.rows)))
        return self._maps[height]


def before(rows: Sequence[int], row: int) -> int:
    """Count those of ascending rows that are before a row."""
    return rows.before(row) if isinstance(rows, Selection) else bisect_left(rows, row)


def holds(rows: Sequence[int], row: int) -> bool:
    """Say whether a row is among ascending rows."""
    return row in rows if isinstance(rows, Selection) else _has(rows, row, row + 1)


def spots_of(rows: Sequence[int], marked: Marked, steps: int) -> dict[int, Cell]:
    """Say where marked rows lie among `rows`, in so many steps; the first mark in order wins a place."""
    spots: dict[int, Cell] = {}
    start = 0
    for step in range(steps):
        stop = rows[-(-(step + 1) * len(rows) // steps) - 1] + 1
        cell = next((cell for cell, of in marked if _has(of, start, stop)), None)
        if cell is not None:
            spots[step] = cell
        start = stop
    return spots


def _has(rows: Sequence[int], start: int, stop: int) -> bool:
    """Say whether one of ascending rows lies from `start` up to `stop`."""
    if isinstance(rows, Selection):
        return rows.has(start, stop)
    index = bisect_left(rows, start)
    return index < len(rows) and rows[index] < stop
