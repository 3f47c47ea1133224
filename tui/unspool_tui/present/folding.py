"""Compactions in a list: the boundary and the summary that follows it are one thing that happened, and one row."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from unspool_tui.present.listing import holds

if TYPE_CHECKING:
    from unspool.views.view import SessionView


def folded(view: SessionView, rows: Sequence[int]) -> tuple[Sequence[int], dict[int, int]]:
    """Return the rows without the boundaries that their summary tells of, and those boundaries by summary.

    Both must be among the rows, and nothing of the session between them: a boundary alone stays.
    """
    found: dict[int, int] = {}
    for boundary, summary in pairwise(view.compactions):
        adjacent = summary == boundary + 1 and boundary not in found
        if adjacent and holds(rows, boundary) and holds(rows, summary):
            found[summary] = boundary
    if not found:
        return rows, found
    shown, at = array("I"), 0
    for boundary in found.values():
        index = bisect_left(rows, boundary)
        shown.extend(rows[at:index])
        at = index + 1
    shown.extend(rows[at:])
    return shown, found
