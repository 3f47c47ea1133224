"""The map of a list has a mark wherever a marked row lies, and nowhere else."""

from __future__ import annotations

from bisect import bisect_left

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from unspool_tui.present.cells import Cell
from unspool_tui.present.listing import MAP_STEPS, spots_of

CELLS: tuple[Cell, ...] = (("x", "error"), ("s", "stored"))
ROWS = st.sets(st.integers(0, 3 * MAP_STEPS), max_size=40).map(sorted)
LONG = st.builds(lambda size, step: [*range(0, size * step, step)], st.integers(0, 3 * MAP_STEPS), st.integers(1, 3))


@law
@given(ROWS | LONG, ROWS | LONG, ROWS)
def test_each_marked_row_has_its_place_and_the_first_mark_wins(
    rows: list[int], errors: list[int], stored: list[int]
) -> None:
    marked = errors, stored
    spots = spots_of(rows, zip(CELLS, marked, strict=True))
    places = [{bisect_left(rows, row) * MAP_STEPS // max(1, len(rows)) for row in of} for of in marked]
    assert spots == {place: CELLS[place not in places[0]] for place in places[0] | places[1]}
