"""Drawing without any colour, greys included: what a terminal has by itself is what `NO_COLOR` asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.filter import LineFilter

if TYPE_CHECKING:
    from textual.color import Color


class Uncoloured(LineFilter):
    """Leaves of every style its weight and its lines; marks, words and bars say the rest."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments in the colours of the terminal."""
        return [Segment(text, style and style.without_color, control) for text, style, control in segments]
