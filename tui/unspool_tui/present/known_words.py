"""What is known of a list's rows beyond the columns: their words and first matches, as far as they were read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from unspool.formats.piece import Flag

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence
    from unspool.views.hits import Hit
    from unspool.views.view import SessionView

ROWS_KEPT: Final = 4096
"""Rows whose words are remembered: more than a person scrolls through, less than a megabyte or two."""


class KnownWords:
    """Evidence and hits by the row of the view that they are of."""

    def __init__(self) -> None:
        self.evidence: dict[int, Evidence] = {}
        self.hits: dict[int, Hit] = {}
        self._unanswered: set[int] = set()

    def learn(self, evidence: Iterable[Evidence], hits: Mapping[int, Hit]) -> None:
        """Take what was read. Once that is too much all that was known before is forgotten."""
        if max(len(self.evidence), len(self.hits)) > ROWS_KEPT:
            self.forget_all()
        for each in evidence:
            self.evidence[each.row] = each
            if each.flags & Flag.UNANSWERED:
                self._unanswered.add(each.row)
        self.hits.update(hits)

    def forget_answered(self, view: SessionView) -> None:
        """Forget the calls that had no answer when they were read, and have one in a newer view."""
        self.forget([row for row in self._unanswered if not view.flags(row) & Flag.UNANSWERED])

    def forget(self, rows: Iterable[int]) -> None:
        """Forget some rows."""
        for row in rows:
            self.evidence.pop(row, None)
            self.hits.pop(row, None)
            self._unanswered.discard(row)

    def forget_from(self, row: int) -> None:
        """Forget a row and all behind it."""
        self.forget([each for each in self.evidence.keys() | self.hits.keys() if each >= row])

    def forget_all(self) -> None:
        """Forget every row."""
        self.evidence.clear()
        self.hits.clear()
        self._unanswered.clear()
