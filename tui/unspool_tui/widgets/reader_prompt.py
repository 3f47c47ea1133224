"""The line in which words to look for in a piece are typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Horizontal
from textual.message import Message

from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.word_input import WordInput

if TYPE_CHECKING:
    from unspool_tui.present.cells import Row


class ReaderPrompt(Horizontal):
    """Hidden until words are asked for; the field is made when they first are."""

    DEFAULT_CSS = """
    ReaderPrompt { height: 1; display: none; }
    ReaderPrompt.asking { display: block; }
    ReaderPrompt > Slash { width: 4; }
    """

    class Answered(Message):
        """Words were typed, or given up (`None`)."""

        def __init__(self, words: str | None) -> None:
            super().__init__()
            self.words = words

    @property
    def asking(self) -> bool:
        """Whether words are being typed."""
        return self.has_class("asking")

    def ask(self, words: str) -> None:
        """Ask for words, beginning with those looked for last."""
        if not self.children:
            self.mount(Slash(), WordInput("search in this piece", ground="rail"))
        field = self.query_one(WordInput)
        field.value = words
        field.cursor_position = len(words)
        self.add_class("asking")
        self.screen.set_focus(field)  # at once: the next key is meant for it

    @on(WordInput.Left)
    def _left(self, event: WordInput.Left) -> None:
        event.stop()
        if self.asking:
            self.remove_class("asking")
            self.post_message(self.Answered(event.field.value if event.kept else None))

    def on_descendant_blur(self) -> None:
        """What is clicked away is given up."""
        if self.asking:
            self.remove_class("asking")


class Slash(Painting):
    """The slash before the field."""

    ground = "rail"

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the slash."""
        return [(("  / ", "accent bold"),)]
