"""The list of the ledger: outputs, tools or files, the heaviest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from textual.message import Message
from textual.reactive import reactive

from unspool.dataclass import dataclass
from unspool_tui.keymap import bindings
from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, Row
from unspool_tui.present.ledger_rows import Group, Order, Output, columns_row, group_row, output_row, seen_by_a_model
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence
    from unspool.views.view import SessionView

ROWS_KEPT: Final = 4096
"""Rows whose words are remembered."""

AHEAD: Final = 24
"""Rows read before and behind those in view."""


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """What the list shows: rows of outputs of a view, or groups of them; `most` is the size of the heaviest."""

    view: SessionView
    order: Order
    rows: Sequence[int] = ()
    groups: Sequence[Group] = ()
    most: int = 0

    def __len__(self) -> int:
        return len(self.rows) if self.order is Order.SIZE else len(self.groups)


class LedgerColumns(Painting):
    """The names of the list's columns."""

    DEFAULT_CSS = "LedgerColumns { height: 1; }"

    order: reactive[Order] = reactive(Order.SIZE)

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the names; the last cell stays free for the list's map."""
        return [columns_row(self.order, width - 1)]


class LedgerList(RecordList):
    """Shows a `Page`; the words of outputs in view it asks for."""

    BINDINGS = bindings(("list.open", "go there"))
    folder = ""
    """The folder the session worked in: paths are told from there."""

    @dataclass
    class Wanted(Message):
        """Outputs came into view whose words are not known."""

        view: SessionView
        rows: tuple[int, ...]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.page: Page | None = None
        self._evidence: dict[int, Evidence] = {}
        self._asked = False

    def show(self, page: Page, cursor: int = 0) -> None:
        """Show another page."""
        if self.page is None or self.page.view is not page.view:
            self._evidence.clear()
        self.page = page
        self._asked = False
        self.renew(cursor)

    def clear(self, note: str) -> None:
        """Show nothing, and say why."""
        self.page, self.note = None, note
        self.renew(0)

    def learn(self, evidence: Iterable[Evidence]) -> None:
        """Take the words of outputs that were asked for, and of their calls."""
        if len(self._evidence) > ROWS_KEPT:
            self._evidence.clear()
        self._evidence.update((each.row, each) for each in evidence)
        self._asked = False
        self.redraw()

    def record_count(self) -> int:
        """Return how many rows there are."""
        return len(self.page) if self.page is not None else 0

    def paint(self, line: int, width: int, *, here: bool) -> tuple[Row, str]:
        """Return a row."""
        page = self.page
        assert page is not None  # lines are only painted while there are records
        bar = (marks.BAR, "accent" if self.lit else "faint") if here else BLANK
        if page.order is Order.SIZE:
            output = self._output(page.view, page.rows[line])
            row = output_row(output, page.most, width, bar=bar, here=here, folder=self.folder)
        else:
            group = page.groups[line]
            largest = page.view.id(group.weight.worst) if group.weight.worst is not None else None
            row = group_row(
                group, page.order, largest, page.most, width, bar=bar, here=here, known=seen_by_a_model(page.view)
            )
        return row, self.surface(here)

    def _output(self, view: SessionView, row: int) -> Output:
        evidence, call = self._evidence.get(row), view.peer_row(row)
        if evidence is None and not self._asked:
            self._asked = True
            self.call_after_refresh(self._ask)
        return Output(
            view.id(row), view.tool(row), view.flags(row), view.bytes(row), view.model_bytes(row), evidence,
            None if call is None else self._evidence.get(call), seen_by_a_model(view),
        )  # fmt: skip

    def _ask(self) -> None:
        page = self.page
        if page is None or page.order is not Order.SIZE:
            self._asked = False
            return
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        near = page.rows[max(0, top - AHEAD) : top + height + AHEAD]
        wanted = tuple(row for row in near if row not in self._evidence)
        self._asked = bool(wanted)
        if wanted:
            self.post_message(self.Wanted(page.view, wanted))
