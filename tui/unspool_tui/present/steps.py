"""Where a step leads: to the next error, prompt or match, to an id, a line or a time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Final

from unspool.errors import NotFound
from unspool.ids import EntryRange
from unspool.pattern import pattern

if TYPE_CHECKING:
    from unspool.views.view import SessionView
    from unspool_tui.present.cells import Row

_CLOCK = pattern(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?\Z")
_ID = pattern(r"[Ee]\d")
_NUMBER = pattern(r"\d{1,15}\Z")
_PROBES: Final = 64
"""Rows looked at for a time before giving up on those that have none."""


def step(rows: Sequence[int], row: int | None, by: int) -> int | None:
    """Return the next of some ascending rows behind `row` (before it with a negative `by`), `None` at the end."""
    if not rows:
        return None
    if row is None:
        return rows[0] if by > 0 else rows[-1]
    index = bisect_right(rows, row) if by > 0 else bisect_left(rows, row) - 1
    return rows[index] if 0 <= index < len(rows) else None


def round_step(rows: Sequence[int], row: int | None, by: int) -> tuple[int | None, bool]:
    """Return the next of some ascending rows, and whether it lies beyond an end: then it is the one at the other."""
    found = step(rows, row, by)
    if found is not None or not rows:
        return found, False
    return rows[0] if by > 0 else rows[-1], True


def turned(by: int, token: str) -> Row:
    """Say that a step went past an end and on from the other."""
    return ((f"on from the {'top' if by > 0 else 'end'}", token),)


def row_for(view: SessionView, said: str, zone: tzinfo | None) -> int:
    """Return the row that an id, a line of the file or a time of day leads to; raises `NotFound`, `BadReference`.

    A bare number is a line of the session's file, as editors count them: entry + 1.
    """
    said = said.strip()
    clock = _CLOCK.match(said)
    if clock is not None:
        row = _row_at(view, (int(clock[1]), int(clock[2]), int(clock[3] or 0)), zone)
    elif _NUMBER.match(said):
        row = view.nearest_row(max(0, int(said) - 1))
    else:
        row = _row_of_id(view, said)
    if row is None or row >= view.rows:
        raise NotFound(f"nothing at {said}")
    return row


def _row_of_id(view: SessionView, said: str) -> int | None:
    wanted = EntryRange.parse(said.rpartition("/")[2].partition("#")[0].partition("@")[0])
    if wanted.single is not None:
        return view.row_of(wanted.single)
    row = view.nearest_row(wanted.first)
    return row if row < view.rows and view.id(row).entry <= wanted.last else None


def _row_at(view: SessionView, clock: tuple[int, int, int], zone: tzinfo | None) -> int | None:
    """Return the first row at or after a time of day, on the first day on which there is one."""
    first = next((moment for row in range(view.rows) if (moment := view.time(row)) is not None), None)
    if first is None:
        return None
    day = datetime.fromtimestamp(first / 1000, tz=zone)
    wanted = day.replace(hour=clock[0], minute=clock[1], second=clock[2], microsecond=0).timestamp() * 1000
    if wanted < first - 60_000:
        wanted += 86_400_000
    low, high = 0, view.rows
    while low < high:
        middle = (low + high) // 2
        moment = _time_near(view, middle)
        if moment is not None and moment < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < view.rows else None


def _time_near(view: SessionView, row: int) -> int | None:
    for each in range(row, min(view.rows, row + _PROBES)):
        moment = view.time(each)
        if moment is not None:
            return moment
    return None
