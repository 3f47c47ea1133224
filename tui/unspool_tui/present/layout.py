"""Where the rows of a body are, at one width."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from unspool.named_tuple import NamedTuple
from unspool.text import size
from unspool_tui.present.wrap import Spans, wrapped

if TYPE_CHECKING:
    from unspool_tui.present.lines import Line

NEAR_CHARACTERS: Final = 30_000
"""Characters broken at once around the line that is looked at: some screenfuls."""

ENDLESS: Final = 20_000
"""Characters from which on a line is broken in any case: nobody moves that far to the side, or finds anything there."""

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

    With `wrap=False` each line is one row, unless it is `endless`.

    `squeeze` lets rules and gaps of output shrink. `seam` is a line index and
    a character of it, before which the seam row stands. What `before` had broken in the same way is not broken again.

    With `near`, the index of a line, only lines around it are broken at once; of others the rows are estimated until
    `go_on` has broken them and `settle` counted. Until then no row changes its place.
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
        near: int | None = None,
    ) -> None:
        self._lines = lines
        self._way = (width, wrap, squeeze)
        self._broken: dict[int, tuple[Spans, ...]] = {}
        self._known: dict[int, tuple[Line, tuple[Spans, ...]]] = {}
        self._old = before._known if before is not None and before._way == self._way else {}
        self._seam = seam
        self._waiting: list[int] = self._long_lines(near or 0)
        self.go_on(NEAR_CHARACTERS if near is not None else None)
        self._first = array("q")
        self.rows = 0
        self.settle()

    @property
    def complete(self) -> bool:
        """Whether every line is broken."""
        return not self._waiting

    def go_on(self, characters: int | None) -> bool:
        """Break further lines of about so many characters, without a number all; return whether that was the last.

        Known ones are found by identity, which holding the line keeps true.
        """
        left = characters
        while self._waiting and (left is None or left > 0):
            index = self._waiting.pop()
            cost = 1 if id(self._lines[index]) in self._old else len(self._lines[index].text)
            if index not in self._broken:
                self._break(index)
            left = None if left is None else left - cost
        return not self._waiting

    def settle(self) -> None:
        """Count the rows anew."""
        if self._seam is not None:
            breaks = self._way[1] or self.endless(self._seam[0])
            self._part(*self._seam, self._way[0] if breaks else None)
        self._first = self._first_rows()
        self.rows = self._first[-1]

    def at(self, row: int) -> Place:
        """Return what stands in a row, 0 to `rows` - 1."""
        line = bisect_right(self._first, row) - 1
        index = row - self._first[line]
        rows, length = self._broken.get(line), len(self._lines[line].text)
        if rows is None and self._waiting and self._is_long(line):
            rows = self._break(line)
        if rows is None:
            rows = (((0, length),),)
        first = 1 if rows[0] == SEAM else 0
        return Place(line, rows[index] if index < len(rows) else ((length, length),), index == first)

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

    def endless(self, line: int) -> bool:
        """Say whether a line is broken even where others are cut."""
        return 0 <= line < len(self._lines) and len(self._lines[line].text) > ENDLESS

    def _long_lines(self, near: int) -> list[int]:
        """Return the lines that may take several rows, those nearest to a line last."""
        long = [index for index in range(len(self._lines)) if self._is_long(index)]
        long.sort(key=lambda index: abs(index - near), reverse=True)
        return long

    def _is_long(self, index: int) -> bool:
        text, (width, wrap, _) = self._lines[index].text, self._way
        if not wrap:
            return self.endless(index)
        return len(text) > width // 2 and (len(text) > width or not text.isascii())

    def _break(self, index: int) -> tuple[Spans, ...]:
        line, (width, _, squeeze) = self._lines[index], self._way
        kept = self._old.get(id(line))
        rows = kept[1] if kept else wrapped(line.text, width, squeeze=squeeze, hang=line.hang)
        if len(rows) > 1 or len(rows[0]) > 1:
            self._broken[index] = rows
            self._known[id(line)] = (line, rows)
        return rows

    def _estimated(self, index: int) -> int:
        """Return about how many rows a line takes that is not broken yet; of wide characters most take three bytes."""
        width, text = self._way[0], self._lines[index].text
        cells = len(text) if text.isascii() else (len(text) + size(text)) // 2
        return 1 + max(0, cells - 1) // width

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
        for index in self._waiting:
            counts[index] = self._estimated(index)
        for index, rows in self._broken.items():
            counts[index] = len(rows)
        return array("q", accumulate(counts, initial=0))


def _shifted(text: str, by: int, width: int | None) -> tuple[Spans, ...]:
    rows = wrapped(text, width) if width is not None else (((0, len(text)),),)
    return tuple(tuple((start + by, stop + by) for start, stop in spans) for spans in rows)
