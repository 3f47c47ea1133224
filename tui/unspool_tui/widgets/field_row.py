"""One row of a form in which something is typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input

from unspool_tui.keymap import bindings
from unspool_tui.present.form_rows import LABEL_WIDTH, label_cells
from unspool_tui.widgets.option_row import OptionRow
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.word_input import WordInput

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from unspool_tui.present.cells import Row


class FieldRow(Horizontal):
    """A label and a field; `Changed` tells what was typed."""

    DEFAULT_CSS = f"""
    FieldRow {{ height: 1; }}
    FieldRow > Label {{ width: {LABEL_WIDTH}; }}
    FieldRow > FormField {{ margin: 0 3 0 1; }}
    """

    class Changed(Message):
        """Something else was typed."""

        def __init__(self, row: FieldRow) -> None:
            super().__init__()
            self.row = row

        @property
        def control(self) -> FieldRow:
            """The row."""
            return self.row

    def __init__(self, label: str, hint: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._label = label
        self._hint = hint

    def compose(self) -> ComposeResult:
        """Put the label before the field."""
        yield Label(self._label)
        yield FormField(self._hint, ground="raised")

    @property
    def field(self) -> FormField:
        """The field, which takes the focus."""
        return self.query_one(FormField)

    @property
    def value(self) -> str:
        """What stands in the field, without blanks around it."""
        return self.field.value.strip()

    def write(self, value: str) -> None:
        """Put something else into the field, without telling; of a long one the end is in sight."""
        with self.prevent(Input.Changed):
            self.field.value = value
            self.field.cursor_position = len(value)
        self.call_after_refresh(self.field.scroll_to, x=len(value), animate=False)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed(self))

    def on_descendant_focus(self) -> None:
        """Light the label."""
        self.query_one(Label).lit = True

    def on_descendant_blur(self) -> None:
        """Dim the label."""
        self.query_one(Label).lit = False


class FormField(WordInput):
    """A field among other rows: its arrows lead to them."""

    BINDINGS = bindings("form.next", "form.previous")

    def action_form(self, by: int) -> None:
        """Go to another row."""
        self.post_message(OptionRow.Left(by))


class Label(Painting):
    """The words before the field."""

    ground = "raised"

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the words."""
        return [label_cells(self._words, lit=self.lit)]
