"""The ledger: the worst outputs, what they made against what the model saw, by size, by tool, by file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical

from unspool.dataclass import dataclass
from unspool_tui.keymap import bindings
from unspool_tui.present import numbers
from unspool_tui.present.filter_words import LEDGER_HINT, LEDGER_VALUES, findable, left_over, with_named
from unspool_tui.present.ledger_rows import Group, Order, seen_by_a_model
from unspool_tui.present.weighing import Touched, Weighed
from unspool_tui.screens.lens import Lens, Whose
from unspool_tui.widgets.filter_line import FilterLine
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.key_bar import KeyBar
from unspool_tui.widgets.ledger_list import LedgerColumns, LedgerList, Page
from unspool_tui.widgets.order_bar import OrderBar
from unspool_tui.widgets.prompt_line import PromptLine
from unspool_tui.widgets.record_list import RecordList
from unspool_tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from unspool.ids import EvidenceId
    from unspool.views.view import SessionView
    from unspool_tui.gateway import Gateway
    from unspool_tui.messages.chosen import LedgerWeighed, PathsTouched, RowsRead
    from unspool_tui.screens.clock import Clock


@dataclass(slots=True)
class Left:
    """The ledger as it was left: what it showed of which view, and where the cursor was."""

    view: SessionView
    order: Order
    cursor: int
    weighed: Weighed | None
    touched: Touched | None


class LedgerScreen(Lens):
    """Weighs the outputs of a session; a row leads to its piece, a tool or a file to its outputs."""

    DEFAULT_CSS = """
    LedgerScreen { layers: base above; }
    LedgerScreen > Vertical { height: 1fr; }
    """
    NAME = "Ledger"
    PLACE = "Ledger"
    PANES = ("ledger",)
    BINDINGS = bindings("ledger.size", "ledger.tool", "ledger.file")

    def __init__(
        self, gateway: Gateway, clock: Clock, whose: Whose, view: SessionView | None, *,
        tools: Sequence[str] = (), left: Left | None = None,
    ) -> None:  # fmt: skip
        super().__init__(gateway, clock, whose, view)
        self._tools = tools
        self._left = left
        self._order = Order.SIZE
        self._weighed: Weighed | None = None
        self._touched: Touched | None = None
        self._cursor = 0
        self._narrowed: Order | None = None

    def compose(self) -> ComposeResult:
        """Put orders and filter above the list."""
        yield TopBar()
        with Vertical():
            yield OrderBar()
            yield FilterLine(LEDGER_HINT, {**LEDGER_VALUES, "tool:": self._tools})
            yield LedgerColumns()
            yield LedgerList(id="ledger")
        yield PromptLine()
        yield KeyBar()

    def begin(self) -> None:
        """Weigh everything, or go on where the ledger was left."""
        view, left = self.view, self._left
        assert view is not None  # `begin` is called when there is one
        self._list.folder = view.facts.cwd or ""
        if left is None or left.view is not view:
            self.filtered("")
            return
        self._order, self._weighed, self._touched = left.order, left.weighed, left.touched
        self.query_one(FilterLine).write(left.weighed.words if left.weighed is not None else "")
        if left.weighed is None or not left.weighed.complete:
            self.filtered(self.query_one(FilterLine).words)
        self._show(left.cursor)

    def wait(self) -> None:
        """Say that the session is still being read."""
        self._list.clear("reading the session …")

    def light(self, *, lit: bool) -> None:
        """Show whether the list has the focus."""
        self.query_one(OrderBar).lit = lit

    def filtered(self, words: str) -> None:
        """Weigh what a filter line chooses."""
        if self.view is not None:
            self.generation += 1
            self.gateway.weigh(self, self.view, words, "smart", self.generation)

    def forget(self) -> None:
        """Wait for the outputs of another text."""
        self._weighed = self._touched = None
        self.wait()

    def grown(self) -> None:
        """Weigh what there is by now."""
        self.filtered(self.query_one(FilterLine).words)

    @property
    def left(self) -> Left | None:
        """Where the ledger stands, to come back to."""
        if self.view is None:
            return None
        return Left(self.view, self._order, self._cursor, self._weighed, self._touched)

    def on_ledger_weighed(self, event: LedgerWeighed) -> None:
        """Show what was weighed."""
        if event.generation == self.generation:
            first = self._weighed is None or self._weighed.words != event.weighed.words
            page, at = self._list.page, self._cursor
            kept = page.rows[at] if page is not None and at < len(page.rows) and not first else None
            self._weighed, self._touched = event.weighed, None
            rows = event.weighed.ledger.rows
            self._show(0 if first else rows.index(kept) if kept is not None and kept in rows else at)

    def on_paths_touched(self, event: PathsTouched) -> None:
        """Show the files as far as calls were read."""
        if event.generation == self.generation:
            self._touched = event.touched
            if self._order is Order.FILE:
                self._show(self._cursor)

    def on_rows_read(self, event: RowsRead) -> None:
        """Let the list draw what was read."""
        if event.view is self.view:
            self._list.learn(event.evidence)

    @on(LedgerList.Wanted)
    def _rows_wanted(self, event: LedgerList.Wanted) -> None:
        self.gateway.read_rows(self, event.view, event.rows, "", "smart")

    @on(RecordList.Moved)
    def _moved(self) -> None:
        self._cursor = self._list.cursor

    @on(RecordList.Opened)
    def _opened(self) -> None:
        page, at = self._list.page, self._list.cursor  # what was pressed may have been in another page than this
        if page is None or not len(page):
            return
        if page.order is Order.SIZE:
            self.dismiss(page.rows[at])
        elif (word := _word(page.groups[at], page.order)) is not None:
            line = self.query_one(FilterLine)
            line.write(with_named(line.words, *word))
            self._narrowed, self._order = self._order, Order.SIZE
            self.filtered(line.words)

    @on(OrderBar.Clicked)
    def _order_clicked(self, event: OrderBar.Clicked) -> None:
        self._put_in(event.order)

    def action_back(self) -> None:
        """Clear the filter, back to the tools or files that one was chosen from; else go back to the session."""
        if self._narrowed is not None and self.query_one(FilterLine).words:
            self._order, self._narrowed = self._narrowed, None
        super().action_back()

    def action_order(self, number: int) -> None:
        """List outputs, tools or files."""
        self._put_in(list(Order)[number])

    def reference(self) -> EvidenceId | None:
        """Return the output under the cursor, of a tool or file the largest."""
        page = self._list.page
        if page is None or not len(page):
            return None
        at = self._list.cursor
        row = page.rows[at] if page.order is Order.SIZE else page.groups[at].weight.worst
        return page.view.id(row) if row is not None else None

    @property
    def _list(self) -> LedgerList:
        return self.query_one(LedgerList)

    def _put_in(self, order: Order) -> None:
        if order is not self._order:
            self._order = order
            self._show(0)

    def _show(self, cursor: int) -> None:
        """Bring list, bar and filter line in step with what is known."""
        bar, weighed, view, self._cursor = self.query_one(OrderBar), self._weighed, self.view, cursor
        bar.order = self.query_one(LedgerColumns).order = self._order
        if weighed is None or view is None:
            self.wait()
            return
        bar.total, bar.known = weighed.ledger.total, seen_by_a_model(view)
        if self._order is Order.FILE and self._touched is None:
            self._touched = Touched((), 0, len(weighed.ledger.rows))
            self.gateway.touch(self, view, weighed.ledger.rows, self.generation)
        page = self._page(view, weighed)
        self._list.note = self._note(weighed)
        self._list.show(page, cursor)
        self.query_one(FilterLine).say(self._said(weighed))

    def _page(self, view: SessionView, weighed: Weighed) -> Page:
        ledger = weighed.ledger
        if self._order is Order.SIZE:
            most = view.bytes(ledger.rows[0]) if ledger.rows else 0
            return Page(view, self._order, rows=ledger.rows, most=most)
        if self._order is Order.TOOL:
            groups = [Group(tool or "", weight) for tool, weight in ledger.tools.items()]
        else:
            groups = [Group(use.path, use.weight) for use in (self._touched.uses if self._touched is not None else ())]
        return Page(view, self._order, groups=groups, most=groups[0].weight.made if groups else 0)

    def _note(self, weighed: Weighed) -> str:
        touched = self._touched
        if not weighed.complete or (self._order is Order.FILE and touched is not None and not touched.complete):
            return "reading …"
        if weighed.words:
            return f"no output fits the filter   {key_for(self.app, 'app.back')} clears it"
        if self._order is Order.FILE and weighed.ledger.rows:
            return "no call with an output names a path"
        return "no tool put out anything in this session"

    def _said(self, weighed: Weighed) -> tuple[tuple[str, str], ...]:
        touched = self._touched
        if self._order is Order.FILE and touched is not None and not touched.complete:
            done, total = numbers.full(touched.done), numbers.full(touched.total)
            return ((f"{done} of {total} outputs looked at …", "muted"),)
        if not weighed.words or self.view is None:
            return ()
        return left_over(len(weighed.ledger.rows), self.view.counts.tool_output, None)


def _word(group: Group, order: Order) -> tuple[str, str] | None:
    """Return name and value of the filter word for a group; `None` for a tool that no word names."""
    if order is Order.FILE:
        return "path", findable(group.name)
    return ("tool", group.name) if group.name and findable(group.name) == group.name else None
