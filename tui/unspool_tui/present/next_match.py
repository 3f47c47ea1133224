"""Which piece a walk from match to match comes to next, when the list does not know where matches are."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from unspool.search.needle import Case
    from unspool.views.view import SessionView

FIRST_STRETCH: Final = 64
LONGEST_STRETCH: Final = 8_192
"""Rows searched at a time while walking back: few at first, for the match is mostly near."""


def next_matching(
    view: SessionView, rows: Sequence[int], row: int, words: str, by: int, *, case: Case, cancelled: Callable[[], bool]
) -> tuple[int | None, bool]:
    """Return the next of some ascending rows that holds words, `None` without one, and whether an end was passed.

    It lies behind `row`, with a negative `by` before it; past the end the walk goes on at the other one, back to `row`.
    Reads the source.
    """

    def matching(some: Sequence[int]) -> Iterator[int]:
        return (found for found, _ in view.search_rows(words, rows=some, case=case, cancelled=cancelled))

    left, right = bisect_left(rows, row), bisect_right(rows, row)
    parts = (rows[right:], rows[:right]) if by > 0 else (rows[:left], rows[left:])
    for wrapped, part in enumerate(parts):
        found = next(matching(part), None) if by > 0 else _last(matching, part)
        if found is not None or cancelled():
            return found, bool(wrapped)
    return None, True


def _last(matching: Callable[[Sequence[int]], Iterator[int]], rows: Sequence[int]) -> int | None:
    """Return the last matching row: stretch by stretch from the end, as a search itself only goes forward."""
    stop, length = len(rows), FIRST_STRETCH
    while stop > 0:
        found = list(matching(rows[max(0, stop - length) : stop]))
        if found:
            return found[-1]
        stop, length = stop - length, min(LONGEST_STRETCH, length * 2)
    return None
