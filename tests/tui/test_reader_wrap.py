from __future__ import annotations

from itertools import pairwise
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.tui.hostile_text import lines
from unspool.text import clean
from unspool_tui.present import layout as layouts
from unspool_tui.present.layout import SEAM, Layout
from unspool_tui.present.lines import line_of
from unspool_tui.present.wrap import HANG, RUN_KEPT, hung, wrapped

WIDTHS = st.integers(min_value=8, max_value=90)


def rows_of(text: str, width: int, *, squeeze: bool = False) -> list[str]:
    return ["".join(text[start:stop] for start, stop in spans) for spans in wrapped(text, width, squeeze=squeeze)]


@given(lines, WIDTHS)
def test_the_rows_of_a_line_join_to_the_line(line: str, width: int) -> None:
    text = clean(line, newline=False)

    assert "".join(rows_of(text, width)) == text


@given(lines, WIDTHS, st.booleans())
def test_no_row_is_wider_than_its_room_but_for_a_space_at_its_end(line: str, width: int, squeeze: bool) -> None:
    text = clean(line, newline=False)
    first, *rest = rows_of(text, width, squeeze=squeeze)

    assert cell_len(first.removesuffix(" ")) <= width
    assert all(cell_len(row.removesuffix(" ")) <= width - hung(text, width) for row in rest)


@given(lines, WIDTHS)
@example("x" * 30 + "=" * 30, 50)
def test_a_shortened_line_lost_nothing_but_parts_of_runs(line: str, width: int) -> None:
    text = clean(line, newline=False)
    rows = wrapped(text, width, squeeze=True)
    if len(rows) > 1:
        return
    (spans,) = rows

    for (_, stop), (start, _) in pairwise(spans):
        dropped = text[stop - RUN_KEPT : start]
        assert len(set(dropped)) == 1
        assert dropped[0] in " =_.~*#─━═-"


@given(lines, WIDTHS)
@example("x" * 8 + "\u0301" + "y" * 20, 8)
@example("日" * 6 + "\u0301" + "y" * 20, 12)
def test_no_row_begins_with_a_mark_that_belongs_to_a_letter(line: str, width: int) -> None:
    text = clean(line, newline=False)

    assert all(cell_len(row[0]) > 0 for row in rows_of(text, width)[1:])


def test_a_long_line_breaks_after_a_space_and_hangs_in_by_its_indent_and_four() -> None:
    text = "    return self._pending.pop(job, default_value_of_the_queue)"

    assert rows_of(text, 40) == ["    return self._pending.pop(job, ", "default_value_of_the_queue)"]
    assert hung(text, 40) == 4 + HANG


def test_a_row_that_is_just_full_takes_the_space_behind_it_along() -> None:
    assert rows_of("aaaa bbbbb cccc dddd", 10) == ["aaaa bbbbb ", "cccc ", "dddd"]


def test_a_word_longer_than_the_room_is_broken_where_the_row_ends() -> None:
    assert [len(row) for row in rows_of("x" * 100, 40)] == [40, 36, 24]


def test_wide_characters_are_counted_as_two_cells() -> None:
    assert rows_of("日本語のエラー", 9) == ["日本語の", "エラー"]


def test_a_report_made_for_eighty_columns_stays_in_one_row_of_a_narrower_pane() -> None:
    rule = "=" * 31 + " short summary " + "=" * 34
    gap = "tests/queue/test_worker.py ............" + " " * 34 + "[ 99%]"

    assert rows_of(rule, 70, squeeze=True) == ["=" * 28 + " short summary " + "=" * 27]
    assert rows_of(gap, 70, squeeze=True) == ["tests/queue/test_worker.py ............" + " " * 25 + "[ 99%]"]


def test_four_characters_stay_of_a_run_however_narrow_the_pane() -> None:
    text = "x" * 20 + " " * 20 + "y" * 16

    assert rows_of(text, 40, squeeze=True) == ["x" * 20 + " " * 4 + "y" * 16]
    assert "".join(rows_of(text, 39, squeeze=True)) == text


