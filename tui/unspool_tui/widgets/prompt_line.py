"""A question at the bottom of the screen: where to go, what to open."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive

from unspool_tui.present.cells import BLANK, Row
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.word_input import WordInput


class PromptLine(Horizontal):
    """Hidden until something is asked."""

    DEFAULT_CSS = """
    PromptLine { height: 1; dock: bottom; background: $u-raised; display: none; layer: above; }
    PromptLine.asking { display: block; }
    PromptLine > Asked { width: 12; }
    PromptLine > WordInput, PromptLine > WordInput:focus { background: $u-raised; }
    """

    class Answered(Message):
        """A question was answered, with `None` when it was dismissed."""

        def __init__(self, question: str, answer: str | None) -> None:
            super().__init__()
            self.question = question
            self.answer = answer

    def compose(self) -> ComposeResult:
        """Put the question before the field."""
        yield Asked()
        yield WordInput()

    @property
    def asking(self) -> bool:
        """Whether a question waits for its answer."""
        return self.has_class("asking")

    def ask(self, question: str, hint: str) -> None:
        """Ask; the answer comes as `Answered` with this question."""
        field = self.query_one(WordInput)
        asked = self.query_one(Asked)
        asked.question = question
        asked.styles.width = len(question) + 3
        field.placeholder = hint
        field.value = ""
        self.add_class("asking")
        field.focus()

    @on(WordInput.Left)
    def _left(self, event: WordInput.Left) -> None:
        event.stop()
        self.remove_class("asking")
        answer = event.field.value.strip()
        self.post_message(self.Answered(self.query_one(Asked).question, answer if event.kept and answer else None))

    def on_descendant_blur(self) -> None:
        """A question that is clicked away is dismissed."""
        if self.asking:
            self.remove_class("asking")


class Asked(Painting):
    """The question."""

    ground = "raised"
    question: reactive[str] = reactive("")

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the question."""
        return [(BLANK, (self.question, "accent bold"), BLANK)]
