"""A list that draws lines: a million records cost what fits on the screen. No widget per record, ever."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Final

from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView

from unspool.dataclass import dataclass
from unspool_tui.keymap import bindings
from unspool_tui.widgets.ink import Ink, ink_of
from unspool_tui.widgets.map_bar import draw_map

if TYPE_CHECKING:
    from textual import events
    from textual.strip import Strip

    from unspool_tui.present.cells import Cell, Row

STRIPS_KEPT: Final = 1024
"""Drawn lines that are kept: some screenfuls, so that moving back and forth draws two lines, not all."""


class RecordList(ScrollView, can_focus=True):
    """Records with a cursor. A record is one line unless the subclass says otherwise.

    A subclass says how many records there are (`record_count`), and paints a line (`paint`). After its records
    change it calls `renew`.
    """

    DEFAULT_CSS = """
    RecordList { overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    """
    BINDINGS = bindings(
        "move.down", "move.up", "move.page_down", "move.page_up", "move.half_down", "move.half_up", "move.top",
        "move.end", "list.open",
    )  # fmt: skip
    ALLOW_SELECT = False
    ground = "ground"
    note = ""
    """What stands there while there are no records."""

    cursor: reactive[int] = reactive(0, repaint=False)
    """The record under the cursor; records count from 0."""

    @dataclass
    class Moved(Message):
        """The cursor came to another record by key or mouse."""

        records: RecordList
        index: int

        @property
        def control(self) -> RecordList:
            """The list."""
            return self.records

    @dataclass
    class Opened(Message):
        """A record was opened."""

        records: RecordList
        index: int

        @property
        def control(self) -> RecordList:
            """The list."""
            return self.records

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._strips: LRUCache[tuple[Hashable, int, bool, bool, Ink], Strip] = LRUCache(STRIPS_KEPT)

    # What a subclass says.

    def record_count(self) -> int:
        """Return how many records there are."""
        raise NotImplementedError

    def paint(self, line: int, width: int, *, here: bool) -> tuple[Row, str]:
        """Return the cells of a line and the surface they lie on; `here` when its record is under the cursor."""
        raise NotImplementedError

    def content(self, line: int) -> Hashable:
        """Return what a line is painted of, whenever it is drawn: what is the same was painted before."""
        return line

    def line_count(self) -> int:
        """Return how many lines the records take."""
        return self.record_count()

    def lines_of(self, record: int) -> range:
        """Return the lines of a record."""
        return range(record, record + 1)

    def record_at(self, line: int) -> int | None:
        """Return the record of a line, `None` for a line that belongs to none (a heading, a blank one)."""
        return line

    def marks(self, height: int) -> Mapping[int, Cell]:
        """Return the marks of the scrollbar."""
        return {}

    # Drawing.

    def on_mount(self) -> None:
        """Make the scrollbar a map."""
        draw_map(self, self.marks)

    def renew(self, cursor: int | None = None, *, keep_offset: bool = False) -> None:
        """Draw everything anew after the records changed; the cursor goes to a record without a message."""
        offset = self._offset_of_cursor() if keep_offset else None
        self._strips.clear()
        self._measure()
        last = max(0, self.record_count() - 1)
        self.set_reactive(RecordList.cursor, max(0, min(last, self.cursor if cursor is None else cursor)))
        if offset is None or not self.record_count():
            self._keep_in_view()
        else:
            top = self.lines_of(self.cursor).start - offset
            self.scroll_to(y=max(0, top), animate=False, immediate=True)
            self._keep_in_view()
        self.refresh()

    def extend(self, cursor: int, *, stays: bool) -> None:
        """Draw records that came behind the others, or went; what is in view stays there, if the cursor's `stays`."""
        self._measure()
        self.set_reactive(RecordList.cursor, max(0, min(self.record_count() - 1, cursor)))
        if not stays:
            self._keep_in_view()
        self.refresh()

    def redraw(self) -> None:
        """Draw the lines in view again: what is known about the records changed, not the records."""
        self._strips.clear()
        self.refresh()
        self.vertical_scrollbar.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        return self._line(y + self.scroll_offset.y, self.scrollable_content_region.width, ink_of(self.app))

    def _line(self, line: int, width: int, ink: Ink) -> Strip:
        if line >= self.line_count():
            said = self.note if line == 1 and not self.record_count() else ""
            return ink.strip((("   ", "text"), (said, "faint")), width, self.ground)
        record = self.record_at(line)
        here = record is not None and record == self.cursor
        key = (self.content(line), width, here, self.lit and here, ink)
        strip = self._strips.get(key)
        if strip is None:
            row, ground = self.paint(line, width, here=here)
            strip = self._strips[key] = ink.strip(row, width, ground)
        return strip

    def lines(self) -> list[Strip]:
        """Draw all lines of the screen, as they are written to the terminal."""
        size, top, ink = self.scrollable_content_region.size, self.scroll_offset.y, ink_of(self.app)
        filters, ground = self.get_line_filters(), self.background_colors[1]
        strips = [self._line(line, size.width, ink) for line in range(top, top + size.height)]
        return [reduce(lambda strip, filter: strip.apply_filter(filter, ground), filters, strip) for strip in strips]

    @property
    def lit(self) -> bool:
        """Whether the cursor is drawn as the focused one."""
        return self.has_focus

    def surface(self, here: bool) -> str:
        """Return the surface of a record's lines."""
        return self.ground if not here else "cursor" if self.lit else "cursor-dim"

    # Moving.

    def move_to(self, record: int, *, tell: bool = False) -> None:
        """Put the cursor on a record and bring it into view; with `tell`, say so as if a person had done it."""
        if not 0 <= record < self.record_count():
            return
        if record != self.cursor:
            old = self.cursor
            self.set_reactive(RecordList.cursor, record)
            self._refresh_record(old)
            self._refresh_record(record)
        self._keep_in_view()
        if tell:
            self.post_message(self.Moved(self, record))

    def action_move(self, by: int) -> None:
        """Move by records."""
        self.move_to(max(0, min(self.record_count() - 1, self.cursor + by)), tell=True)

    def action_page(self, by: int) -> None:
        """Move by screenfuls."""
        self.move_lines(by * max(1, self.scrollable_content_region.height - 1))

    def action_half(self, by: int) -> None:
        """Move by half screenfuls."""
        self.move_lines(by * max(1, self.scrollable_content_region.height // 2))

    def action_top(self) -> None:
        """Move to the first record."""
        self.move_to(0, tell=True)

    def action_end(self) -> None:
        """Move to the last record."""
        self.move_to(self.record_count() - 1, tell=True)

    def action_open(self) -> None:
        """Open the record under the cursor."""
        if self.record_count():
            self.post_message(self.Opened(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        """Move to the clicked record; a click on the cursor's own, or a second one, opens it."""
        line = event.y + self.scroll_offset.y
        record = self.record_at(line) if 0 <= line < self.line_count() else None
        if record is None:
            return
        again = record == self.cursor and self.lit_before_click
        self.move_to(record, tell=True)
        if again or event.chain >= 2:
            self.action_open()

    lit_before_click = False

    def on_mouse_down(self) -> None:
        """Remember whether the list had the focus: the click that gives it opens nothing."""
        self.lit_before_click = self.has_focus

    def on_focus(self) -> None:
        """Light the cursor."""
        self._refresh_record(self.cursor)

    def on_blur(self) -> None:
        """Dim the cursor."""
        self._refresh_record(self.cursor)

    def on_resize(self) -> None:
        """Keep the cursor in view in the new size."""
        self._strips.clear()
        self._keep_in_view()

    def move_lines(self, by: int) -> None:
        """Move by about so many lines, to the record that stands there or behind them."""
        if not self.record_count():
            return
        line = self.lines_of(self.cursor).start + by
        step = 1 if by > 0 else -1
        line = max(0, min(self.line_count() - 1, line))
        while 0 <= line < self.line_count() and self.record_at(line) is None:
            line += step
        record = self.record_at(line) if 0 <= line < self.line_count() else None
        if record is None:
            record = self.record_count() - 1 if by > 0 else 0
        if record == self.cursor:
            record += step
        self.move_to(max(0, min(self.record_count() - 1, record)), tell=True)

    def _measure(self) -> None:
        """Take note of how many lines there are. Nothing is laid out: a list fills its place, whatever it holds."""
        self.set_reactive(RecordList.virtual_size, Size(0, self.line_count()))
        self._scroll_update(self.virtual_size)

    def _offset_of_cursor(self) -> int | None:
        if not self.record_count() or self.cursor >= self.record_count():
            return None
        offset = self.lines_of(self.cursor).start - self.scroll_offset.y
        return offset if 0 <= offset < self.scrollable_content_region.height else None

    def _keep_in_view(self) -> None:
        height = self.scrollable_content_region.height
        if height <= 0 or not self.record_count():
            return  # not laid out yet; `on_resize` comes here again
        lines = self.lines_of(self.cursor)
        top = self.scroll_offset.y
        start, stop = self.context_of(lines)
        if start >= top and stop <= top + height:
            return
        far = start < top - height or stop > top + 2 * height
        if far:
            goal = lines.start - height // 3
        elif start < top:
            goal = start
        else:
            goal = min(stop - height, lines.start)
        self.scroll_to(y=max(0, goal), animate=False, immediate=True)

    def context_of(self, lines: range) -> tuple[int, int]:
        """Return which lines should be in view with a record's lines (a heading above it), half open."""
        return lines.start, lines.stop

    def _refresh_record(self, record: int) -> None:
        if 0 <= record < self.record_count():
            lines = self.lines_of(record)
            width = self.scrollable_content_region.width
            self.refresh(Region(0, lines.start - self.scroll_offset.y, width, len(lines)))
