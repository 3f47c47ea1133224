"""The body of the reader: it moves through pages, and says which window is missing."""

from __future__ import annotations

from typing import Final

from textual.message import Message

from unspool.dataclass import dataclass
from unspool_tui.keymap import bindings
from unspool_tui.present.layout import ENDLESS
from unspool_tui.present.windows import Where
from unspool_tui.widgets.page_view import PageView

SIDEWAYS: Final = 8
"""Characters moved to the side at once where lines are cut."""


class ReaderBody(PageView, can_focus=True):
    """Scrolls by key and mouse as if all of a text were there; it reads nothing itself."""

    BINDINGS = bindings(
        "move.down", "move.up", "move.page_down", "move.page_up", "move.half_down", "move.half_up", "move.top",
        "move.end", "move.left", "move.right",
    )  # fmt: skip

    @dataclass
    class Wanted(Message):
        """What is about to come into view is not at hand."""

        body: ReaderBody
        where: Where
        at: int

        @property
        def control(self) -> ReaderBody:
            """The body."""
            return self.body

    @dataclass
    class Moved(Message):
        """The body was scrolled by key or mouse."""

        body: ReaderBody

        @property
        def control(self) -> ReaderBody:
            """The body."""
            return self.body

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Read on when an edge comes near."""
        super().watch_scroll_y(old_value, new_value)
        if not self._placing and round(old_value) != round(new_value):
            self._held = None
            self._look_for_more(1 if new_value > old_value else -1)
            self.post_message(self.Moved(self))

    def settled(self) -> None:
        """Ask for what is missing in view after a jump or in a new size."""
        self._look_for_more(0)

    def _look_for_more(self, direction: int) -> None:
        """Ask for the window that is missing in view, or in the direction of the movement soon will be."""
        pages, space, height = self.pages, self._space, self._height
        if pages is None or space is None or height <= 0:
            return
        top = self.scroll_offset.y - space.before
        bottom, rows = top + height, self._layout.rows
        if bottom <= 0 or (top >= rows and not pages.at_end):
            self.post_message(self.Wanted(self, Where.BYTE, space.byte_at(self.scroll_offset.y)))
        elif not pages.at_end and bottom > rows - (height if direction > 0 else 0):
            self.post_message(self.Wanted(self, Where.AFTER, pages.last.stop))
        elif not pages.at_start and top < (height if direction < 0 else 0):
            self.post_message(self.Wanted(self, Where.BEFORE, pages.first.start))

    def _move(self, by: int) -> None:
        self.scroll_to(y=self.scroll_offset.y + by, animate=False, immediate=True)

    def action_move(self, by: int) -> None:
        """Move by rows."""
        self._move(by)

    def action_page(self, by: int) -> None:
        """Move by screenfuls, one row of the last one staying in view."""
        self._move(by * max(1, self._height - 1))

    def action_half(self, by: int) -> None:
        """Move by half screenfuls."""
        self._move(by * max(1, self._height // 2))

    def action_top(self) -> None:
        """Move to the beginning of the text."""
        if self.pages is not None and not self.pages.at_start:
            self.post_message(self.Wanted(self, Where.START, 0))
        else:
            self._move(-self.virtual_size.height)

    def action_end(self) -> None:
        """Move to the end of the text."""
        if self.pages is not None and not self.pages.at_end:
            self.post_message(self.Wanted(self, Where.END, self.pages.last.total_bytes))
        else:
            self._move(self.virtual_size.height)

    def action_aside(self, by: int) -> None:
        """Move cut lines to the side."""
        lengths = (len(line.text) for line in self.pages.lines) if self.pages is not None else ()
        longest = max((length for length in lengths if length <= ENDLESS), default=0)
        most = 0 if self.wrap else max(0, longest - self._text_width)
        shift = max(0, min(most, self._shift + by * SIDEWAYS))
        if shift != self._shift:
            self._shift = shift
            self._redraw()
