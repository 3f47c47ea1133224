"""The scrollbar that is also a map: it carries marks where things lie in the whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from rich.segment import Segment
from rich.style import Style
from textual.scrollbar import ScrollBarRender

from unspool_tui.present.cells import Cell
from unspool_tui.widgets.ink import ink_of

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from textual.scroll_view import ScrollView

Marks = Callable[[int], Mapping[int, Cell]]
"""Given the bar's height in rows, says which rows carry a mark, and which."""


class MapBar(ScrollBarRender):
    """Draws the window as `thumb` ground on a strip of its own, and over both the marks, at the strip's right end.

    The strip is lighter than what lies beside it, and begins with a blank where it is two cells wide: marks in it are
    of the whole, and not of the row that they stand at.
    """

    def __init__(
        self, owner: ScrollView, marks: Marks, *, virtual_size: int, window_size: int, position: float, **_: object
    ) -> None:
        super().__init__(virtual_size=virtual_size, window_size=window_size, position=position)
        self._owner = owner
        self._marks = marks

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        height = options.height or console.height
        owner = self._owner
        total, window = owner.virtual_size.height, owner.scrollable_content_region.height
        first, last = thumb(height, total, window, owner.scroll_offset.y)
        marks = self._marks(height)
        ink = ink_of(self._owner.app)
        for y in range(height):
            text, token = marks.get(y, (" ", "text"))
            text = text.rjust(options.max_width)
            inside = first <= y < last
            action = "grab" if inside else "scroll_up" if y < first else "scroll_down"
            yield Segment(text, _reacting(ink.style(token, "thumb" if inside else "bar"), action))
            if y < height - 1:
                yield Segment.line()


@lru_cache(maxsize=256)
def _reacting(style: Style, action: str) -> Style:
    """Return a style whose cell does something when the mouse is pressed on it."""
    return style + Style(meta={"@mouse.down": action})


def thumb(height: int, total: int, window: int, position: float) -> tuple[int, int]:
    """Return the half-open stretch of the bar's rows that stands for the window; nothing when all is in view."""
    if total <= window or height <= 0:
        return (0, 0)
    length = max(1, round(height * window / total))
    first = round((height - length) * position / (total - window))
    first = max(0, min(height - length, first))
    return (first, first + length)


def draw_map(owner: ScrollView, marks: Marks) -> None:
    """Make the owner's vertical scrollbar a map of these marks."""
    bar: Any = owner.vertical_scrollbar  # `renderer` is typed for classes; instances may have their own, as it says
    bar.renderer = partial(MapBar, owner, marks)
    owner.watch(owner.app, "theme", lambda: bar.refresh(), init=False)
