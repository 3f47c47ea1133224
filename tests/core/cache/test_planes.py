"""Columns as planes: every column comes back, and what is the same in all rows takes no room."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unspool.cache.planes import STORED, join, split

RANGES = {code: (-(1 << 8 * array(code).itemsize - 1), (1 << 8 * array(code).itemsize - 1) - 1) for code in "bhiq"}
RANGES |= {code: (0, (1 << 8 * array(code).itemsize) - 1) for code in "BHIQ"}
COLUMNS = st.sampled_from(sorted(RANGES)).flatmap(
    lambda code: st.lists(st.integers(*RANGES[code]) | st.sampled_from((0, 1)), max_size=30).map(
        lambda values: array(code, values)
    )
)


@given(COLUMNS)
def test_a_column_comes_back(column: array[int]) -> None:
    kinds, stored = split(column)
    again = join(column.typecode, len(column), kinds, memoryview(b"".join(stored)))
    assert (again, again.typecode) == (column, column.typecode)


def test_what_is_the_same_in_all_rows_takes_no_room() -> None:
    assert split(array("q", [-1] * 1000))[1] == []
    assert sum(map(len, split(array("Q", range(1000)))[1])) == 2 * 1000
    assert sum(map(len, split(array("q", [-1, *range(999)]))[1])) == 3 * 1000, "of a sign one plane"


@pytest.mark.parametrize(
    ("typecode", "length", "kinds", "stored"),
    [("q", 1, [0] * 7, b""), ("q", 2, [STORED, *[0] * 7], b"x"), ("B", 1, [256], b""), ("?", 1, [0], b"")],
    ids=["too few planes", "bytes missing", "no byte", "no column"],
)
def test_what_is_no_column_is_refused(typecode: str, length: int, kinds: list[int], stored: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
        join(typecode, length, kinds, memoryview(stored))
