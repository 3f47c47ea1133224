"""The rows of a form: a label, and what can be chosen or typed behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from unspool.named_tuple import NamedTuple
from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, GAP, WIDE_GAP, Cell, Row, fit, width_of

LABEL_WIDTH: Final = 15
"""Cells of a label with its bar: the longest label and a gap."""


class OptionSpot(NamedTuple):
    """Where an option can be clicked: half-open cells, and its number."""

    start: int
    stop: int
    option: int


def label_cells(label: str, *, lit: bool) -> Row:
    """Return a label, lit when its row has the focus."""
    bar: Cell = (marks.BAR, "accent") if lit else BLANK
    return fit([GAP, bar, (label, "accent bold" if lit else "muted")], LABEL_WIDTH)


def option_row(
    label: str, options: Sequence[str], chosen: int, *, lit: bool, remark: Row = ()
) -> tuple[Row, tuple[OptionSpot, ...]]:
    """Return a row of options of which one is chosen, and where each can be clicked."""
    row: list[Cell] = list(label_cells(label, lit=lit))
    spots = []
    for number, words in enumerate(options):
        start = width_of(row)
        row.append((f" {words} ", "text bold on chip" if number == chosen else "muted"))
        spots.append(OptionSpot(start, width_of(row), number))
        row.append(BLANK)
    if remark:
        row += [WIDE_GAP, *remark]
    return tuple(row), tuple(spots)
