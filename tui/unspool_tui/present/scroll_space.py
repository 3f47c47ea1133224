"""The rows of a whole piece as one space to scroll in: those at hand are counted, those before and behind estimated.

A person scrolls, drags and jumps as if all of a 5 GB output were there; what comes into view and is not at hand is
read then. The estimate only decides where on the scrollbar the window stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unspool_tui.present.layout import Layout
    from unspool_tui.present.pages import Pages


class ScrollSpace:
    """Rows 0 to `height`; those of the layout begin at `before`."""

    def __init__(self, pages: Pages, layout: Layout) -> None:
        self._pages = pages
        self._rows = layout.rows
        rows_per_byte = layout.rows / pages.bytes if pages.bytes else 0.0
        self._rows_per_byte = rows_per_byte
        first, last = pages.first, pages.last
        self.before = max(1, round(first.start * rows_per_byte)) if first.start > 0 else 0
        rest = last.total_bytes - last.stop
        after = max(1, round(rest * rows_per_byte)) if rest > 0 else 0
        self.height = self.before + layout.rows + after

    def row_at(self, y: int) -> int | None:
        """Return the row of the layout at a place, `None` when it is not at hand."""
        row = y - self.before
        return row if 0 <= row < self._rows else None

    def byte_at(self, y: int) -> int:
        """Return about which byte of the text stands at a place."""
        pages, row = self._pages, y - self.before
        if row < 0:
            return max(0, int(pages.first.start * y / self.before)) if self.before else 0
        beyond = max(0, row - self._rows)
        byte = pages.last.stop + int(beyond / self._rows_per_byte) if self._rows_per_byte else pages.last.stop
        return max(0, min(byte, pages.last.total_bytes - 1))
