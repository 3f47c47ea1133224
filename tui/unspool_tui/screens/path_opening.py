"""Opening what no list names: a file, a folder, a reference or an id, typed and completed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from textual import on

from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.copying import Copying
from unspool_tui.widgets.prompt_line import PromptLine
from unspool_tui.widgets.word_input import WordInput

if TYPE_CHECKING:
    from unspool_tui.gateway import Gateway
    from unspool_tui.messages.failed import Failed
    from unspool_tui.messages.listing import PathsListed
    from unspool_tui.messages.session import SessionOpened
    from unspool_tui.present.cells import Row
    from unspool_tui.screens.clock import Clock


class PathOpening(Copying):
    """Asks for a path at its foot; a subclass composes a `PromptLine`."""

    BINDINGS = bindings("sessions.open")

    def __init__(self, gateway: Gateway, clock: Clock) -> None:
        super().__init__()
        self.gateway = gateway
        self.clock = clock

    def action_open_path(self) -> None:
        """Ask for a path."""
        self.ask("open", "a session's file, a reference, or an id")

    @on(PromptLine.Answered)
    def _path_given(self, event: PromptLine.Answered) -> None:
        if event.answer is None:
            self.use(self.pane)
        else:
            self.wait_for("open", (("opening …", "muted"),))
            self.gateway.open(self, os.path.expanduser(event.answer))

    def tell_awaited(self, row: Row) -> None:
        """Say it beside the path where that is typed: the question lies over the key bar."""
        prompt = self.query_one(PromptLine)
        if prompt.asking:
            prompt.tell(row)
        else:
            super().tell_awaited(row)

    def on_session_opened(self, event: SessionOpened) -> None:
        """Show the session that was asked for, unless the person went on meanwhile."""
        if not self.arrived("open"):
            return
        self.query_one(PromptLine).close()
        self.use(self.pane)
        self.app.push_screen(BrowseScreen(self.gateway, str(event.view.ref), None, clock=self.clock, opened=event))

    @on(WordInput.Completing)
    def _path_begun(self, event: WordInput.Completing) -> None:
        self.gateway.list_paths(self, event.typed)

    def on_paths_listed(self, event: PathsListed) -> None:
        """Offer what completes the path, unless it was typed on."""
        field = self.query_one(PromptLine).query_one(WordInput)
        if field.value == event.typed:
            field.offer(event.paths)

    def on_failed(self, event: Failed) -> None:
        """Say what did not work, where it was asked for."""
        self.arrived(event.question)
        if event.question == "open" and self.query_one(PromptLine).asking:
            self.query_one(PromptLine).complain(clean(event.said, newline=False))
        else:
            self.complain(event.said)
