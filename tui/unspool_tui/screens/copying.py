"""Copying: whatever is put onto the clipboard goes through here, and the person is told where it went."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from unspool.text import clean, size, utf8
from unspool_tui.clipboard import COPIED_BYTES, TERMINAL_BYTES, told_way
from unspool_tui.outbox.copies import copy
from unspool_tui.present import numbers
from unspool_tui.present.cells import GAP, Row
from unspool_tui.present.width import cell_len
from unspool_tui.screens.awaiting import Awaiting

if TYPE_CHECKING:
    from unspool_tui.messages.taking import Copied

WORDS_AROUND: Final = 12
"""Cells that `copied` and the blanks around it take."""

SELECTION: Final[Row] = (("the selection", "text"),)


class Copying(Awaiting):
    """A screen that things can be copied from."""

    _copying = 0
    """What was `heard` when the copy was asked for."""

    def begin_copy(self) -> None:
        """Take note that a copy is asked for now; it may come later, when the person has gone on."""
        self._copying = self.heard

    @property
    def went_on(self) -> bool:
        """Whether the person went on since a copy was asked for."""
        return self._copying != self.heard

    def copy_out(self, text: str, told: Row, *, exact: bool = False) -> None:
        """Copy a text, cleaned unless a person asked for it as it is; `told` names it."""
        text = text if exact else clean(text)
        if size(text) > COPIED_BYTES:
            self.refuse_copy(size(text), "a clipboard")
        else:
            copy(self, text, told)

    def on_copied(self, event: Copied) -> None:
        """Ask the terminal where no program took the text, and say what was done."""
        length = size(event.text)
        if event.by is None and length > TERMINAL_BYTES:
            self.refuse_copy(length, "the terminal")
            return
        if event.by is None:
            self.app.copy_to_clipboard(utf8(event.text).decode())
        done, where = told_way(event.by, os.environ)
        self.say(((f"{done} ", "muted"), *event.told, GAP, (numbers.size(length), "text"), GAP, (where, "faint")))

    def whole_or(self, text: str, words: str) -> Row:
        """Return a text where the key bar has room for all of it, else words for it: a part of it would mislead."""
        whole = clean(text, newline=False)
        return ((whole if cell_len(whole) <= self.app.size.width // 2 - WORDS_AROUND else words, "text"),)

    def resume_told(self, command: str) -> Row:
        """Name the command that goes on with a session, and say when it does not go to the session's folder."""
        if command.startswith("cd "):
            return self.whole_or(command, "the command that resumes it")
        return self.whole_or(f"{command}  alone: its folder is gone", "the command; folder is gone")

    def refuse_copy(self, length: int, taker: str) -> None:
        """Say that a text is too long to be copied, and offer a file."""
        self.say(((f"{numbers.size(length)} is more than {taker} takes", "muted"),))


def reference_told(reference: str) -> Row:
    """Name a reference by its piece, which is what tells it from others of the session: all of it is too long."""
    return (("the reference of ", "muted"), (reference.rpartition("/")[2].partition("@")[0], "text"))
