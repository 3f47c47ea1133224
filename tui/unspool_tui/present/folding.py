"""Compactions in a list: the boundary and the summary that follows it are one thing that happened, and one row."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unspool.views.selection import Selection
    from unspool.views.view import SessionView


def folded(view: SessionView, rows: Selection) -> tuple[Selection, dict[int, int]]:
    """Return the rows without the boundaries that their summary tells of, and those boundaries by summary.

    Both must be among the rows, and nothing of the session between them: a boundary alone stays.
    """
    found: dict[int, int] = {}
    for boundary, summary in pairwise(view.compactions):
        adjacent = summary == boundary + 1 and boundary not in found
        if adjacent and boundary in rows and summary in rows:
            found[summary] = boundary
    if not found:
        return rows, found
    return rows.without(found.values()), found
