"""The map of a list has a mark wherever a marked row lies, and nowhere else."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from unspool.views.selection import Selection
from unspool_tui.present.cells import Cell
from unspool_tui.present.listing import Listing, before, holds

CELLS: tuple[Cell, ...] = (("x", "error"), ("s", "stored"))
HEIGHTS = st.integers(0, 40)
ROWS = st.sets(st.integers(0, 120), max_size=40).map(sorted)
LONG = st.builds(lambda size, step: [*range(0, size * step, step)], st.integers(0, 120), st.integers(1, 3))
NO_VIEW = cast("Any", None)


def selected(rows: list[int]) -> Selection:
    return Selection(bytes(row in rows for row in range(max(rows, default=0) + 1)))


@law
@given(ROWS | LONG, ROWS | LONG, ROWS, HEIGHTS)
def test_each_marked_row_has_its_place_and_the_first_mark_wins(
    rows: list[int], errors: list[int], stored: list[int], height: int
) -> None:
    steps = min(height, len(rows))
    places = [
        {bisect_left(rows, row) * steps // len(rows) for row in of if row <= rows[-1]} if steps else set[int]()
        for of in (errors, stored)
    ]
    expected = {place: CELLS[place not in places[0]] for place in places[0] | places[1]}
    as_lists = Listing(NO_VIEW, rows, marked=tuple(zip(CELLS, (errors, stored), strict=True)))
    selections = tuple(zip(CELLS, map(selected, (errors, stored)), strict=True))
    as_selections = Listing(NO_VIEW, selected(rows), marked=selections)
    for listing in (as_lists, as_selections):
        assert listing.marks(height) == expected
        assert listing.marks(height) == expected, "and again when it is drawn again"


@given(ROWS, st.integers(0, 130))
def test_a_selection_is_walked_as_a_list_is(rows: list[int], row: int) -> None:
    selection = selected(rows)
    assert (before(selection, row), holds(selection, row)) == (before(rows, row), holds(rows, row))
    as_list, as_selection = Listing(NO_VIEW, rows), Listing(NO_VIEW, selection)
    assert as_selection.index_of(row) == as_list.index_of(row)
    guests = as_selection.with_guest(row), as_list.with_guest(row)
    assert [*guests[0].rows] == [*guests[1].rows] == sorted({*rows, row})
    if rows:
        assert as_selection.index_near(row) == as_list.index_near(row)
        assert guests[0].marks(9) == {}
