"""Where the rows of pages are: laid out for a width, in a space to scroll in that stands for all of a text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from textual.geometry import Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView

from unspool_tui.present.body_row import Gutter
from unspool_tui.present.layout import Layout
from unspool_tui.present.scroll_space import ScrollSpace

if TYPE_CHECKING:
    from textual import events

    from unspool_tui.present.pages import Move, Pages, Spot

SLICE_CHARACTERS: Final = 30_000
"""Characters broken into rows at a time for another width: some milliseconds, between which keys are answered."""

SLICE_PAUSE: Final = 0.001
"""Seconds between two slices."""


class PageSpace(ScrollView):
    """Keeps pages laid out, and what is in view where it is; what is drawn is a subclass's matter."""

    wrap: reactive[bool] = reactive(True, repaint=False)
    """Whether long lines are broken into rows; else they are cut, but for endless ones."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.pages: Pages | None = None
        self._squeeze = False
        self._seam: tuple[int, int] | None = None
        self._seam_spot: Spot | None = None
        self._layout = Layout((), 1)
        self._space: ScrollSpace | None = None
        self._gutter = Gutter(numbered=True)
        self._shift = 0
        self._width = 0
        self._placing = False
        self._held: Spot | None = None  # the first character in view, kept exact over a row of new widths

    # What is shown.

    def open(self, pages: Pages | None, *, squeeze: bool = False, seam: tuple[int, int] | None = None) -> None:
        """Show other pages from their beginning; `seam` is (bytes the model saw, bytes there are)."""
        self.pages = pages
        self._squeeze, self._seam, self._shift = squeeze, seam, 0
        self._lay_out()
        self._place(self._y_of((0, 0)))

    def extend(self, move: Move) -> None:
        """Show pages that got or lost windows; what is in view stays where it is."""
        anchor = self._anchor()
        self._lay_out(None if self._layout.complete or anchor is None else move.of(anchor[0])[0])
        if anchor is not None:
            spot, delta = anchor
            self._place(self._y_of(move.of(spot)) + delta)

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

    def settled(self) -> None:
        """Note that another part of the text, or more of it, came into view without a person's move."""

    def _redraw(self) -> None:
        """Draw everything anew."""
        raise NotImplementedError

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

    def _lay_out(self, near: int | None = None) -> None:
        """Break the lines for the width there is; with `near` those around a line first, the others in slices."""
        pages, width = self.pages, self.scrollable_content_region.width
        self._width = width
        if pages is None or width <= 0:
            self._layout, self._space = Layout((), 1), None
            self.virtual_size = Size(0, 0)
        else:
            self._gutter = Gutter.of(pages.lines, pages.last.total_lines, numbered=pages.first.numbered)
            pages.fit(self._text_width)
            self._seam_spot = pages.spot_of(self._seam[0]) if self._seam is not None else None
            self._layout = Layout(
                pages.lines,
                self._text_width,
                wrap=self.wrap,
                squeeze=self._squeeze,
                seam=self._seam_spot,
                before=self._layout,
                near=near,
            )
            if not self._layout.complete:
                self.set_timer(SLICE_PAUSE, partial(self._lay_out_on, self._layout))
            self._space = ScrollSpace(pages, self._layout)
            self.virtual_size = Size(0, self._space.height)
        self._redraw()

    def _place(self, y: int) -> None:
        """Scroll without taking it for a person's wish."""
        self._placing = True
        self._held = None
        self.scroll_to(y=max(0, y), animate=False, immediate=True)
        self._placing = False
        self.settled()

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
        self._lay_out(held[0] if held is not None else 0)
        self._place(self._y_of(held) if held is not None else self._y_of((0, 0)))
        self._held = held

    def _lay_out_on(self, layout: Layout) -> None:
        """Break further lines, unless others are shown; when all are, count their rows and keep what is in view."""
        if layout is not self._layout or self.pages is None:
            return
        if not layout.go_on(SLICE_CHARACTERS):
            self.set_timer(SLICE_PAUSE, partial(self._lay_out_on, layout))
            return
        held, anchor = self._held, self._anchor()
        layout.settle()
        self._space = ScrollSpace(self.pages, layout)
        self.virtual_size = Size(0, self._space.height)
        self._redraw()
        if held is not None:
            self._place(self._y_of(held))
            self._held = held
        elif anchor is not None:
            self._place(self._y_of(anchor[0]) + anchor[1])
