"""The sessions screen as its first frame: the sessions that were written last, where the list will show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from unspool_tui.first.paint import Patch
from unspool_tui.present import marks
from unspool_tui.present.bars import NARROW_BELOW, top_row
from unspool_tui.present.cells import BLANK, Cell, Row
from unspool_tui.present.facets import facet_row
from unspool_tui.present.session_bars import LOOKING, agent_facets
from unspool_tui.present.session_row import (
    AIRY_FROM,
    Day,
    Item,
    Listed,
    arranged,
    columns_row,
    day_row,
    project_width,
    session_row,
)

if TYPE_CHECKING:
    from datetime import tzinfo

    from unspool.library.summary import SessionSummary

PREVIEW: Final = 40
"""Cells that the preview has at least; else it has a third, as the screen's style sheet says."""

_LIT: Final[Cell] = (marks.BAR, "accent")


def session_rows(
    summaries: Sequence[SessionSummary],
    size: tuple[int, int],
    now: int,
    zone: tzinfo | None,
    *,
    here: str | None = None,
    begin: str = "",
) -> Iterator[Patch]:
    """Yield what the screen shows of some sessions, the cursor on the one of reference `begin`, else on the first."""
    width, height = size
    narrow = width < NARROW_BELOW
    listed = width if narrow else width - max(PREVIEW, -(-width // 3))
    found = [summary for summary in summaries if not summary.empty]
    yield from (Patch(0, y, (), "ground", listed) for y in range(1, height - 1))
    yield Patch(0, 0, top_row(LOOKING, width), "bar", width)
    yield Patch(0, height - 1, (), "bar", width)
    head: Row = (_LIT, ("Sessions", "accent bold"))
    yield Patch(0, 1, facet_row(head, agent_facets(found, ()), frozenset({"all"}), listed)[0], "ground", listed)
    top = 2 if narrow else 3  # the filter line stands between, where there is room for it
    projects = project_width(found, listed - 1)
    yield Patch(0, top, columns_row(listed - 1, projects), "ground", listed)
    items = arranged(found, here=here, now=now, zone=zone)
    room = height - top - 2
    yield from _list(items, (top + 1, listed - 1, room), now, zone, projects=projects, begin=begin)


def _list(
    items: Sequence[Item],
    region: tuple[int, int, int],
    now: int,
    zone: tzinfo | None,
    *,
    projects: int,
    begin: str,
) -> Iterator[Patch]:
    y, width, height = region
    lines: list[Item | None] = []
    for each in items:
        lines += [None] if isinstance(each, Day) and lines and height >= AIRY_FROM else []
        lines.append(each)
    shown = lines[:height]
    sessions = [line for line in shown if isinstance(line, Listed)]
    cursor = next((each for each in sessions if str(each.summary.ref) == begin), None)
    cursor = cursor or next(iter(sessions), None)
    for line, item in enumerate(shown):
        if isinstance(item, Listed):
            here = item is cursor
            bar = _LIT if here else BLANK
            row = session_row(item, width, bar=bar, here=here, now=now, zone=zone, projects=projects)
            yield Patch(0, y + line, row, "cursor" if here else "ground", width)
        elif item is not None:
            yield Patch(0, y + line, day_row(item), "ground", width)