def test_a_line_that_would_not_fit_even_so_is_broken_and_keeps_its_runs() -> None:
    text = "=" * 10 + "word " * 14

    assert "".join(rows_of(text, 60, squeeze=True)) == text


def test_a_line_of_twenty_million_characters_is_not_looked_at_for_runs() -> None:
    assert len(wrapped("=" * 100_000, 100, squeeze=True)) == 1 + -(-(100_000 - 100) // 96)


@given(st.lists(lines, min_size=1, max_size=12), WIDTHS)
def test_every_row_of_a_layout_is_found_again_by_its_first_character(texts: list[str], width: int) -> None:
    layout = Layout([line_of([(clean(text, newline=False), "text")]) for text in texts], width)

    for row in range(layout.rows):
        place = layout.at(row)
        assert layout.row_of(place.line, place.start) == row


def test_the_seam_stands_between_what_was_seen_and_what_was_not_even_within_a_line() -> None:
    lines_ = [line_of([(text, "text")]) for text in ("first", "second line", "third")]
    layout = Layout(lines_, 40, seam=(1, 6))

    rows = [layout.at(row) for row in range(layout.rows)]
    assert [(place.line, place.spans) for place in rows] == [
        (0, ((0, 5),)),
        (1, ((0, 6),)),
        (1, SEAM),
        (1, ((6, 11),)),
        (2, ((0, 5),)),
    ]
    assert [place.first for place in rows] == [True, True, False, False, True]


@pytest.mark.parametrize("wrap", [True, False])
def test_behind_a_seam_between_two_lines_the_second_keeps_its_number(wrap: bool) -> None:
    lines_ = [line_of([(text, "text")]) for text in ("first", "second", "third")]
    layout = Layout(lines_, 40, wrap=wrap, seam=(1, 0))

    rows = [layout.at(row) for row in range(layout.rows)]
    assert [(place.line, place.is_seam) for place in rows] == [(0, False), (1, True), (1, False), (2, False)]
    assert [place.first for place in rows if not place.is_seam] == [True, True, True]


def test_where_lines_are_not_broken_the_seam_stands_behind_its_line() -> None:
    lines_ = [line_of([(text, "text")]) for text in ("first", "second line", "third")]
    layout = Layout(lines_, 40, wrap=False, seam=(1, 6))

    rows = [layout.at(row) for row in range(layout.rows)]
    assert [(place.line, place.is_seam) for place in rows] == [(0, False), (1, False), (1, True), (2, False)]


@given(st.lists(lines, min_size=1, max_size=12), WIDTHS, st.integers(0, 11), st.booleans())
def test_a_layout_made_in_slices_comes_to_be_the_one_made_at_once(
    texts: list[str], width: int, near: int, seam: bool
) -> None:
    lines_ = [line_of([(clean(text, newline=False), "text")]) for text in texts]
    spot = (len(lines_) // 2, 3) if seam else None
    whole = Layout(lines_, width, seam=spot)
    with patch.object(layouts, "NEAR_CHARACTERS", 5):
        sliced = Layout(lines_, width, seam=spot, near=min(near, len(lines_) - 1))
    for row in range(sliced.rows):
        place = sliced.at(row)  # whatever is asked meanwhile has an answer
        assert 0 <= place.line < len(lines_)
        assert all(start <= stop <= len(lines_[place.line].text) for start, stop in place.spans)
    while not sliced.go_on(20):
        assert not sliced.complete
    sliced.settle()

    assert sliced.complete
    assert [sliced.at(row) for row in range(sliced.rows)] == [whole.at(row) for row in range(whole.rows)]


def test_lines_around_the_one_that_is_looked_at_are_broken_first() -> None:
    lines_ = [line_of([("word " * 200, "text")]) for _ in range(2_000)]
    layout = Layout(lines_, 80, near=1_000)
    broken = sorted(layout._broken)

    assert not layout.complete
    assert broken[0] < 1_000 < broken[-1]
    assert len(broken) < 60
