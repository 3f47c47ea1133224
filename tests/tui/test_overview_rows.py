from __future__ import annotations

from datetime import UTC
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from tests.sessions import view_of
from unspool.views.overview import Overview
from unspool_tui.present import overview_rows
from unspool_tui.present.cells import BLANK, width_of, wrap
from unspool_tui.present.overview_rows import NOBODY, lay_out, thread_row, turn_words

WHO = st.sampled_from(["user", "assistant", "reasoning", "input", "output"])
SAID = st.lists(st.tuples(WHO, st.text(max_size=60).filter(lambda text: text.strip() != "")), max_size=12)


def test_a_session_without_texts_has_an_empty_thread() -> None:
    thread = lay_out(Overview((), 0, 0), 30)
    assert thread.knots == ()
    assert len(thread.owners) == 0


@given(SAID, st.integers(20, 60), st.booleans())
def test_every_place_of_the_thread_has_its_lines_and_every_line_fits(
    said: list[tuple[str, str]], width: int, airy: bool
) -> None:
    view = view_of([(who, {"command": what} if who == "input" else what) for who, what in said])
    thread = lay_out(view.overview(50), width, airy=airy)
    seen = []
    for number, knot in enumerate(thread.knots):
        lines = thread.lines_of(number)
        assert len(lines) >= 1
        assert {thread.owners[line] for line in lines} == {number}
        assert thread.at_row(knot.row) == number
        seen += lines
    assert [line for line, owner in enumerate(thread.owners) if owner != NOBODY] == seen
    for line in range(len(thread.owners)):
        row = thread_row(thread, line, width, bar=BLANK, here=False, zone=UTC)
        assert width_of(row) <= width
        assert not any("\x1b" in text or "\n" in text for text, _ in row)


@given(SAID, SAID, st.integers(20, 22), st.integers(20, 22))
def test_what_is_known_of_another_thread_changes_nothing(
    said: list[tuple[str, str]], other: list[tuple[str, str]], width: int, other_width: int
) -> None:
    before, after = (_overview([*said, *more]) for more in ([], other))
    plain = lay_out(after, width)
    thread = lay_out(after, width, known=lay_out(before, other_width))
    assert (thread.knots, thread.texts, thread.owners) == (plain.knots, plain.texts, plain.owners)


def test_what_a_thread_said_before_is_not_wrapped_again() -> None:
    said = [("user", "a"), ("assistant", "b"), ("output", "c"), ("user", "d")]
    before = lay_out(_overview(said), 30)
    with patch.object(overview_rows, "wrap", side_effect=wrap) as wrapped:
        lay_out(_overview([*said, ("assistant", "e")]), 30, known=before)
    assert [call.args[0] for call in wrapped.call_args_list] == ["e"]


def _overview(said: list[tuple[str, str]]) -> Overview:
    return view_of([(who, {"command": what} if who == "input" else what) for who, what in said]).overview(50)


def test_the_place_on_the_thread_is_said_as_far_as_there_is_room() -> None:
    view = view_of([("user", "a"), ("assistant", "b"), ("output", "c"), ("assistant", "d"), ("user", "e")])
    thread = lay_out(view.overview(50), 38)
    said = [turn_words(thread, knot, 26) for knot in range(len(thread.knots))]
    assert said == [
        "turn 1 of 2, prompt", "turn 1 of 2, progress 1", "turn 1 of 2", "turn 1 of 2, answer",
        "turn 2 of 2, prompt",
    ]  # fmt: skip
    assert turn_words(thread, 1, 22) == "turn 1 of 2"
    assert turn_words(lay_out(Overview((), 0, 0), 38), 0, 26) == ""


def test_a_gap_leads_to_the_first_piece_that_the_list_shows() -> None:
    view = view_of([("user", "a"), ("reasoning", "hm"), ("input", {}), ("output", "c"), ("assistant", "d")])
    thread = lay_out(view.overview(50), 38)
    assert [(knot.gap, knot.row) for knot in thread.knots] == [(False, 0), (True, 2), (False, 4)]
    assert [thread.at_row(row) for row in range(5)] == [0, 0, 1, 1, 2]
