from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from unspool.text import clean
from unspool_tui.present.cells import around, fit, marked, spread, width_of, wrap

WORDS = st.text(max_size=40).map(lambda text: clean(text, newline=False))
ROWS = st.lists(st.tuples(WORDS, st.sampled_from(["text", "muted", "text bold on chip"])), max_size=6)


@given(ROWS, st.integers(1, 60), st.booleans())
def test_a_fitted_row_is_exactly_as_wide_as_it_should_be(row: list[tuple[str, str]], width: int, right: bool) -> None:
    assert width_of(fit(row, width, right=right)) == width


@given(ROWS, ROWS, st.integers(1, 80))
def test_of_two_sides_the_left_one_gives_way(
    left: list[tuple[str, str]], right: list[tuple[str, str]], width: int
) -> None:
    row = spread(left, right, width)
    assert width_of(row) == width
    if width_of(right) < width:
        assert row[len(row) - len(right) :] == tuple(right)


@given(WORDS, st.integers(2, 40), st.integers(1, 4))
def test_wrapped_rows_are_never_wider_than_their_pane_nor_more_than_allowed(text: str, width: int, most: int) -> None:
    rows = wrap(text, width, most)
    assert len(rows) <= most
    assert all(cell_len(row) <= width for row in rows)


@given(st.text("abc defg ", max_size=120), st.integers(8, 40))
def test_wrapping_loses_no_letter(text: str, width: int) -> None:
    assert "".join("".join(wrap(text, width, 1000)).split()) == "".join(text.split())


def test_a_cut_text_says_so_in_its_last_cell() -> None:
    assert wrap("one two three four", 9, 1) == ("one two…",)
    assert fit([("abcdef", "text")], 4) == (("abc", "text"), ("…", "faint"))


@given(WORDS, st.data())
def test_marked_text_is_the_same_text(text: str, data: st.DataObject) -> None:
    ends = sorted(data.draw(st.lists(st.integers(0, len(text) + 3), min_size=4, max_size=4)))
    row = marked(text, [(ends[0], ends[1]), (ends[2], ends[3])], "text")
    assert "".join(cell for cell, _ in row) == text


def test_a_match_far_to_the_right_is_kept_in_view() -> None:
    text = "x" * 30 + " " + "y" * 40 + "needle" + "z" * 40
    shown, spans = around(text, [(71, 77)], 30)
    assert shown[spans[0][0] : spans[0][1]] == "needle"
    assert spans[0][1] < 30


def test_a_text_that_is_shown_from_its_beginning_is_not_marked_as_cut() -> None:
    assert around("needle" * 9, [(0, 54)], 30)[0] == "needle" * 9


def test_a_text_that_goes_on_says_so_also_where_its_marks_take_no_cell() -> None:
    (row,) = wrap("e\u0301\u0302\u0303\u0304" * 50, 8, 1)
    assert row.endswith("…")
    assert cell_len(row) <= 8
