"""A list whose records stand under headings: days over sessions, sessions over their hits."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Generic, TypeVar

from unspool_tui.widgets.record_list import RecordList

Heading = TypeVar("Heading")
"""What stands over records."""


class GroupedList(RecordList, Generic[Heading]):
    """Records of one line each; the cursor goes over records only, never over headings and blank lines."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: list[Heading | int | None] = []
        self._starts: list[int] = []
        self._least: dict[int, int] = {}

    def lay(self, lines: Iterable[Heading | int | None]) -> None:
        """Put further lines behind the others: headings, records by their number, `None` for a blank line."""
        for line in lines:
            if isinstance(line, int):
                self._starts.append(len(self._lines))
            self._lines.append(line)
        self._least.clear()

    def clear_lines(self) -> None:
        """Take all lines away."""
        self._lines, self._starts = [], []
        self._least.clear()

    def record_count(self) -> int:
        """Return how many records there are."""
        return len(self._starts)

    def line_count(self) -> int:
        """Return how many lines they take with their headings."""
        return len(self._lines)

    def lines_of(self, record: int) -> range:
        """Return the line of a record."""
        return range(self._starts[record], self._starts[record] + 1)

    def record_at(self, line: int) -> int | None:
        """Return the record of a line."""
        what = self._lines[line]
        return what if isinstance(what, int) else None

    def context_of(self, lines: range) -> tuple[int, int]:
        """Keep the heading above its first record in view."""
        start = lines.start
        while start > 0 and self.record_at(start - 1) is None:
            start -= 1
        return start, lines.stop

    def move_lines(self, by: int) -> None:
        """Move by as many records as so many lines hold at least, wherever they are.

        Where headings lie does not matter then: the way back leads to the record that one came from, and no record is
        passed over unseen.
        """
        self.action_move(self._least_in(by) if by > 0 else -self._least_in(-by))

    def _least_in(self, lines: int) -> int:
        """Return how many records any stretch of so many lines holds at least; 1 or more."""
        if lines not in self._least:
            before = [*accumulate((isinstance(line, int) for line in self._lines), initial=0)]
            counts = (there - here for here, there in zip(before, before[lines:], strict=False))
            self._least[lines] = max(1, min(counts, default=before[-1]))
        return self._least[lines]
