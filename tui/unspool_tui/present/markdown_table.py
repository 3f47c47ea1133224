"""Tables of Markdown: laid out for the width there is; where it is too narrow for columns, row by row as a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool_tui.present.cells import Cell, Row, fit
from unspool_tui.present.lines import Line, Origin, cut
from unspool_tui.present.width import cell_len
from unspool_tui.present.wrap import wrapped

if TYPE_CHECKING:
    from unspool_tui.present.markdown_words import Words

LEAST: Final = 6
"""Cells below which a column breaks words and is no column any more."""

_FRAME: Final = "thread own"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the first of them the heading; `right` says which columns stand at the right. `lead` precedes."""

    rows: Sequence[Sequence[Words]]
    right: Sequence[bool]
    lead: str = ""

    def lines(self, width: int) -> list[Line]:
        """Return the table in `width` cells."""
        columns = self._columns(width - cell_len(self.lead) - 3 * len(self.right) - 1)
        return list(self._grid(columns) if columns else self._listed())

    def _columns(self, room: int) -> list[int]:
        """Return the cells of each column, empty where they have no room; the widest give way first."""
        wanted = [max(1, *(cell_len(row[at].text) for row in self.rows)) for at in range(len(self.right))]
        if sum(wanted) <= room:
            return wanted
        if sum(min(LEAST, each) for each in wanted) > room:
            return []
        low, high = LEAST, max(wanted)
        while low < high:  # the greatest width to which all wider columns shrink
            middle = (low + high + 1) // 2
            fits = sum(min(each, middle) for each in wanted) <= room
            low, high = (middle, high) if fits else (low, middle - 1)
        return [min(each, low) for each in wanted]

    def _grid(self, columns: Sequence[int]) -> Iterator[Line]:
        broken = [[_broken(cell, width) for cell, width in zip(row, columns, strict=True)] for row in self.rows]
        airy = any(len(cell) > 1 for row in broken[1:] for cell in row)
        yield self._rule(columns, "┌┬┐", 0)
        for number, row in enumerate(broken):
            if number == 1 or (airy and number):
                yield self._rule(columns, "├┼┤", number)
            for at in range(max(len(cell) for cell in row)):
                yield self._row(number, [cell[at] if at < len(cell) else () for cell in row], columns)
        yield self._rule(columns, "└┴┘", len(self.rows) - 1)

    def _row(self, number: int, cells: Sequence[Row], columns: Sequence[int]) -> Line:
        row: list[Cell] = [(self.lead, "muted own")]
        for cell, width, right in zip(cells, columns, self.right, strict=True):
            row += [("│ ", _FRAME), *fit(cell, width, right=right), (" ", "text")]
        row.append(("│", _FRAME))
        return _line(row, self.rows[number][0].line)

    def _rule(self, columns: Sequence[int], signs: str, number: int) -> Line:
        text = signs[1].join("─" * (width + 2) for width in columns)
        row = [(self.lead, "muted own"), (f"{signs[0]}{text}{signs[2]}", _FRAME)]
        return _line(row, self.rows[number][0].line)._replace(source=False)

    def _listed(self) -> Iterator[Line]:
        """Yield each row as lines of `heading  value`."""
        head, *rows = self.rows
        for number, row in enumerate(rows or [head]):
            if number:
                yield Line("", (), source=False)
            for name, cell in zip(head, row, strict=True):
                named = [(f"{name.text}  ", "muted")] if name.text and rows else []
                yield _line([(self.lead, "muted own"), *named, *cell.cells], cell.line)


def _broken(cell: Words, width: int) -> list[Row]:
    """Return the rows of a cell of the table, without the blank that a row ends with."""
    rows = [cut(cell.cells, spans[0][0], spans[-1][1]) for spans in wrapped(cell.text, width, hang=0)]
    return [_stripped(row) if cell_len("".join(text for text, _ in row)) > width else row for row in rows]


def _stripped(row: Row) -> Row:
    return (*row[:-1], (row[-1][0].rstrip(" "), row[-1][1])) if row else row


def _line(row: Sequence[Cell], line: int) -> Line:
    kept = tuple(cell for cell in row if cell[0])
    return Line("".join([text for text, _ in kept]), kept, hang=2, origin=Origin(line))
