"""The lines that could not be read or do not fit into their chain: where they are, why, and what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from textual import on
from textual.containers import Vertical
from textual.reactive import reactive

from unspool.text import clean
from unspool_tui.present import marks, numbers
from unspool_tui.present.cells import BLANK, Row, fit, wrap
from unspool_tui.screens.card import CardScreen
from unspool_tui.widgets.form_foot import CardTitle
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from unspool.columns.chain import BrokenLink
    from unspool.sources.record import Unreadable
    from unspool.views.view import SessionView
    from unspool_tui.gateway import Gateway
    from unspool_tui.messages.failed import Failed
    from unspool_tui.messages.reading import RecordRead

RAW_ROWS = 7
_REASONS: Final = {"content": "changed", "order": "out of order"}
"""What is wrong with a record of a chain, in a person's words."""


class UnreadableScreen(CardScreen):
    """Lists unreadable lines, and shows the one under the cursor raw."""

    DEFAULT_CSS = f"""
    UnreadableScreen > Vertical {{ height: 22; max-height: 100%; }}
    UnreadableScreen RawRecord {{ height: {RAW_ROWS}; }}
    UnreadableScreen UnreadableList {{ height: 1fr; }}
    UnreadableScreen.reading UnreadableList {{ height: 3; }}
    UnreadableScreen.reading RawRecord {{ height: 1fr; }}
    """

    def __init__(self, gateway: Gateway, view: SessionView) -> None:
        super().__init__()
        self._gateway = gateway
        self._view = view

    def compose(self) -> ComposeResult:
        """Put the list above the raw line."""
        with Vertical():
            title = _title(len(self._view.unreadable), len(self._view.broken_links or ()))
            yield CardTitle(title, also=("list.open", "shows more of it, or less"))
            yield UnreadableList(self._view.faults)
            yield RawRecord()

    def on_mount(self) -> None:
        """Show the first one."""
        self._read(0)

    @on(RecordList.Moved)
    def _moved(self, event: RecordList.Moved) -> None:
        self._read(event.index)

    @on(RecordList.Opened)
    def _opened(self) -> None:
        """Give the raw line the room of the list, or take it back."""
        self.toggle_class("reading")

    def on_record_read(self, event: RecordRead) -> None:
        """Show the raw line."""
        self.query_one(RawRecord).text = clean(event.text, newline=False)

    def on_failed(self, event: Failed) -> None:
        """Say why there is nothing to see."""
        self.query_one(RawRecord).text = clean(event.said, newline=False)

    def _read(self, index: int) -> None:
        self._gateway.read_record(self, self._view, self._view.faults[index].line)


def _title(unreadable: int, broken: int) -> str:
    words = [f"{numbers.plural(unreadable, 'line')} could not be read"] if unreadable else []
    return ", ".join(words + [f"{numbers.plural(broken, 'record')} out of the chain"] * bool(broken))


class UnreadableList(RecordList):
    """One row per line with a fault."""

    ground = "raised"

    def __init__(self, lines: Sequence[Unreadable | BrokenLink]) -> None:
        super().__init__()
        self._unreadable = lines

    def on_mount(self) -> None:
        """Show the lines."""
        super().on_mount()
        self.renew()

    def record_count(self) -> int:
        """Return how many there are."""
        return len(self._unreadable)

    def paint(self, line: int, width: int, *, here: bool) -> tuple[Row, str]:
        """Return a row."""
        each = self._unreadable[line]
        bar = (marks.BAR, "accent") if here else BLANK
        reason = _REASONS.get(each.reason, each.reason)
        row: Row = (
            bar, ("  ", "text"), *fit([(f"line {numbers.full(each.line)}", "text" if here else "muted")], 16),
            *fit([(reason, "error")], 14), (f"at byte {numbers.full(each.offset)}", "faint"), ("  ", "text"),
            (numbers.size(each.length), "faint"),
        )  # fmt: skip
        return row, self.surface(here)


class RawRecord(Painting):
    """The beginning of a line as it is stored, cleaned."""

    ground = "bar"
    text: reactive[str] = reactive("")

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the text."""
        return [(("   ", "text"), (line, "output")) for line in wrap(self.text, width - 6, height)]
