"""The path lens in rows: how often a path was touched, when last, and what came of it."""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.text import clean
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import BLANK, GAP, Cell, Row, end_of, fit, spread, width_of

if TYPE_CHECKING:
    from unspool.ids import EvidenceId
    from unspool.views.path_uses import PathUse

PIECES_WIDTH: Final = 8
ERRORS_WIDTH: Final = 7
SIZE_WIDTH: Final = 9
LAST_WIDTH: Final = 10
ID_WIDTH: Final = 9
ID_FROM: Final = 72
"""Cells of the list: a narrower one leaves out the id of the newest piece."""


@dataclass(frozen=True, slots=True, eq=False)
class TouchedPath:
    """A path with the id and the time of the newest piece that touches it; `here` when the open piece does."""

    use: PathUse
    last: EvidenceId
    time: int | None
    here: bool = False


def path_row(path: TouchedPath, width: int, *, bar: Cell, here: bool, zone: tzinfo | None) -> Row:
    """Return the row of a path."""
    use, quiet = path.use, "muted" if here else "faint"
    left: list[Cell] = [bar, *fit([(numbers.count(use.pieces), "text")], PIECES_WIDTH, right=True)]
    errors = ((f"{marks.ERROR} {numbers.count(use.errors)}", "error"),) if use.errors else ()
    left += fit(errors, ERRORS_WIDTH, right=True)
    left += fit([(numbers.listed_size(use.weight.made), quiet)], SIZE_WIDTH, right=True)
    left += [GAP, *fit([(numbers.clock(path.time, zone), quiet)], LAST_WIDTH)]
    left += fit([(str(path.last), "text" if here else "muted")], ID_WIDTH) if width >= ID_FROM else ()
    said = end_of(clean(use.path, newline=False), width - width_of(left) - 1)
    return spread([*left, (said, f"text{' bold' if path.here else ''}")], (BLANK,), width)


def path_columns(width: int) -> Row:
    """Return the names of the columns."""
    row: list[Cell] = [BLANK]
    for name, cells in (("pieces", PIECES_WIDTH), ("errors", ERRORS_WIDTH), ("made", SIZE_WIDTH)):
        row += fit([(name, "faint")], cells, right=True)
    row += [GAP, *fit([("last", "faint")], LAST_WIDTH + (ID_WIDTH if width >= ID_FROM else 0)), ("path", "faint")]
    return fit(row, width)
