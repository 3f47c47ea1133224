"""Where the rows of a body are, at one width."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from unspool_tui.present.lines import Line
from unspool_tui.present.wrap import Spans, wrapped

SEAM: Final[Spans] = ()
"""Stands for the row between what the model saw and what it did not."""


class Place(NamedTuple):
    """One row: index of its line, the stretches of that line's characters, and whether it is the line's first row."""

    line: int
    spans: Spans
    first: bool

    @property
    def is_seam(self) -> bool:
        """Whether this is the row between seen and unseen."""
        return not self.spans

    @property
    def start(self) -> int:
        """The first character of the row within its line."""
        return self.spans[0][0] if self.spans else 0


class Layout:
    """Lines broken into rows of `width` cells.

    With `wrap=False` each line is one row. `squeeze` lets rules and gaps of output shrink. `seam` is a line index and
    a character of it, before which the seam row stands. What `before` had broken in the same way is not broken again.
    """

    def __init__(
        self,
        lines: Sequence[Line],
        width: int,
        *,
        wrap: bool = True,
        squeeze: bool = False,
        seam: tuple[int, int] | None = None,
        before: Layout | None = None,
    ) -> None:
        self._lines = lines
        self._way = (width, wrap, squeeze)
        self._broken: dict[int, tuple[Spans, ...]] = {}
        self._known: dict[int, tuple[Line, tuple[Spans, ...]]] = {}
        if wrap:
            self._break(width, squeeze, before._known if before is not None and before._way == self._way else {})
        if seam is not None:
            self._part(*seam, width if wrap else None)
        self._first = self._first_rows()
        self.rows = self._first[-1]

    def at(self, row: int) -> Place:
        """Return what stands in a row, 0 to `rows` - 1."""
        line = bisect_right(self._first, row) - 1
        index = row - self._first[line]
        if line not in self._broken:
            return Place(line, ((0, len(self._lines[line].text)),), True)
        return Place(line, self._broken[line][index], index == 0)

    def row_of(self, line: int, character: int = 0) -> int:
        """Return the row that shows a character of a line; the nearest one for a line that is not here."""
        if not self.rows:
            return 0
        line = max(0, min(line, len(self._lines) - 1))
        row = self._first[line]
        for index, spans in enumerate(self._broken.get(line, ())):
            if spans and spans[0][0] > character:
                break
            if spans:
                row = self._first[line] + index
        return row

    def _break(self, width: int, squeeze: bool, known: dict[int, tuple[Line, tuple[Spans, ...]]]) -> None:
        """Break the lines that are too long; known ones are found by identity, which holding the line keeps true."""
        half = width // 2
        for index, line in enumerate(self._lines):
            length = len(line.text)
            if length <= half or (length <= width and line.text.isascii()):
                continue
            kept = known.get(id(line))
            rows = kept[1] if kept else wrapped(line.text, width, squeeze=squeeze, hang=line.hang)
            if len(rows) > 1 or len(rows[0]) > 1:
                self._broken[index] = rows
                self._known[id(line)] = (line, rows)

    def _part(self, line: int, character: int, width: int | None) -> None:
        """Put the seam before a character; the line is broken there, or the seam stands behind it without `width`."""
        text = self._lines[line].text
        if width is None and character:
            self._broken[line] = (((0, len(text)),), SEAM)
            return
        before = _shifted(text[:character], 0, width) if character else ()
        after = _shifted(text[character:], character, width) if character < len(text) else ()
        self._broken[line] = (*before, SEAM, *after)

    def _first_rows(self) -> array[int]:
        counts = array("q", [1]) * len(self._lines)
        for index, rows in self._broken.items():
            counts[index] = len(rows)
        return array("q", accumulate(counts, initial=0))


def _shifted(text: str, by: int, width: int | None) -> tuple[Spans, ...]:
    rows = wrapped(text, width) if width is not None else (((0, len(text)),),)
    return tuple(tuple((start + by, stop + by) for start, stop in spans) for spans in rows)
