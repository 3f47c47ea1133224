"""A text whose Markdown is rendered, as pages: what is copied from it is what was written."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from unspool.dataclass import replace
from unspool_tui.present.pages import Pages

if TYPE_CHECKING:
    from unspool_tui.present.lines import Line
    from unspool_tui.present.markdown_page import MarkdownPage
    from unspool_tui.present.windows import Window


class RenderedPages(Pages):
    """The whole of a text in lines without numbers; `written` is the window that holds it as it was written."""

    def __init__(self, written: Window, page: MarkdownPage) -> None:
        super().__init__(replace(written, lines=(), numbered=False))
        self._written = written
        self._page = page
        self._width: int | None = None

    @property
    def written(self) -> Window:
        """The text as it was written."""
        return self._written

    def fit(self, width: int) -> None:
        """Lay tables out for another width."""
        if self._width is None or (width != self._width and self._page.bends):
            self.lines = self._page.lines(width)
        self._width = width

    def line_of(self, index: int) -> int:
        """Return the index of the source's line that a line was written as."""
        return _source_line(self.lines[index]) if 0 <= index < len(self.lines) else 0

    def index_of(self, line: int) -> int:
        """Return the index of the line that shows a line of the source, or what stands before it."""
        return max(0, bisect_right(self.lines, line, key=_source_line) - 1)

    def copied(self, first: tuple[int, int], last: tuple[int, int]) -> str:
        """Return what was written from one character to another, each given as (index of a line, character).

        The second one is not part of it; -1 stands for the end of the line.
        """
        start, stop = self._spot(*first), self._spot(*last, end=True)
        source = self._page.source[start[0] : stop[0] + 1]
        if len(source) <= 1:
            return "".join(source)[start[1] : stop[1]]
        return "\n".join([source[0][start[1] :], *source[1:-1], source[-1][: stop[1]]])

    def _spot(self, index: int, character: int, *, end: bool = False) -> tuple[int, int]:
        """Return the line and column of the source that a character was written at."""
        line = self.lines[index]
        origin = line.origin
        row = _source_line(line)
        if end and index == len(self.lines) - 1 and not 0 <= character < len(line.text):
            row, origin = len(self._page.source) - 1, None
        whole = len(self._page.source[row]) if row < len(self._page.source) else 0
        if origin is None or not origin.at:
            return row, whole if end else 0
        if end:
            return row, whole if character < 0 or character >= len(origin.at) else origin.at[max(0, character - 1)] + 1
        return row, 0 if character <= 0 else origin.at[character] if character < len(origin.at) else whole


def _source_line(line: Line) -> int:
    return line.origin.line if line.origin is not None else 0


def pages_of(window: Window, page: MarkdownPage | None, *, rendered: bool) -> Pages:
    """Return the pages for a window: `rendered` where the text can be, and the window holds all of it."""
    whole = window.start <= 0 and window.stop >= window.total_bytes
    return RenderedPages(window, page) if rendered and page is not None and whole else Pages(window)
