"""Pages drawn row by row: laid out for a width, marked, selectable. What moves them is a subclass's matter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rich.style import Style
from textual.cache import LRUCache

from unspool_tui.present import marks
from unspool_tui.present.bars import MAP_CELLS
from unspool_tui.present.body_row import BodyRow, body_row, cut_row, seam_row
from unspool_tui.present.found import Found
from unspool_tui.present.rendered import RenderedPages
from unspool_tui.widgets.body_strip import Chosen, body_strip
from unspool_tui.widgets.ink import Ink, ink_of
from unspool_tui.widgets.map_bar import draw_map
from unspool_tui.widgets.page_space import PageSpace

if TYPE_CHECKING:
    from textual.selection import Selection
    from textual.strip import Strip

    from unspool_tui.present.cells import Cell
    from unspool_tui.present.layout import Place
    from unspool_tui.present.pages import Move, Pages

STRIPS_KEPT: Final = 512
"""Drawn rows that are kept: some screenfuls."""

MARKED_LINES: Final = 20_000
"""Lines looked through for failures to mark on the scrollbar."""


class PageView(PageSpace):
    """Draws `pages` as if all rows of the text were there; those that are not at hand are blank.

    A character's place in a selection is its line's number and its index in that line, so that a selection outlives
    another width and other windows.
    """

    DEFAULT_CSS = f"""
    PageView {{ overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: {MAP_CELLS}; height: 1fr; }}
    """
    ALLOW_SELECT = True

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.found = Found((), None)
        self._failing: list[int] = []
        self._marks: tuple[int, dict[int, Cell]] | None = None
        self._strips: LRUCache[tuple[int, int, Ink], Strip] = LRUCache(STRIPS_KEPT)

    def open(self, pages: Pages | None, *, squeeze: bool = False, seam: tuple[int, int] | None = None) -> None:
        """Show other pages from their beginning; `seam` is (bytes the model saw, bytes there are)."""
        if self.text_selection is not None:
            self.screen.clear_selection()
        self.found = Found((), None)
        self._look_for_failures(pages)
        super().open(pages, squeeze=squeeze, seam=seam)

    def extend(self, move: Move) -> None:
        """Show pages that got or lost windows; what is in view stays where it is."""
        self._look_for_failures(self.pages)
        super().extend(move)
        if move.characters:
            self.screen.clear_selection()

    def mark(self, found: Found) -> None:
        """Show other matches."""
        self.found = found
        self._redraw()

    def _look_for_failures(self, pages: Pages | None) -> None:
        """Note which lines say that something failed: the scrollbar marks them."""
        looked = enumerate(pages.lines[:MARKED_LINES] if pages is not None else ())
        self._failing = [index for index, line in looked if any(ink[:5] == "error" for _, ink in line.cells)]

    def _redraw(self) -> None:
        self._strips.clear()
        self._marks = None
        self.refresh()
        self.vertical_scrollbar.refresh()

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
        if self.wrap or self._layout.endless(place.line):
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
        return Style(bgcolor=ink_of(self.app).style("text", "chip").bgcolor)

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw the selection."""
        self._redraw()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text as it stands in its lines: unbroken, and without what only the screen shows."""
        if self.pages is None:
            return None
        if isinstance(self.pages, RenderedPages):
            spans = [selection.get_span(self._number(index)) for index in range(len(self.pages.lines))]
            chosen = [(index, span) for index, span in enumerate(spans) if span is not None]
            if not chosen:
                return None
            (first, (start, _)), (last, (_, stop)) = chosen[0], chosen[-1]
            return self.pages.copied((first, start), (last, stop)), "\n"
        texts = []
        for index, line in enumerate(self.pages.lines):
            span = selection.get_span(self._number(index))
            if span is not None and line.source:
                texts.append(line.text[max(span[0], line.lead) : None if span[1] == -1 else span[1]])
        return "\n".join(texts), "\n"
