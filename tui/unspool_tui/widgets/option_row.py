"""One row of a form in which one of some options is chosen, by key or mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.message import Message
from textual.reactive import reactive

from unspool_tui.keymap import bindings
from unspool_tui.present.form_rows import option_row
from unspool_tui.widgets.painting import Painting

if TYPE_CHECKING:
    from textual import events

    from unspool_tui.present.cells import Row


class OptionRow(Painting, can_focus=True):
    """A label and its options; `Changed` tells when a person chose another one."""

    DEFAULT_CSS = "OptionRow { height: 1; }"
    BINDINGS = bindings("form.next", "form.previous", "option.next", "option.previous", "form.done")
    ground = "raised"

    options: reactive[Sequence[str]] = reactive(())
    chosen: reactive[int] = reactive(0)
    remark: reactive[Row] = reactive(())
    """What stands behind the options."""

    class Changed(Message):
        """Another option was chosen."""

        def __init__(self, row: OptionRow) -> None:
            super().__init__()
            self.row = row

        @property
        def control(self) -> OptionRow:
            """The row."""
            return self.row

    class Left(Message):
        """The person goes on: by so many rows, or is done with the whole form (0)."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def __init__(self, label: str, options: Sequence[str], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._label = label
        self.set_reactive(OptionRow.options, options)

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the row."""
        return [option_row(self._label, self.options, self.chosen, lit=self.has_focus, remark=self.remark)[0]]

    def action_option(self, by: int) -> None:
        """Choose the next option, or the one before."""
        self._choose((self.chosen + by) % len(self.options))

    def action_form(self, by: int) -> None:
        """Go to another row, or be done."""
        self.post_message(self.Left(by))

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked option."""
        for spot in option_row(self._label, self.options, self.chosen, lit=True)[1]:
            if spot.start <= event.x < spot.stop:
                self._choose(spot.option)

    def on_focus(self) -> None:
        """Light the label."""
        self.refresh()

    def on_blur(self) -> None:
        """Dim the label."""
        self.refresh()

    def _choose(self, option: int) -> None:
        if option != self.chosen:
            self.chosen = option
            self.post_message(self.Changed(self))
