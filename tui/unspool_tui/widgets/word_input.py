"""A one-line field: typed words in the inks of their meaning, cleaned, completed with tab."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.highlighter import Highlighter
from rich.segment import Segment
from textual.message import Message
from textual.strip import Strip
from textual.suggester import SuggestionReady
from textual.widgets import Input

from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.present import marks
from unspool_tui.present.width import cell_len
from unspool_tui.widgets.ink import ink_of

if TYPE_CHECKING:
    from rich.style import Style
    from rich.text import Text

Inker = Callable[[str], Iterator[tuple[int, int, str]]]
"""Yields half-open stretches of a line with their ink."""
Completer = Callable[[str], Sequence[str]]
"""Returns a line with its last word completed in each way that there is."""

PARTS: Final = {
    "input--placeholder": "faint",
    "input--suggestion": "faint",
    "input--cursor": "ground on accent",
    "input--selection": "text on cursor",
}
"""The ink of each part, by its name in Textual."""


class WordInput(Input):
    """The field. It posts `Left` when the person is done with it; what was typed is in `value`."""

    DEFAULT_CSS = """
    WordInput { width: 1fr; }
    WordInput, WordInput:focus { border: none; background: transparent; background-tint: transparent; }
    """
    BINDINGS = bindings("filter.done", "filter.complete", "filter.down", ("app.back", "clear"))

    class Left(Message):
        """The field was left: `kept`, or given up."""

        def __init__(self, field: WordInput, *, kept: bool) -> None:
            super().__init__()
            self.field = field
            self.kept = kept

        @property
        def control(self) -> WordInput:
            """The field."""
            return self.field

    class Completing(Message):
        """The person wants completions that the field cannot make itself; answer with `offer`."""

        def __init__(self, field: WordInput, typed: str) -> None:
            super().__init__()
            self.field = field
            self.typed = typed

    def __init__(
        self, hint: str = "", *, ground: str = "ground", ink: Inker | None = None, complete: Completer | None = None,
        id: str | None = None,
    ) -> None:  # fmt: skip
        self.ground = ground
        self._ink = ink
        self.completer = complete
        self._offered: tuple[str, ...] = ()
        super().__init__(placeholder=hint, compact=True, select_on_focus=False, id=id)
        self.highlighter = _Inking(self) if ink is not None else None
        self.cursor_blink = False

    def validate_value(self, value: str) -> str:
        """Clean what is typed or pasted."""
        return clean(value, newline=False)

    def watch_value(self, value: str) -> None:
        """Suggest what tab would complete."""
        suggested = next(iter(self.completer(value)), None) if self.completer is not None and value else None
        if suggested is not None:
            self.post_message(SuggestionReady(value, suggested))

    def stretches(self, value: str) -> Iterator[tuple[int, int, str]]:
        """Yield the inked stretches of a line."""
        return self._ink(value) if self._ink is not None else iter(())

    @property
    def rich_style(self) -> Style:
        """How its words are drawn."""
        return ink_of(self.app).style("text", self.ground)

    def get_component_rich_style(self, *names: str, partial: bool = False, default: Style | None = None) -> Style:
        """Return how one of its parts is drawn, which a rule would say otherwise."""
        return ink_of(self.app).style(PARTS[names[0]], self.ground)

    def render_line(self, y: int) -> Strip:
        """Draw the field; `…` stands where the words go on beyond its ends."""
        strip, width = super().render_line(y), self.scrollable_content_region.width
        if y or not self.value or width < 3:
            return strip
        from_left = self.scroll_offset.x
        cut = Strip([Segment(marks.ELLIPSIS, ink_of(self.app).style("faint", self.ground))])
        at = cell_len(self.value[: self.cursor_position]) - from_left if self.has_focus else width
        if from_left and at > 0:
            strip = Strip.join([cut, strip.crop(1)])
        if cell_len(self.value) - from_left > width and at != width - 1:
            strip = Strip.join([strip.crop(0, width - 1), cut, strip.crop(width)])
        return strip

    def action_done(self) -> None:
        """Keep what was typed."""
        self.post_message(self.Left(self, kept=True))

    def action_back(self) -> None:
        """Give up what was typed."""
        self.post_message(self.Left(self, kept=False))

    def action_complete(self) -> None:
        """Complete the last word; once more, take the next way to. The field keeps the focus in any case."""
        if len(self._offered) > 1 and self.value == self._offered[0]:
            self.offer((*self._offered[1:], self._offered[0]))
        elif self.completer is None:
            self.post_message(self.Completing(self, self.value))
        elif self.cursor_at_end:
            self.offer(self.completer(self.value))

    def offer(self, wholes: Sequence[str]) -> None:
        """Write the first of some completions; completing again takes the next."""
        self._offered = tuple(wholes)
        if self._offered:
            self.value = self._offered[0]
            self.cursor_position = len(self.value)


class _Inking(Highlighter):
    """Gives the field's text the theme's colours."""

    def __init__(self, field: WordInput) -> None:
        self._field = field

    def highlight(self, text: Text) -> None:
        ink = ink_of(self._field.app)
        for start, stop, name in self._field.stretches(text.plain):
            text.stylize(ink.style(name, "ground"), start, stop)
