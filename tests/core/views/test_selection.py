"""A selection is the list of its rows, whatever of it is looked at."""

from __future__ import annotations

from array import array
from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unspool.views.selection import STRIDE, Selection

RUNS = st.lists(st.tuples(st.sampled_from((0, 1)), st.integers(0, STRIDE + 9)), max_size=9)
MARKED = RUNS.map(lambda runs: b"".join(bytes([mark]) * length for mark, length in runs)) | st.lists(
    st.sampled_from((0, 1)), max_size=60
).map(bytes)
BOUNDS = st.none() | st.integers(-(3 * STRIDE), 3 * STRIDE)
SLICES = st.builds(slice, BOUNDS, BOUNDS, st.none() | st.integers(-3, 3).filter(bool))


def rows_of(marked: bytes, start: int) -> list[int]:
    return [start + place for place, mark in enumerate(marked) if mark]


@given(MARKED, st.integers(0, 9), st.lists(SLICES, max_size=4))
def test_each_row_and_each_stretch_is_that_of_the_list(marked: bytes, start: int, slices: list[slice]) -> None:
    selection, rows = Selection(marked, start), rows_of(marked, start)
    assert (len(selection), [*selection], bool(selection)) == (len(rows), rows, bool(rows))
    assert [selection[at] for at in range(-len(rows), len(rows))] == [*rows, *rows]
    assert [selection[each] for each in slices] == [array("I", rows[each]) for each in slices]
    for beyond in (len(rows), -len(rows) - 1):
        with pytest.raises(IndexError):
            selection[beyond]


@given(MARKED, st.integers(0, 9), st.data())
def test_where_a_row_stands_is_told_of_each_row(marked: bytes, start: int, data: st.DataObject) -> None:
    selection, rows = Selection(marked, start), rows_of(marked, start)
    wanted = st.integers(-2, start + len(marked) + 2)
    for row in data.draw(st.lists(wanted, max_size=8)):
        assert selection.before(row) == bisect_left(rows, row)
        assert (row in selection) == (row in rows)
        stop = data.draw(wanted)
        assert selection.has(row, stop) == any(row <= each < stop for each in rows)


@given(MARKED, st.integers(0, 9), st.integers(1, 5))
def test_rows_can_be_left_out(marked: bytes, start: int, every: int) -> None:
    selection, rows = Selection(marked, start), rows_of(marked, start)
    left = [row for row in rows if row not in rows[::every]]
    assert [*selection.without(rows[::every])] == left
    assert [*selection] == rows
