"""The rows of a snapshot, and where a piece, an entry or a range lies among them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from unspool.ids import EntryRange, EvidenceId

if TYPE_CHECKING:
    from unspool.columns.table import Columns


class Rows:
    """The rows of the columns as they were, of an entry range or all.

    A row number is a position in the columns: it never changes when the session grows.
    """

    def __init__(self, columns: Columns, entry_range: EntryRange | None) -> None:
        self._columns = columns
        self.entries = len(columns.offsets)
        self.entry_range = entry_range
        self._start, self._stop = 0, len(columns)
        if entry_range is not None:
            self._start, self._stop = self.within(entry_range)

    @property
    def span(self) -> tuple[int, int]:
        """The half-open range of row numbers."""
        return self._start, self._stop

    @property
    def rows(self) -> int:
        """Row numbers lie below this."""
        return self._stop

    def id(self, row: int) -> EvidenceId:
        """Return the id of the row's piece."""
        return EvidenceId(self._columns.entry[row], self._columns.piece[row])

    def row_of(self, evidence_id: EvidenceId) -> int | None:
        """Return the row of an id, `None` when this view holds no such piece."""
        row = self.nearest_row(evidence_id.entry)
        while row < self._stop and self._columns.entry[row] == evidence_id.entry:
            if self._columns.piece[row] == evidence_id.piece:
                return row
            row += 1
        return None

    def nearest_row(self, entry: int) -> int:
        """Return the first row at or behind an entry (`rows` when there is none)."""
        return bisect_left(self._columns.entry, entry, self._start, self._stop)

    def rows_in(self, entry_range: EntryRange) -> list[int]:
        """Return the rows of a range, every flag."""
        return list(range(*self.within(entry_range)))

    def within(self, entry_range: EntryRange) -> tuple[int, int]:
        """Return the half-open rows of a range, as far as this view holds them."""
        entry, piece = self._columns.entry, self._columns.piece
        start = bisect_left(entry, entry_range.first, self._start, self._stop)
        stop = bisect_left(entry, entry_range.last + 1, start, self._stop)
        if entry_range.first_piece is not None:
            behind = bisect_left(entry, entry_range.first + 1, start, stop)
            start = bisect_left(piece, entry_range.first_piece, start, behind)
        if entry_range.last_piece is not None:
            begin = bisect_left(entry, entry_range.last, start, stop)
            stop = bisect_left(piece, entry_range.last_piece + 1, begin, stop)
        return start, stop
