"""The form of an export: which pieces, in which format, with or without secrets, into which file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical
from textual.message import Message

from unspool.dataclass import replace
from unspool_tui.present.offered import FORMATS, Offered, Order, Scope
from unspool_tui.widgets.field_row import FieldRow
from unspool_tui.widgets.option_row import OptionRow

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from unspool.export import ExportFormat
    from unspool_tui.present.cells import Row
    from unspool_tui.widgets.word_input import WordInput


class ExportForm(Vertical):
    """Rows of choices. The format and the ending of the file's name follow each other.

    It posts `Changed`; what leads out of it (`OptionRow.Left`, `WordInput.Left`) its screen takes.
    """

    DEFAULT_CSS = "ExportForm { height: auto; }"

    class Changed(Message):
        """A person changed something."""

    def __init__(self, offered: Offered, scope: Scope, *, full: bool) -> None:
        super().__init__()
        self._offered = offered
        self._start = (scope, full)

    def compose(self) -> ComposeResult:
        """Stack the rows."""
        yield OptionRow("pieces", [scope.value for scope in self._offered.scopes], id="scope")
        yield FieldRow("from, to", "E12-E40", id="range")
        yield OptionRow("format", [words for _, words in FORMATS], id="format")
        yield OptionRow("secrets", ("left out", "kept"), id="secrets")
        yield OptionRow("long texts", ("cut", "whole"), id="texts")
        yield FieldRow("file", "where to write", id="file")

    def on_mount(self) -> None:
        """Begin with what is usual."""
        scope, full = self._start
        self._row("scope").chosen = self._offered.scopes.index(scope)
        self._row("texts").chosen = int(full)
        self._field("range").write(str(self._offered.turn or ""))
        self._show_range()
        self._row("scope").focus()

    @property
    def format(self) -> ExportFormat:
        """The chosen format."""
        return FORMATS[self._row("format").chosen][0]

    @property
    def path(self) -> str:
        """Where to write, as it was typed."""
        return self._field("file").value

    @path.setter
    def path(self, path: str) -> None:
        self._field("file").write(path)

    @property
    def path_field(self) -> WordInput:
        """The field of the path, which wants completions."""
        return self._field("file").field

    @property
    def redacted(self) -> bool:
        """Whether secrets are left out."""
        return self._row("secrets").chosen == 0

    def order(self) -> Order:
        """Return what is chosen; raises `BadReference` for a range that is none."""
        order = self._offered.order(self._scope, self._field("range").value)
        return replace(order, format=self.format, redacted=self.redacted, full=self._row("texts").chosen == 1)

    def remark(self, told: Row) -> None:
        """Say something about secrets."""
        self._row("secrets").remark = told

    @on(OptionRow.Changed, "#format")
    def _format_chosen(self) -> None:
        stem, ending = os.path.splitext(self.path)
        if ending[1:] in dict(FORMATS):
            self.path = f"{stem}.{self.format}"

    @on(FieldRow.Changed, "#file")
    def _file_typed(self) -> None:
        ending = os.path.splitext(self.path)[1][1:]
        known = [format for format, _ in FORMATS]
        if ending in known:
            self._row("format").chosen = known.index(ending)

    @on(OptionRow.Changed)
    @on(FieldRow.Changed)
    def _changed(self, event: Message) -> None:
        event.stop()
        self._show_range()
        self.post_message(self.Changed())

    @property
    def _scope(self) -> Scope:
        return self._offered.scopes[self._row("scope").chosen]

    def _show_range(self) -> None:
        self._field("range").display = self._scope is Scope.RANGE

    def _row(self, name: str) -> OptionRow:
        return self.query_one(f"#{name}", OptionRow)

    def _field(self, name: str) -> FieldRow:
        return self.query_one(f"#{name}", FieldRow)
