"""What is drawn for the signs that a terminal cannot, or shall not, show: the last step before the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.filter import LineFilter

from unspool_tui.present.marks import encodable, in_ascii

if TYPE_CHECKING:
    from textual.app import App
    from textual.color import Color


class Signs(LineFilter):
    """Draws the marks in ASCII with `twins`, and `?` for what the terminal's `encoding` lacks.

    A session's text in the reader, which knows its place, keeps all signs that the terminal has.
    """

    def __init__(self, *, twins: bool, encoding: str | None = None) -> None:
        super().__init__(enabled=twins or encoding is not None)
        self.twins = twins
        self._encoding = encoding

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with other signs; each stays as wide as it was."""
        return [each if each.text.isascii() else Segment(self._drawn(each), each.style) for each in segments]

    def _drawn(self, segment: Segment) -> str:
        quoted = segment.style is not None and "offset" in segment.style.meta
        text = in_ascii(segment.text) if self.twins and not quoted else segment.text
        return encodable(text, self._encoding) if self._encoding is not None else text


def draws_twins(app: App[object]) -> bool:
    """Say whether the app draws ASCII for the marks."""
    return any(isinstance(each, Signs) and each.twins for each in app.get_line_filters())
