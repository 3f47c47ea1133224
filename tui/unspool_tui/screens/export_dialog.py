"""The export dialog: which pieces, in which format, with or without secrets, into which file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from threading import Event
from typing import TYPE_CHECKING, Final

from textual import on
from textual.containers import Vertical

from unspool.errors import UnspoolError
from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.messages.failed import Failed
from unspool_tui.messages.listing import PathsListed
from unspool_tui.messages.taking import (
    ExportCounted,
    ExportEnded,
    ExportMoved,
    ExportRefused,
    FolderOffered,
    PlaceKnown,
)
from unspool_tui.outbox.exports import count, export, look_at, offer_folder, usual_name
from unspool_tui.present.export_told import (
    done_told,
    given_up,
    giving_up,
    moving_told,
    secrets_told,
    shortened,
    waiting_told,
)
from unspool_tui.present.offered import Offered, Scope
from unspool_tui.screens.asking import AskScreen
from unspool_tui.screens.card import CardScreen
from unspool_tui.widgets.export_form import ExportForm
from unspool_tui.widgets.form_foot import CardTitle, FormKeys, FormTold, Keys
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.option_row import OptionRow
from unspool_tui.widgets.word_input import WordInput

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from unspool_tui.gateway import Gateway
    from unspool_tui.present.cells import Row

QUIET_SECONDS: Final = 0.15
"""Seconds without a change after which pieces are counted and the place is looked at."""

KEYS: Final[Keys] = (
    (("form.done",), "exports"), (("form.previous", "form.next"), "row"),
    (("option.previous", "option.next"), "choose"), (("filter.complete",), "completes"), (("card.close",), "closes"),
)  # fmt: skip
BUSY_KEYS: Final[Keys] = ((("card.close",), "gives up"),)
DONE_KEYS: Final[Keys] = ((("ask.yes",), "closes"),)

REPLACED: Final = ("What is in it now is lost.",)


class ExportDialog(CardScreen):
    """A form over a session. It opens no file itself; escape closes it, and gives up an export that runs."""

    DEFAULT_CSS = """
    ExportDialog > Vertical { height: auto; max-height: 100%; }
    """
    BINDINGS = bindings("ask.yes")

    def __init__(
        self, gateway: Gateway, offered: Offered, *, scope: Scope = Scope.SESSION, full: bool = False, note: str = ""
    ) -> None:
        super().__init__()
        self._gateway = gateway
        self._offered = offered
        self._start = (scope, full)
        self._note = note
        self._generation = 0
        self._found: ExportCounted | None = None
        self._place = PlaceKnown(0, "", False)
        self.busy = self._done = False
        self._given_up = Event()

    def compose(self) -> ComposeResult:
        """Put title, form and what is said about it below each other."""
        scope, full = self._start
        with Vertical():
            yield CardTitle(f"Export  {self._offered.title}", closes=False)
            yield ExportForm(self._offered, scope, full=full)
            yield FormTold()
            yield FormKeys()

    def on_mount(self) -> None:
        """Look for a folder."""
        offer_folder(self)
        self._renew()

    def on_folder_offered(self, event: FolderOffered) -> None:
        """Offer a file there, unless something was typed meanwhile."""
        if not self._form.path:
            path = os.path.join(event.folder, usual_name(self._offered.view.ref, self._form.format))
            self._form.path = clean(shortened(path, os.path.expanduser("~")), newline=False)
            self._renew()

    # What is wanted.

    @on(ExportForm.Changed)
    def _changed(self) -> None:
        self._note = ""
        self._renew()

    def _renew(self) -> None:
        """Count and look anew when nothing more is changed for a moment."""
        self._generation += 1
        generation = self._generation
        self._found, self._place = None, PlaceKnown(generation, "", False)
        self._tell()
        self.set_timer(QUIET_SECONDS, lambda: self._look(generation))

    def _look(self, generation: int) -> None:
        if generation != self._generation or self.busy or self._done:
            return
        look_at(self, self._form.path, generation)
        try:
            count(self, self._offered.view, self._form.order(), generation)
        except UnspoolError:
            self._tell()

    def on_export_counted(self, event: ExportCounted) -> None:
        """Say how many pieces and secrets there are."""
        if event.generation == self._generation:
            self._found = event
            self._tell()

    def on_place_known(self, event: PlaceKnown) -> None:
        """Say what is in the way."""
        if event.generation == self._generation:
            self._place = event
            self._tell()

    @on(WordInput.Completing)
    def _path_begun(self, event: WordInput.Completing) -> None:
        if event.field is self._form.path_field:
            self._gateway.list_paths(self, event.typed)

    def on_paths_listed(self, event: PathsListed) -> None:
        """Offer what completes the path, unless it was typed on."""
        field = self._form.path_field
        if field.value == event.typed:
            field.offer(event.paths)

    # What is done.

    @on(OptionRow.Left)
    def _row_left(self, event: OptionRow.Left) -> None:
        if event.by > 0:
            self.focus_next()
        elif event.by < 0:
            self.focus_previous()
        else:
            self._go()

    @on(WordInput.Left)
    def _field_left(self, event: WordInput.Left) -> None:
        if event.kept:
            self._go()
        else:
            self.action_close()

    def _go(self) -> None:
        """Write the file, after a question when there is one already."""
        if self._done:
            self.dismiss()
        elif not self.busy and not self._problem():
            if self._place.taken:
                self._ask_to_replace()
            else:
                self._write(force=False)

    def _write(self, *, force: bool) -> None:
        self.busy = True
        self._given_up = given_up = Event()
        self.workers.cancel_group(self, "count")
        path = self._form.path
        export(self, self._offered.view, self._form.order(), path, force=force, given_up=given_up.is_set)
        self._tell()

    def _ask_to_replace(self) -> None:
        name = clean(os.path.basename(self._form.path), newline=False)
        ask = AskScreen(f"Replace {name}?", REPLACED)
        self.app.push_screen(ask, lambda sure: self._write(force=True) if sure else None)

    def on_export_moved(self, event: ExportMoved) -> None:
        """Say how far it is."""
        if not self._given_up.is_set():
            self._show([moving_told(event.exported, event.total)])

    def on_export_refused(self, _: ExportRefused) -> None:
        """Ask about what came to be there meanwhile."""
        self.busy = False
        self._place = PlaceKnown(self._generation, "", True)
        self._tell()
        self._ask_to_replace()

    def on_export_ended(self, event: ExportEnded) -> None:
        """Say what was written, and leave nothing else to do; or that nothing was."""
        self.busy = False
        if not event.exported.complete:
            self._show([given_up()])
            return
        self._done = True
        self._form.display = False
        self.set_focus(None)
        self._show(done_told(event.exported, event.path, event.bytes, self.app.size.width - 8))

    def on_failed(self, event: Failed) -> None:
        """Say what did not work."""
        if event.question == "export":
            self.busy = False
        if event.question != "count" or event.generation == self._generation:
            self._place = PlaceKnown(self._generation, event.said, False)
            self._tell()

    def action_yes(self) -> None:
        """Be done."""
        self._go()

    def action_close(self) -> None:
        """Give up the export that runs, else close the card."""
        if self.busy and not self._given_up.is_set():
            self._given_up.set()
            self._show([giving_up()])
        else:
            self.dismiss()

    # What is told.

    def _problem(self) -> str:
        """Return what is in the way, empty for nothing."""
        try:
            self._form.order()
        except UnspoolError as error:
            return str(error)
        if not self._form.path:
            return "name a file to write to"
        if self._found is not None and not self._found.pieces:
            return "no piece fits"
        return self._place.said

    def _tell(self) -> None:
        found = self._found
        self._form.remark(secrets_told(found, looked_for=self._form.redacted))
        counted = (found.pieces, found.bytes) if found is not None else None
        asks = key_for(self.app, "form.done") if self._place.taken else ""
        told = waiting_told(counted, self._problem(), asks)
        self._show([told, ((self._note, "muted"),)] if not self.busy else [moving_told(None, 0)])

    def _show(self, rows: Sequence[Row]) -> None:
        self.query_one(FormTold).told = tuple(rows)
        self.query_one(FormKeys).keys = DONE_KEYS if self._done else BUSY_KEYS if self.busy else KEYS

    @property
    def _form(self) -> ExportForm:
        return self.query_one(ExportForm)
