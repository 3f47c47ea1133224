"""A look at a whole session from another side: a list over it that leads back to its pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import on

from unspool.dataclass import dataclass
from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.present.bars import Top
from unspool_tui.screens.copying import Copying, reference_told
from unspool_tui.widgets.filter_line import FilterLine
from unspool_tui.widgets.key_bar import KeyBar
from unspool_tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from textual.timer import Timer

    from unspool.ids import EvidenceId
    from unspool.views.view import SessionView
    from unspool_tui.gateway import Gateway
    from unspool_tui.messages.failed import Failed
    from unspool_tui.messages.taking import TextTaken
    from unspool_tui.screens.clock import Clock

GROWN_EVERY: Final = 1.0
"""Seconds between two looks through a session that grows: each is one through all of it."""


@dataclass(frozen=True, slots=True)
class Whose:
    """The session that is looked at: its title, and facts for the top bar."""

    title: str
    facts: tuple[str, ...] = ()


class Lens(Copying):
    """A list with a filter over one session, which may still be read when the screen opens.

    A subclass composes a `TopBar`, a `FilterLine`, a list `#<pane>` and a `KeyBar`, and begins in `begin`. Where it
    leads, the screen below asks for in `goal` after it was left.
    """

    PLACE: ClassVar[str] = ""
    """Its name in the trail."""
    BINDINGS = bindings("filter.edit", "copy.reference", "export.open")

    def __init__(self, gateway: Gateway, clock: Clock, whose: Whose, view: SessionView | None) -> None:
        super().__init__()
        self.gateway = gateway
        self.clock = clock
        self.view = view
        self._whose = whose
        self.generation = 0
        self._growing: Timer | None = None
        self._is_there = False
        """Whether its rows have a place; the session may come before, and grow."""

    def begin(self) -> None:
        """Show what there is of the session: `view` is there."""
        raise NotImplementedError

    def wait(self) -> None:
        """Say that the session is still being read."""
        raise NotImplementedError

    def reference(self) -> EvidenceId | None:
        """Return the piece that the row under the cursor stands for."""
        raise NotImplementedError

    def light(self, *, lit: bool) -> None:
        """Show whether the list has the focus."""
        raise NotImplementedError

    def filtered(self, words: str) -> None:
        """Apply other filter words."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Begin, or wait for the session."""
        self._is_there = True
        self.query_one(TopBar).top = Top((self._whose.title, self.PLACE), facts=self._whose.facts)
        self.use(self.PANES[0])
        if self.view is None:
            self.wait()
        else:
            self.begin()

    def take(self, view: SessionView) -> None:
        """Take the session that was waited for."""
        if self.view is None:
            self.view = view
            if self._is_there:
                self.begin()

    def grow(self, view: SessionView) -> None:
        """Take what the session is by now; a list that is looked through again is that once in a while."""
        if self.view is None:
            return
        if not self._is_there:
            self.view = view
            return
        if view.common_rows(self.view) < self.view.rows:
            self.forget()
        self.view = view
        if self._growing is None:
            self._growing = self.set_timer(GROWN_EVERY, self._show_grown)

    def _show_grown(self) -> None:
        self._growing = None
        self.grown()

    def forget(self) -> None:
        """Forget what is known of rows: they are others now."""
        raise NotImplementedError

    def grown(self) -> None:
        """Show the session as it is by now; the cursor stays."""
        raise NotImplementedError

    def entered(self, pane: str) -> None:
        """Show the keys of what has the focus."""
        typing = self.query_one(FilterLine).typing
        self.query_one(KeyBar).pane = "filter" if typing else pane
        self.light(lit=not typing)

    def on_descendant_blur(self) -> None:
        """Follow the focus out of the filter line."""
        self.call_after_refresh(self.entered, self.pane)

    def on_failed(self, event: Failed) -> None:
        """Say what did not work, where it was asked for."""
        said = clean(event.said, newline=False)
        if event.question == "choose" and event.generation == self.generation:
            self.query_one(FilterLine).say(((said, "error"),))
        elif event.question != "choose":
            self.complain(said)

    def action_find(self) -> None:
        """Type a filter."""
        self.query_one(FilterLine).edit()

    def action_take_reference(self) -> None:
        """Copy a reference to the piece that the row under the cursor stands for."""
        wanted = self.reference()
        if self.view is not None and wanted is not None:
            self.gateway.take_reference(self, self.view, wanted, None)

    def action_export(self) -> None:
        """Ask what is to be exported: the session, or the piece that the row under the cursor stands for."""
        from unspool_tui.present.offered import Offered
        from unspool_tui.screens.export_dialog import ExportDialog

        if self.view is not None:
            offered = Offered(self.view, self._whose.title, piece=self.reference())
            self.app.push_screen(ExportDialog(self.gateway, offered))

    def on_text_taken(self, event: TextTaken) -> None:
        """Put it onto the clipboard."""
        self.copy_out(event.text, reference_told(clean(event.text, newline=False)))

    def action_back(self) -> None:
        """Clear the filter, or go back to the session."""
        line = self.query_one(FilterLine)
        if line.words:
            line.write("")
            self.filtered("")
        else:
            self.dismiss()

    def action_leave(self) -> None:
        """Go back to the session."""
        self.dismiss()

    @on(FilterLine.Changed)
    def _filter_changed(self, event: FilterLine.Changed) -> None:
        self.filtered(event.words)

    @on(FilterLine.Left)
    def _filter_left(self) -> None:
        self.use(self.PANES[0])
