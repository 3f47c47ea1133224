"""A question at the bottom of the screen: where to go, what to open."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive

from unspool_tui.present import marks
from unspool_tui.present.cells import BLANK, GAP, Row
from unspool_tui.present.width import cell_len
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.word_input import WordInput


class PromptLine(Horizontal):
    """Hidden until something is asked; question and field are made for the first one."""

    DEFAULT_CSS = """
    PromptLine { height: 1; dock: bottom; display: none; layer: above; }
    PromptLine.asking { display: block; }
    PromptLine > Asked { width: 12; }
    PromptLine > Told { width: auto; }
    """

    class Answered(Message):
        """A question was answered, with `None` when it was dismissed.

        After an answer the question stays until `close` or `complain` is called.
        """

        def __init__(self, question: str, answer: str | None) -> None:
            super().__init__()
            self.question = question
            self.answer = answer

    @property
    def asking(self) -> bool:
        """Whether a question waits for its answer."""
        return self.has_class("asking")

    def ask(self, question: str, hint: str) -> None:
        """Ask; the answer comes as `Answered` with this question."""
        if not self.children:
            self.mount(Asked(), WordInput(ground="raised"), Told())
        field = self.query_one(WordInput)
        asked = self.query_one(Asked)
        asked.question = question
        asked.styles.width = len(question) + 3
        field.placeholder = hint
        field.value = ""
        self.tell(())
        self.add_class("asking")
        self.screen.set_focus(field)  # at once: the next key is meant for it

    def complain(self, said: str) -> None:
        """Say why the answer does not do; the question stays."""
        self.tell(((marks.ERROR, "error bold"), BLANK, (said, "text")))

    def tell(self, row: Row) -> None:
        """Say what comes of the answer, beside it."""
        self.query_one(Told).said = row

    def close(self) -> None:
        """Take the question away."""
        self.remove_class("asking")

    @on(WordInput.Left)
    def _left(self, event: WordInput.Left) -> None:
        event.stop()
        answer = event.field.value.strip() if event.kept else ""
        if not answer:
            self.close()
        self.post_message(self.Answered(self.query_one(Asked).question, answer or None))

    def on_descendant_blur(self) -> None:
        """A question that is clicked away is dismissed."""
        if self.asking:
            self.remove_class("asking")


class Told(Painting):
    """What comes of the answer, or what is wrong with it."""

    ground = "raised"
    said: reactive[Row] = reactive((), layout=True)

    def get_content_width(self, *_: object) -> int:
        """Be as wide as the words, at most most of the screen."""
        width = sum(cell_len(text) for text, _ in self.said)
        return min(width + 4, self.app.size.width * 3 // 4) if self.said else 0

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the words."""
        return [(GAP, *self.said)] if self.said else []


class Asked(Painting):
    """The question."""

    ground = "raised"
    question: reactive[str] = reactive("")

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the question."""
        return [(BLANK, (self.question, "accent bold"), BLANK)]
