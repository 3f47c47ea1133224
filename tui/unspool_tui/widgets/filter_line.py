"""The filter line: the words of the command, and at the right how much they left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from textual import on
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input

from unspool_tui.present.cells import GAP, Row, fit, width_of
from unspool_tui.present.filter_words import completions, inked
from unspool_tui.present.width import cell_len
from unspool_tui.widgets.painting import Painting
from unspool_tui.widgets.word_input import WordInput

if TYPE_CHECKING:
    from textual.app import ComposeResult

QUIET_MS: Final = 120
"""Milliseconds without a key after which the filter is applied: a word is typed in one go, not searched by letters."""

SLASH_WIDTH: Final = 4
"""Cells of the sign before the words."""


class FilterLine(Horizontal):
    """A field for filter words. Its `words` change by typing and from outside; `Changed` tells of the former."""

    DEFAULT_CSS = """
    FilterLine { height: 1; }
    FilterLine > Slash { width: 4; }
    FilterLine > LeftOver { width: auto; }
    """

    class Changed(Message):
        """Other words were typed."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    class Left(Message):
        """The person is done: `kept` the words, or cleared them."""

        def __init__(self, *, kept: bool) -> None:
            super().__init__()
            self.kept = kept

    def __init__(self, hint: str, values: dict[str, Sequence[str]], *, id: str | None = None) -> None:
        super().__init__(id=id, classes="idle")
        self.values = values
        self._hint = hint
        self._told = ""

    def compose(self) -> ComposeResult:
        """Put slash, field and what is left side by side."""
        yield Slash()
        yield WordInput(self._hint, ink=self._ink, complete=self._complete)
        yield LeftOver()

    @property
    def words(self) -> str:
        """What stands in the line."""
        return self._field.value

    @property
    def typing(self) -> bool:
        """Whether the field has the focus."""
        return self._field.has_focus

    def write(self, words: str) -> None:
        """Put other words into the line, without telling."""
        self._told = words
        with self.prevent(Input.Changed):
            self._field.value = words
            self._field.cursor_position = len(words)
        self._settle()

    def say(self, row: Row) -> None:
        """Show what is left, or what is wrong, at the right; the words that were typed keep their room."""
        self.query_one(LeftOver).said = row
        self._share_room()

    def on_resize(self) -> None:
        """Share the new room."""
        self._share_room()

    def edit(self) -> None:
        """Let the person type, behind the words that stand there."""
        if self.words.strip():
            self.write(f"{self.words.rstrip()} ")
        self.remove_class("idle")
        self.screen.set_focus(self._field)  # at once: the next key is meant for it

    def on_descendant_focus(self) -> None:
        """Light the slash."""
        self.query_one(Slash).lit = True
        self._settle()

    def on_descendant_blur(self) -> None:
        """Dim the slash."""
        self.query_one(Slash).lit = False
        self._settle()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._settle()
        words = event.value
        self.set_timer(QUIET_MS / 1000, lambda: self._tell(words))

    @on(WordInput.Left)
    def _left(self, event: WordInput.Left) -> None:
        event.stop()
        if event.kept:
            self._tell(self.words)
        else:
            self.write("")
            self.post_message(self.Changed(""))
        self.post_message(self.Left(kept=event.kept))

    def _tell(self, words: str) -> None:
        if words == self.words and words != self._told:
            self._told = words
            self.post_message(self.Changed(words))

    def _share_room(self) -> None:
        """Give what is said what the words leave, half of the line at least, and the field the hint that fits."""
        left, whole = self.query_one(LeftOver), self.size.width - SLASH_WIDTH
        left.room = max(0, whole // 2, whole - cell_len(self.words) - 2)
        room = whole - width_of(left.said) - 4
        self._field.placeholder = self._hint if len(self._hint) <= room else self._hint.partition(":")[0]

    def _settle(self) -> None:
        self._share_room()
        self.set_class(not self.words and not self.typing, "idle")

    def _ink(self, line: str) -> Iterator[tuple[int, int, str]]:
        return inked(line, self.values)

    def _complete(self, line: str) -> tuple[str, ...]:
        return completions(line, self.values)

    @property
    def _field(self) -> WordInput:
        return self.query_one(WordInput)


class Slash(Painting):
    """The sign before the words; a click on it begins to type."""

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the sign."""
        return [(("  / ", "accent bold" if self.lit else "faint"),)]


class LeftOver(Painting):
    """The words at the right end."""

    said: reactive[Row] = reactive((), layout=True)
    room: reactive[int] = reactive(0, layout=True)
    """Cells that it may take."""

    def get_content_width(self, *_: object) -> int:
        """Be as wide as the words, as far as there is room."""
        return min(width_of(self.said) + 4, self.room) if self.said else 0

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the words."""
        return [(GAP, *fit(self.said, width - 4), GAP)]
