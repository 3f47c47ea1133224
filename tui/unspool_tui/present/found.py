"""All matches in the lines at hand, and which of them is the present one."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from unspool_tui.present.body_row import Marked
from unspool_tui.present.lines import Line
from unspool_tui.present.matches import spans_in
from unspool_tui.present.pages import Spot


class Found:
    """Matches of a pattern, in order; `now` is the index of the one that was gone to, `None` for none yet."""

    def __init__(self, lines: Sequence[Line], pattern: re.Pattern[str] | None) -> None:
        self._starts: list[Spot] = []
        self._stops: list[int] = []
        self.now: int | None = None
        for index, line in enumerate(lines if pattern is not None else ()):
            for start, stop in spans_in(pattern, line.text):
                self._starts.append((index, start))
                self._stops.append(stop)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._starts)

    @property
    def spot(self) -> Spot | None:
        """Where the present one begins."""
        return self._starts[self.now] if self.now is not None else None

    @property
    def lines(self) -> list[int]:
        """Indexes of the lines with matches, in order, without repeats."""
        return list(dict.fromkeys(line for line, _ in self._starts))

    def in_line(self, line: int) -> list[Marked]:
        """Return the matches of one line."""
        first, last = bisect_left(self._starts, (line, 0)), bisect_left(self._starts, (line + 1, 0))
        return [Marked(self._starts[at][1], self._stops[at], at == self.now) for at in range(first, last)]

    def go(self, spot: Spot, *, backward: bool = False, here: bool = False) -> bool:
        """Make the next match after a spot the present one (or the last before it; `here`: one at it counts)."""
        if backward:
            at = bisect_left(self._starts, spot) - 1
        else:
            at = bisect_left(self._starts, spot) if here else bisect_right(self._starts, spot)
        if not 0 <= at < len(self._starts):
            return False
        self.now = at
        return True
