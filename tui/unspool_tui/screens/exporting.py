"""Exporting what a person reads: the dialog, and what it begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool_tui.keymap import bindings
from unspool_tui.present import numbers
from unspool_tui.present.titles import title_of_view
from unspool_tui.screens.room import Room

if TYPE_CHECKING:
    from unspool_tui.present.offered import Offered


class Exporting(Room):
    """The command that exports, and the file that is offered for what is too long to be copied."""

    BINDINGS = bindings("export.open")

    def action_export(self) -> None:
        """Ask what is to be exported, of a list that is searched when something of it is known."""
        from unspool_tui.screens.export_dialog import ExportDialog

        offered = self._offered_export()
        if offered is not None and self.asked[1] and not self.answered:
            self.when_known("opens the export", self.action_export)
        elif offered is not None:
            self.app.push_screen(ExportDialog(self.gateway, offered))

    def refuse_copy(self, length: int, taker: str) -> None:
        """Offer a file for the piece whose text is too long to be copied, unless the person went on meanwhile."""
        from unspool_tui.present.offered import Scope
        from unspool_tui.screens.export_dialog import ExportDialog

        offered = self._offered_export()
        if offered is None or offered.piece is None or self.went_on:
            super().refuse_copy(length, taker)
            return
        note = f"{numbers.size(length)} is more than {taker} takes; a file takes it"
        self.app.push_screen(ExportDialog(self.gateway, offered, scope=Scope.PIECE, full=True, note=note))

    def _offered_export(self) -> Offered | None:
        from unspool_tui.present.offered import Offered, turn_of

        view, choice = self.view, self.choice
        if view is None:
            return None
        filter, query = self.asked
        rows = choice.listing.without_guest().rows if choice is not None and query else None
        return Offered(
            view,
            title_of_view(view, self.summary),
            filter=filter if self.filter_line.words.strip() and not query else None,
            rows=rows,
            turn=turn_of(view, self.prompts, self.row) if self.row is not None else None,
            piece=view.id(self.row) if self.row is not None else None,
        )
