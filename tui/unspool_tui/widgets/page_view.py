"""Pages drawn row by row: laid out for a width, marked, selectable. What moves them is a subclass's matter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.geometry import Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from unspool_tui.present import marks
from unspool_tui.present.body_row import BodyRow, Gutter, body_row, cut_row, seam_row
from unspool_tui.present.cells import Cell
from unspool_tui.present.found import Found
from unspool_tui.present.layout import Layout, Place
from unspool_tui.present.pages import Move, Pages, Spot
from unspool_tui.present.scroll_space import ScrollSpace
from unspool_tui.widgets.body_strip import Chosen, body_strip
from unspool_tui.widgets.ink import Ink, ink_of
from unspool_tui.widgets.map_bar import draw_map

STRIPS_KEPT: Final = 512
"""Drawn rows that are kept: some screenfuls."""

MARKED_LINES: Final = 20_000
"""Lines looked through for failures to mark on the scrollbar."""


class PageView(ScrollView):
    """Draws `pages` as if all rows of the text were there; those that are not at hand are blank.

    A character's place in a selection is its line's number and its index in that line, so that a selection outlives
    another width and other windows.
    """

    DEFAULT_CSS = """
    PageView { overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; height: 1fr;
               background: $u-ground; }
    """
    ALLOW_SELECT = True

    wrap: reactive[bool] = reactive(True, repaint=False)
    """Whether long lines are broken into rows; else they are cut."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.pages: Pages | None = None
        self.found = Found((), None)
        self._squeeze = False
        self._seam: tuple[int, int] | None = None
        self._seam_spot: Spot | None = None
        self._layout = Layout((), 1)
        self._space: ScrollSpace | None = None
        self._gutter = Gutter(numbered=True)
        self._failing: list[int] = []
        self._marks: tuple[int, dict[int, Cell]] | None = None
        self._shift = 0
        self._width = 0
        self._placing = False
        self._held: Spot | None = None  # the first character in view, kept exact over a row of new widths
        self._strips: LRUCache[tuple[int, int, Ink], Strip] = LRUCache(STRIPS_KEPT)

    # What is shown.

    def open(self, pages: Pages | None, *, squeeze: bool = False, seam: tuple[int, int] | None = None) -> None:
        """Show other pages from their beginning; `seam` is (bytes the model saw, bytes there are)."""
        if self.text_selection is not None:
            self.screen.clear_selection()
        self.pages = pages
        self.found = Found((), None)
        self._squeeze, self._seam, self._shift = squeeze, seam, 0
        self._lay_out()
        self._place(self._y_of((0, 0)))

    def extend(self, move: Move) -> None:
        """Show pages that got or lost windows; what is in view stays where it is."""
        anchor = self._anchor()
        self._lay_out()
        if anchor is not None:
            spot, delta = anchor
            self._place(self._y_of(move.of(spot)) + delta)
        if move.characters:
            self.screen.clear_selection()

    def go_to(self, spot: Spot, *, above: int = 0) -> None:
        """Bring a character into view, with some rows above it; the end for a line behind the last."""
        if self._space is None or self.pages is None:
            self._held = spot  # not laid out yet; the first size comes back here
        elif spot[0] >= max(1, len(self.pages.lines)):
            self._place(self._space.before + self._layout.rows - self._height)
        else:
            self._place(self._y_of(spot) - above)

    def in_view(self, spot: Spot) -> bool:
        """Say whether a character can be seen."""
        return 0 <= self._y_of(spot) - self.scroll_offset.y < self._height

    def top_spot(self) -> Spot:
        """Return the first character in view."""
        anchor = self._anchor()
        return anchor[0] if anchor is not None else (0, 0)

    def mark(self, found: Found) -> None:
        """Show other matches."""
        self.found = found
        self._redraw()

    def settled(self) -> None:
        """Note that another part of the text, or more of it, came into view without a person's move."""

    # Where things are.

    @property
    def _height(self) -> int:
        return self.scrollable_content_region.height

    @property
    def _text_width(self) -> int:
        """Cells for text: the gutter before it, a blank behind it."""
        lines = self.pages.lines if self.pages is not None else ()
        return max(1, self.scrollable_content_region.width - self._gutter.width(lines) - 1)

    def _y_of(self, spot: Spot) -> int:
        return (self._space.before if self._space else 0) + self._layout.row_of(*spot)

    def _anchor(self) -> tuple[Spot, int] | None:
        """Return the first character in view that is at hand, and how far from the top its row is."""
        if self._space is None or not self._layout.rows:
            return None
        row = max(0, min(self._layout.rows - 1, self.scroll_offset.y - self._space.before))
        place = self._layout.at(row)
        return (place.line, place.start), self.scroll_offset.y - self._y_of((place.line, place.start))

    def _lay_out(self) -> None:
        pages, width = self.pages, self.scrollable_content_region.width
        self._width = width
        if pages is None or width <= 0:
            self._layout, self._space = Layout((), 1), None
            self.virtual_size = Size(0, 0)
        else:
            self._gutter = Gutter.of(pages.lines, pages.last.total_lines, numbered=pages.first.numbered)
            self._seam_spot = pages.spot_of(self._seam[0]) if self._seam is not None else None
            self._layout = Layout(
                pages.lines,
                self._text_width,
                wrap=self.wrap,
                squeeze=self._squeeze,
                seam=self._seam_spot,
                before=self._layout,
            )
            self._space = ScrollSpace(pages, self._layout)
            self.virtual_size = Size(0, self._space.height)
            looked = enumerate(pages.lines[:MARKED_LINES])
            self._failing = [index for index, line in looked if any(ink[:5] == "error" for _, ink in line.cells)]
        self._redraw()

    def _place(self, y: int) -> None:
        """Scroll without taking it for a person's wish."""
        self._placing = True
        self._held = None
        self.scroll_to(y=max(0, y), animate=False, immediate=True)
        self._placing = False
        self.settled()

    def _redraw(self) -> None:
        self._strips.clear()
        self._marks = None
        self.refresh()
        self.vertical_scrollbar.refresh()

    def watch_wrap(self) -> None:
        """Break or cut the lines, and keep what is in view."""
        self._shift = 0
        if self.is_mounted:
            self._lay_out_again()

    def on_resize(self, event: events.Resize) -> None:
        """Break the lines anew for another width, and keep what is in view."""
        self._lay_out_again()

    def _lay_out_again(self) -> None:
        anchor = self._anchor()
        held = self._held or (anchor[0] if anchor is not None else None)
        self._lay_out()
        self._place(self._y_of(held) if held is not None else self._y_of((0, 0)))
        self._held = held

    # Drawing.

    def on_mount(self) -> None:
        """Make the scrollbar a map."""
        draw_map(self, self.marks)

    def marks(self, height: int) -> Mapping[int, Cell]:
        """Return the marks of the scrollbar: failures, then matches, where they lie in the whole."""
        if self._space is None or not self._space.height:
            return {}
        if self._marks is None or self._marks[0] != height:
            self._marks = (height, self._make_marks(height, self._space.height))
        return self._marks[1]

    def _make_marks(self, height: int, total: int) -> dict[int, Cell]:
        found: dict[int, Cell] = {}
        for lines, cell in ((self.found.lines, (marks.MATCH, "match")), (self._failing, (marks.ERROR, "error"))):
            for line in lines:
                found[self._y_of((line, 0)) * height // max(total, self._height)] = cell
        return found

    def notify_style_update(self) -> None:
        """Forget drawn rows when the theme changes."""
        super().notify_style_update()
        self._strips.clear()

    def render_line(self, y: int) -> Strip:
        """Draw one row of the screen."""
        y += self.scroll_offset.y
        width, ink = self.scrollable_content_region.width, ink_of(self.app)
        if width != self._width and self.pages is not None:  # shown again: no resize may have told of the width
            self._width = width
            self.call_later(self._lay_out_again)
        row = self._space.row_at(y) if self._space is not None else None
        if row is None or self.pages is None:
            return ink.strip((), width, "ground")
        if self.text_selection is not None:
            return self._strip(row, width, ink)
        key = (row, width, ink)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = self._strip(row, width, ink)
        return strip

    def _strip(self, row: int, width: int, ink: Ink) -> Strip:
        place = self._layout.at(row)
        if place.is_seam and self._seam is not None:
            return ink.strip(seam_row(*self._seam), width, "ground")
        number = self._number(place.line)
        span = self.text_selection.get_span(number) if self.text_selection is not None else None
        return body_strip(self._painted(place), number, width, ink, span and Chosen(*span, self._chosen_style()))

    def _painted(self, place: Place) -> BodyRow:
        assert self.pages is not None
        line = self.pages.lines[place.line]
        gutter = self._gutter.row(
            line, self.pages.first_line + place.line, first=place.first, seen=self._is_seen(place)
        )
        width = self._text_width
        if self.wrap:
            found = self.found.in_line(place.line, place.spans[0][0], place.spans[-1][1])
            return body_row(line, place, gutter, width, found)
        found = self.found.in_line(place.line, self._shift, self._shift + width)
        return cut_row(line, gutter, width, self._shift, found)

    def _is_seen(self, place: Place) -> bool:
        """Say whether a row lies before the seam."""
        if self._seam is None or self.pages is None:
            return False
        if self._seam_spot is None:
            return self.pages.last.stop <= self._seam[0]
        return (place.line, place.start) < self._seam_spot

    # Selecting.

    def _number(self, line: int) -> int:
        return (self.pages.first_line if self.pages is not None else 1) + line

    def _chosen_style(self) -> Style:
        return self.screen.get_component_rich_style("screen--selection")

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw the selection."""
        self._redraw()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text as it stands in its lines: unbroken, and without what only the screen shows."""
        if self.pages is None:
            return None
        texts = []
        for index, line in enumerate(self.pages.lines):
            span = selection.get_span(self._number(index))
            if span is not None and line.source:
                texts.append(line.text[span[0] : None if span[1] == -1 else span[1]])
        return "\n".join(texts), "\n"
