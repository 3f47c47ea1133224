"""Selections of rows, and their numbers."""

from __future__ import annotations

from array import array
from itertools import compress

from hypothesis import given
from hypothesis import strategies as st

from unspool.views.masks import RUN, numbered

runs = st.lists(st.tuples(st.sampled_from([b"\0", b"\1"]), st.integers(1, 3 * RUN)), max_size=12)


@given(runs, st.integers(0, 300))
def test_every_row_that_is_chosen_has_its_number(runs: list[tuple[bytes, int]], start: int) -> None:
    chosen = b"".join(byte * times for byte, times in runs)
    numbers = array("I", compress(range(start, start + len(chosen)), chosen))
    assert numbered(chosen, start) == numbers
    assert numbered(bytearray(chosen), start) == numbers


def test_rows_that_are_chosen_by_turns_have_theirs_too() -> None:
    assert numbered(b"\0\1" * RUN, 7) == array("I", range(8, 7 + 2 * RUN, 2))
    assert numbered(b"", 7) == array("I")
