"""The browse screen as its first frame: what a view tells at once, where the screen will show it.

Keys are not named before they work, and the reader is empty until a piece is read, as on the screen itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool.formats.piece import ToolPart
from unspool_tui.first.paint import Patch
from unspool_tui.present import marks, numbers
from unspool_tui.present.bars import MAP_CELLS, NARROW_BELOW, WIDE_FROM, Top, top_row
from unspool_tui.present.cells import BLANK, Cell, Row
from unspool_tui.present.choosing import Choice, choose
from unspool_tui.present.evidence_row import ID_WIDTH, Piece, evidence_row, widest_name
from unspool_tui.present.facets import FACETS, facet_row
from unspool_tui.present.overview_rows import OVERVIEW_ITEMS, lay_out, thread_row
from unspool_tui.present.titles import project_of, title_of_view

if TYPE_CHECKING:
    from datetime import tzinfo

    from unspool.views.view import SessionView

PANES: Final = ("overview", "evidence", "reader")
RAIL: Final = 30
WIDE_RAIL: Final = 38
"""Cells of the overview, as the screen's style sheet has them."""
HIGH_FROM: Final = 30
"""Rows of a screen whose pane titles have a blank row below them."""

_LIT: Final[Cell] = (marks.BAR, "accent")
_UNLIT: Final[Cell] = (marks.BAR, "faint")


def listed(size: tuple[int, int]) -> int:
    """Return how many rows of evidence a screen shows."""
    return _upper(size) - (1 if size[0] < NARROW_BELOW else 2)


def _upper(size: tuple[int, int]) -> int:
    """Return the rows of the pane that lists the evidence."""
    body = size[1] - 2
    return body if size[0] < NARROW_BELOW else body * 2 // 5


def browse_rows(view: SessionView, size: tuple[int, int], now: int, zone: tzinfo | None) -> Iterator[Patch]:
    """Yield what the screen shows of a view that was just opened, the cursor on its first piece."""
    width, height = size
    narrow = width < NARROW_BELOW
    rail = 0 if narrow else WIDE_RAIL if width >= WIDE_FROM else RAIL
    yield from (Patch(0, y, (), "ground", width) for y in range(1, height - 1))
    yield Patch(0, 0, top_row(_top(view, narrow, now, zone), width), "bar", width)
    yield Patch(0, height - 1, (), "bar", width)
    yield from _evidence(view, (rail, 1, width - rail, _upper(size)), zone, wide=width >= WIDE_FROM, narrow=narrow)
    if rail:
        yield from _rail(view, (rail, height - 2), zone, high=height >= HIGH_FROM)


def _top(view: SessionView, narrow: bool, now: int, zone: tzinfo | None) -> Top:
    when = numbers.span(view.started_at, view.last_activity, now, zone)
    facts = (view.agent, project_of(view, None), when, numbers.size(view.size))
    shown = tuple(fact for fact in facts if fact)
    return Top((title_of_view(view, None),), facts=shown, panes=PANES if narrow else (), pane="evidence")


def _rail(view: SessionView, size: tuple[int, int], zone: tzinfo | None, *, high: bool) -> Iterator[Patch]:
    """Yield the thread. Which turn the cursor is in is said when there is a cursor."""
    width, height = size
    thread = lay_out(view.overview(OVERVIEW_ITEMS, first=height), width)  # each takes a line, or more
    above = 2 if high else 1
    title: Row = (BLANK, ("Overview", "muted bold"))
    for y in range(height):
        line = y - above
        row: Row = title if y == 0 else ()
        ground = "rail"
        if 0 <= line < len(thread.owners):
            here = thread.owners[line] == 0
            row = thread_row(thread, line, width, bar=_UNLIT if here else BLANK, here=here, zone=zone)
            ground = "cursor-dim" if here else ground
        yield Patch(0, 1 + y, row, ground, width)


def _evidence(
    view: SessionView, region: tuple[int, int, int, int], zone: tzinfo | None, *, wide: bool, narrow: bool
) -> Iterator[Patch]:
    x, y, width, height = region
    choice = next(choose(view, "", case="smart", cancelled=lambda: False))
    head: Row = (_LIT, (f"Evidence {numbers.count(choice.total)}", "accent bold"))
    facets = [(facet, choice.facets.get(facet.word, 0)) for facet in FACETS]
    yield Patch(x, y, facet_row(head, facets, frozenset(), width)[0], "ground", width)
    above = 1 if narrow else 2  # the filter line stands between, where there is room for it
    yield from _list(choice, (x, y + above, width - MAP_CELLS, height - above), zone, wide=wide)


def _list(choice: Choice, region: tuple[int, int, int, int], zone: tzinfo | None, *, wide: bool) -> Iterator[Patch]:
    x, y, width, height = region
    view, rows = choice.listing.view, choice.listing.rows
    names = widest_name(view)
    ids = max(ID_WIDTH, len(str(view.id(view.rows - 1))) + 1) if view.rows else ID_WIDTH
    for line, row in enumerate(rows[:height]):
        here = line == 0
        cells = evidence_row(
            _piece(view, row), width, bar=_LIT if here else BLANK, here=here, wide=wide, zone=zone,
            folder=view.facts.cwd or "", id_width=ids, names=names,
        )  # fmt: skip
        yield Patch(x, y + line, cells, "cursor" if here else "ground", width)


def _piece(view: SessionView, row: int) -> Piece:
    call = view.peer_row(row) if view.tool_part(row) is ToolPart.OUTPUT else None
    return Piece(
        view.id(row), view.kind(row), view.tool_part(row), view.tool(row), view.flags(row), view.time(row),
        view.bytes(row), view.lines(row), evidence=view.evidence_at(row),
        call=None if call is None else view.evidence_at(call), compacted=view.is_compaction(row),
    )  # fmt: skip
