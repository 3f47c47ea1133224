"""What a person takes away of a session without opening it: its reference, the command that goes on, an export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool_tui.keymap import bindings
from unspool_tui.outbox.copies import take_resume
from unspool_tui.present.offered import Offered
from unspool_tui.present.titles import title_of_view
from unspool_tui.screens.export_dialog import ExportDialog
from unspool_tui.screens.path_opening import PathOpening

if TYPE_CHECKING:
    from unspool.library.summary import SessionSummary
    from unspool_tui.messages.taking import SessionLent, TextTaken


class SessionTaking(PathOpening):
    """Takes the session under the cursor; a subclass says which that is."""

    BINDINGS = bindings("copy.reference", "copy.resume", "export.open")

    @property
    def summary(self) -> SessionSummary | None:
        """The session under the cursor."""
        raise NotImplementedError

    def action_take_reference(self) -> None:
        """Copy the reference of the session."""
        if self.summary is not None:
            reference = str(self.summary.ref)
            self.copy_out(reference, self.whole_or(reference, "the reference of this session"))

    def action_take_resume(self) -> None:
        """Copy the command that goes on with the session."""
        if self.summary is not None:
            take_resume(self, self.summary)

    def on_text_taken(self, event: TextTaken) -> None:
        """Put the command onto the clipboard."""
        self.copy_out(event.text, self.resume_told(event.text))

    def action_export(self) -> None:
        """Read the session, to be exported."""
        if self.summary is not None:
            self.wait_for("lend", (("reading the session …", "muted"),))
            self.gateway.lend(self, self.summary)

    def on_session_lent(self, event: SessionLent) -> None:
        """Ask what of it is to be exported, unless the person went on meanwhile."""
        if self.arrived("lend"):
            offered = Offered(event.view, title_of_view(event.view, event.summary))
            self.app.push_screen(ExportDialog(self.gateway, offered))
