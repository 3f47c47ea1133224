"""Matches in the lines at hand, and which of them is the present one. Lines are looked at when they are needed."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from unspool.pattern import pattern
from unspool_tui.present.body_row import Marked

if TYPE_CHECKING:
    from unspool_tui.present.lines import Line
    from unspool_tui.present.pages import Spot

_NOTHING = pattern(r"(?!)")


class Found:
    """Matches of a pattern; `spot` is where the one begins that was gone to, `None` for none yet."""

    def __init__(self, lines: Sequence[Line], pattern: re.Pattern[str] | None) -> None:
        self._lines = lines if pattern is not None else ()
        self._pattern = pattern or _NOTHING
        self._in_line: dict[int, tuple[array[int], array[int]]] = {}
        self._before: array[int] | None = None
        self._with_matches: list[int] | None = None
        self.spot: Spot | None = None

    @property
    def count(self) -> int:
        """How many there are."""
        return self._counts()[-1]

    @property
    def now(self) -> int | None:
        """How many come before the present one; `None` without one."""
        if self.spot is None:
            return None
        line, character = self.spot
        return self._counts()[line] + bisect_left(self._of(line)[0], character)

    @property
    def lines(self) -> Sequence[int]:
        """Indexes of the lines with matches, in order."""
        if self._with_matches is None:
            search = self._pattern.search
            self._with_matches = [index for index, line in enumerate(self._lines) if search(line.text)]
        return self._with_matches

    def in_line(self, line: int, start: int, stop: int) -> list[Marked]:
        """Return the matches that touch a stretch of characters of a line, half open."""
        starts, stops = self._of(line)
        first, last = bisect_right(stops, start), bisect_left(starts, stop)
        return [Marked(starts[at], stops[at], (line, starts[at]) == self.spot) for at in range(first, last)]

    def go(self, spot: Spot, *, backward: bool = False, here: bool = False) -> bool:
        """Make the next match after a spot the present one (or the last before it; `here`: one at it counts)."""
        found = self._before_spot(spot) if backward else self._after_spot(spot, here=here)
        if found is not None:
            self.spot = found
        return found is not None

    def _after_spot(self, spot: Spot, *, here: bool) -> Spot | None:
        line, character = spot
        if line < len(self._lines):
            starts = self._of(line)[0]
            at = bisect_left(starts, character) if here else bisect_right(starts, character)
            if at < len(starts):
                return (line, starts[at])
        for index in range(line + 1, len(self._lines)):
            if found := self._pattern.search(self._lines[index].text):
                return (index, found.start())
        return None

    def _before_spot(self, spot: Spot) -> Spot | None:
        line, character = spot
        for index in range(min(line, len(self._lines) - 1), -1, -1):
            if index < line and not self._pattern.search(self._lines[index].text):
                continue
            starts = self._of(index)[0]
            at = bisect_left(starts, character) if index == line else len(starts)
            if at:
                return (index, starts[at - 1])
        return None

    def _of(self, line: int) -> tuple[array[int], array[int]]:
        """Return where the matches of a line start and stop."""
        known = self._in_line.get(line)
        if known is None:
            text = self._lines[line].text if line < len(self._lines) else ""
            spans = [found.span() for found in self._pattern.finditer(text)]
            known = self._in_line[line] = (array("q", (a for a, _ in spans)), array("q", (b for _, b in spans)))
        return known

    def _counts(self) -> array[int]:
        """Return how many matches come before each line, and at the end how many there are."""
        if self._before is None:
            findall = self._pattern.findall
            self._before = array("q", accumulate((len(findall(line.text)) for line in self._lines), initial=0))
        return self._before
