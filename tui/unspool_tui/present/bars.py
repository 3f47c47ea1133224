"""The top bar and the key bar: where one is, and what can be done here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from unspool.dataclass import dataclass
from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, GAP, WIDE_GAP, Cell, Row, fit, spread, width_of

BRAND: Final[Cell] = ("unspool", "accent bold")
NARROW_BELOW: Final = 100
"""Cells of a screen: below, one pane is shown at a time."""
WIDE_FROM: Final = 140
"""Cells of a screen: from here on there is room for lines and keys."""

MAP_CELLS: Final = 2
"""Cells of a scrollbar that is a map: a blank sets its marks apart from the rows beside it."""

STATUS_LEAST: Final = 8
"""Cells below which the beginning of a status says nothing."""

_TRAIL_SHARE: Final = 1 / 2
"""What of the top bar a trail keeps beside facts."""
_TITLE_LEAST: Final = 12
"""Cells of a title below which it is cut no further."""
LASTING_SHARE: Final = 3 / 4
"""The most of the key bar that an error takes which stays there."""
_STATUS_MOST: Final = 40
"""Cells that a status may take of any bar; of a wide one it takes half."""


@dataclass(frozen=True, slots=True)
class Top:
    """What the top bar says.

    `trail` is where one is, `facts` give way from the last, `state` stands at the right (live). `panes` name the panes
    when only one is shown, `pane` is that one.
    """

    trail: tuple[str, ...] = ()
    lead: str = ""
    facts: tuple[str, ...] = ()
    state: Row = ()
    panes: tuple[str, ...] = ()
    pane: str = ""


def top_row(top: Top, width: int) -> Row:
    """Return the top bar; the facts go first, but a title that takes more than half of a wide one is cut for them."""
    right: Row = (*top.state, *_panes(top), BLANK)
    facts = () if top.panes else top.facts
    least = width if width < NARROW_BELOW else int(width * _TRAIL_SHARE)
    while facts:
        told: Row = (WIDE_GAP, ("  ".join(facts), "muted"))
        room = width - width_of(told) - width_of(right)
        left = _trail(top, max(room, least))
        if width_of(left) <= room:
            return spread([*left, *told], right, width)
        facts = facts[:-1]
    return spread(_trail(top, width - width_of(right)), right, width)


def _trail(top: Top, room: int) -> Row:
    """Return where one is in `room` cells, as far as the first name can be cut: it is a session's title."""
    row: list[Cell] = [BLANK, BRAND]
    for name in top.trail:
        row += [(f"  {marks.TRAIL}  ", "faint"), (name, "text bold")]
    row += [WIDE_GAP, (top.lead, "text bold")] if top.lead else []
    over = width_of(row) - room
    if top.trail and over > 0:
        row[3:4] = fit([row[3]], max(_TITLE_LEAST, width_of([row[3]]) - over))
    return tuple(row)


def key_row(
    keys: Sequence[tuple[str, str]], help_key: str, status: Row, width: int, *, loud: bool = False, lasts: bool = False
) -> Row:
    """Return the key bar: `keys` in order of use, the last ones give way; help never does.

    A status takes the room it needs, up to half of a wide bar; a `loud` one (an error) all but that of help, unless it
    `lasts`: then keys are needed beside it.
    """
    last: Row = (GAP, (help_key, "text bold"), (" help", "muted")) if help_key else ()
    told = width_of(status) + 4 if status else 0
    most = max(_STATUS_MOST, width // 2) if not loud else int(width * LASTING_SHARE) if lasts else width
    room = width - width_of(last) - min(told, most)
    left: list[Cell] = []
    for key, words in keys:
        item: Row = (GAP if left else BLANK, (key, "text bold"), (f" {words}", "muted"))
        if width_of([*left, *item]) > room:
            break
        left += item
    left += last
    if not status:
        return fit(left, width)
    rest = width - width_of(left) - width_of([WIDE_GAP]) - 1
    if rest < min(STATUS_LEAST, width_of(status)):
        return fit(left, width)
    return (*left, WIDE_GAP, *fit(_told(status, rest), rest, right=True), BLANK)


def _told(status: Row, room: int) -> Row:
    """Return as many facts of a status as there is room for; only the first one is ever cut."""
    while width_of(status) > room and GAP in status:
        status = status[: len(status) - 1 - status[::-1].index(GAP)]
    return status


def _panes(top: Top) -> Row:
    row: list[Cell] = []
    for name in top.panes:
        row += [GAP, (name, "accent bold" if name == top.pane else "muted")]
    return tuple(row)
