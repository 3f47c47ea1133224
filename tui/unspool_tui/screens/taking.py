"""Taking something away: references and texts onto the clipboard."""

from __future__ import annotations

from typing import Final

from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.messages import TextTaken
from unspool_tui.present import numbers
from unspool_tui.screens.room import Room

SESSION_SHOWN: Final = 16
"""Characters of the session in the note of what was copied."""


class Taking(Room):
    """The commands that copy."""

    BINDINGS = bindings("copy.reference", "copy.text")

    def action_take_reference(self) -> None:
        """Copy a reference to the piece, with its digest."""
        if self.view is not None and self.row is not None:
            self.gateway.take_reference(self, self.view, self.view.id(self.row), None)

    def action_take_text(self) -> None:
        """Copy the text of the piece, cleaned."""
        if self.view is not None and self.row is not None:
            self.gateway.take_text(self, self.view, self.view.id(self.row))

    def on_text_taken(self, event: TextTaken) -> None:
        """Put it onto the clipboard, and say what went there."""
        if event.what == "reference":
            reference = clean(event.text, newline=False)
            self.app.copy_to_clipboard(reference)
            session, _, piece = reference.rpartition("/")
            told = (f"{piece.partition('@')[0]}  ", "text"), (f"{session[:SESSION_SHOWN]}/…", "muted")
            self.say((("copied ", "muted"), *told))
        elif event.bytes and not event.text:
            self.say(((f"{numbers.size(event.bytes)} is more than a clipboard takes", "muted"),))
        else:
            self.app.copy_to_clipboard(clean(event.text))
            self.say((("copied the text  ", "muted"), (numbers.size(event.bytes), "text")))
