"""What is seen below a card, beside what Textual draws there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.renderables.background_screen import BackgroundScreen
from textual.strip import Strip

from unspool_tui.widgets.shade import shaded

COLOURS = st.one_of(st.none(), st.integers(0, 0xFFFFFF).map(lambda colour: f"#{colour:06x}"))
STYLES = st.builds(
    Style, color=COLOURS, bgcolor=COLOURS, bold=st.booleans(), underline=st.booleans(), link=st.just("file:///x"),
    meta=st.just({"@click": "app.quit", "offset": (1, 2)}),
)  # fmt: skip
SEGMENTS = st.tuples(st.text("ab漢 ", min_size=1, max_size=4), st.none() | STYLES).map(lambda each: Segment(*each))


@given(st.lists(SEGMENTS, max_size=8), st.integers(1, 99), st.integers(0, 255))
def test_a_strip_below_a_card_is_drawn_as_textual_would_and_takes_no_click(
    segments: list[Segment], percent: int, red: int
) -> None:
    shade = Color(red, 20, 30, percent / 100)
    strip = Strip(segments)
    (seen,) = shaded([strip], shade)
    assert list(seen) == list(BackgroundScreen.process_segments(strip, shade))
    assert seen.cell_length == strip.cell_length
    assert not any(segment.style.meta or segment.style.link for segment in seen if segment.style)
