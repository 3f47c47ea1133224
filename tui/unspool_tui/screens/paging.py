"""Reading a piece in a program of the person's own, which has the terminal meanwhile."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.present import numbers
from unspool_tui.screens.room import Room
from unspool_tui.widgets.hints import key_for

if TYPE_CHECKING:
    from unspool_tui.messages.taking import PieceWritten


class Paging(Room):
    """The command that opens a piece elsewhere."""

    BINDINGS = bindings("pager.open")

    def action_page_out(self) -> None:
        """Write the piece as the reader shows it, and open it when that is done."""
        from unspool_tui.outbox.pages import Shown, page_out

        if self.view is None or self.row is None:
            return
        position = self.reader.position
        shown = Shown(self.view.id(self.row), self.reader.model_view, self.reader.raw)
        self.wait_for("page", (("opening ", "muted"), (f"{shown.piece}", "text"), (" …", "muted")))
        page_out(self, self.view, shown, position[0] if position is not None else None)

    def on_piece_written(self, event: PieceWritten) -> None:
        """Lend the terminal, unless the person went on meanwhile, and take the file away afterwards."""
        from unspool_tui import pager

        if not self.arrived("page"):
            event.scratch.close()
            return
        try:
            with self.app.suspend():
                said = pager.run(event.command, pause=partial(_wait, event.command[0]))
        except SuspendNotSupported:
            said = "this terminal cannot be lent to another program"
        finally:
            event.scratch.close()
        if said:
            self.complain(said)
        elif event.left:
            key = key_for(self.app, "export.open")
            left = f"{numbers.size(event.left)} at the end were left out; "
            self.say(((left, "muted"), (key, "text bold"), (" exports all", "muted")))


def _wait(name: str) -> None:
    """Keep what a program left on the terminal in sight, until a person has read it."""
    sys.stdout.write(f"\n{clean(name, newline=False)} has ended; enter goes back to unspool ")
    sys.stdout.flush()
    os.read(sys.stdin.fileno(), 1024)
