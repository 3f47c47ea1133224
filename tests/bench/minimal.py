"""The smallest app that does what a list must: what any key costs on this machine, before ours does anything."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

ROWS = 10_000


class MinimalList(ScrollView, can_focus=True):
    """Numbered rows, one of them marked."""

    DEFAULT_CSS = "MinimalList { scrollbar-size: 0 0; }"
    BINDINGS: list[BindingType] = [Binding("j", "move(1)"), Binding("k", "move(-1)"), Binding("space", "move(30)")]  # noqa: RUF012
    cursor = reactive(0)

    def on_mount(self) -> None:
        self.virtual_size = Size(0, ROWS)

    def action_move(self, by: int) -> None:
        self.cursor = max(0, min(ROWS - 1, self.cursor + by))
        self.scroll_to(y=max(0, self.cursor - 10), animate=False, immediate=True)

    def render_line(self, y: int) -> Strip:
        y += self.scroll_offset.y
        style = Style(bgcolor="#2b3354" if y == self.cursor else "#14161b", color="#d6d9df")
        return Strip([Segment(f"row {y}".ljust(self.size.width), style)])


class Minimal(App[None]):
    """Nothing but the list."""

    def compose(self) -> ComposeResult:
        yield MinimalList()


if __name__ == "__main__":
    Minimal().run()
