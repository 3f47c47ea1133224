"""Taking something away from a session: references, texts, and the command that goes on with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.present.cells import GAP, Row
from unspool_tui.screens.copying import reference_told
from unspool_tui.screens.exporting import Exporting
from unspool_tui.screens.paging import Paging
from unspool_tui.widgets.hints import key_for

if TYPE_CHECKING:
    from unspool.ids import EvidenceId
    from unspool_tui.messages.taking import TextTaken

EXACT: Final = "Copy it with everything in it?"
RISK: Final = (
    "The text holds characters that a screen does not show: escape sequences, tabs, controls.",
    "Pasted into a terminal as it is, it may act there.",
)


class Taking(Exporting, Paging):
    """The commands that copy, and those that hand a piece to something else."""

    BINDINGS = bindings("copy.reference", "copy.text", "copy.resume")

    _cleaned: EvidenceId | None = None
    """The piece whose text was copied last, if that was not all of it."""

    def action_take_reference(self) -> None:
        """Copy a reference to the piece, with its digest."""
        if self.view is not None and self.row is not None:
            self._cleaned = None
            self.gateway.take_reference(self, self.view, self.view.id(self.row), None)

    def action_take_text(self) -> None:
        """Copy the text of the piece, cleaned; asked for again, as it is, after a question."""
        if self.view is None or self.row is None:
            return
        wanted = self.view.id(self.row)
        if wanted == self._cleaned:
            self._cleaned = None
            from unspool_tui.screens.asking import AskScreen

            self.app.push_screen(AskScreen(EXACT, RISK), lambda sure: self._take_exact(wanted) if sure else None)
        else:
            self._cleaned = None
            self.begin_copy()
            self.gateway.take_text(self, self.view, wanted)

    def action_take_resume(self) -> None:
        """Copy the command that goes on with the session."""
        if self.view is not None:
            from unspool_tui.outbox.copies import take_resume

            take_resume(self, self.view)

    def on_text_taken(self, event: TextTaken) -> None:
        """Put it onto the clipboard."""
        if event.what == "reference":
            self.copy_out(event.text, reference_told(clean(event.text, newline=False)))
        elif event.what == "resume":
            self.copy_out(event.text, self.resume_told(event.text))
        elif event.bytes and not event.text:
            self.refuse_copy(event.bytes, "a clipboard")
        elif event.what == "exact":
            self.copy_out(event.text, ((f"{event.piece} as it is", "text"),), exact=True)
        else:
            self._copy_text(event)

    def _copy_text(self, event: TextTaken) -> None:
        told: Row = ((f"the {event.what} of {event.piece}", "text"),)
        if clean(event.text) != event.text:
            self._cleaned = event.piece
            key = key_for(self.app, "copy.text")
            told = (*told, GAP, ("cleaned; ", "muted"), (key, "text bold"), (" again: as it is", "muted"))
        self.copy_out(event.text, told)

    def _take_exact(self, wanted: EvidenceId) -> None:
        if self.view is not None:
            self.begin_copy()
            self.gateway.take_text(self, self.view, wanted, exact=True)
