"""The adapter from a body's row to a strip whose characters can be selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from unspool.named_tuple import NamedTuple

if TYPE_CHECKING:
    from unspool_tui.present.body_row import BodyRow, Run
    from unspool_tui.widgets.ink import Ink


class Chosen(NamedTuple):
    """The selected characters of a line, half open, `stop` -1 for its end; and how they are drawn."""

    start: int
    stop: int
    style: Style


def body_strip(row: BodyRow, number: int, width: int, ink: Ink, chosen: Chosen | None) -> Strip:
    """Draw a row in exactly `width` cells; each character of the text knows its line's number and its place in it."""
    ground = ink.style("text", row.ground)
    segments = [Segment(text, ink.style(name, row.ground)) for text, name in row.gutter if text]
    at = 0
    for run in row.runs:
        segments += _segments(run, number, ink.style(run.ink, row.ground), chosen)
        at = run.at + len(run.text)
    segments += [Segment(text, ink.style(name, row.ground)) for text, name in row.tail]
    used = sum(segment.cell_length for segment in segments)
    if used < width:
        segments.append(Segment(" " * (width - used), ground + _place(at, number)))
    return Strip(segments).adjust_cell_length(width, ground)


def _segments(run: Run, number: int, style: Style, chosen: Chosen | None) -> list[Segment]:
    text, at = run.text, run.at
    if run.ink.endswith(" own"):
        return [Segment(text, style)]
    if chosen is None:
        return [Segment(text, style + _place(at, number))]
    start = max(0, min(chosen.start - at, len(text)))
    stop = len(text) if chosen.stop == -1 else max(start, min(chosen.stop - at, len(text)))
    parts = ((0, start, style), (start, stop, style + chosen.style), (stop, len(text), style))
    return [Segment(text[a:b], each + _place(at + a, number)) for a, b, each in parts if a < b]


def _place(x: int, y: int) -> Style:
    """Return the style that tells Textual which character stands here."""
    return Style.from_meta({"offset": (x, y)})
