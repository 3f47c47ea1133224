from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unspool_tui.present import numbers

NOW = int(datetime(2026, 11, 27, 16, 0, tzinfo=UTC).timestamp() * 1000)
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


@pytest.mark.parametrize(
    ("count", "written"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (9949, "9.9 KB"), (9950, "10 KB"), (38_204, "38 KB"),
     (999_499, "999 KB"), (999_500, "1.0 MB"), (5_612_480, "5.6 MB"), (22_000_000_000, "22 GB")],
)  # fmt: skip
def test_a_size_has_two_figures_below_ten_and_its_unit(count: int, written: str) -> None:
    assert numbers.size(count) == written


@given(st.integers(0, 10**14))
def test_sizes_and_counts_fit_their_columns(number: int) -> None:
    assert len(numbers.size(number)) <= 6
    assert len(numbers.count(min(number, 10**11))) <= 5


@pytest.mark.parametrize(
    ("ago", "written"),
    [(-5, "now"), (59_999, "now"), (MINUTE, "1m"), (HOUR - 1, "59m"), (HOUR, "1h"), (DAY, "1d"), (7 * DAY, "20 Nov"),
     (400 * DAY, "23 Oct")],
)  # fmt: skip
def test_an_age_is_told_in_the_largest_unit_and_as_a_date_after_a_week(ago: int, written: str) -> None:
    assert numbers.age(NOW - ago, NOW, UTC) == written


@pytest.mark.parametrize(("ago", "written"), [(HOUR, "1h"), (7 * DAY, "20 Nov"), (400 * DAY, "23 Oct 25")])
def test_where_no_heading_has_the_year_an_age_has_that_of_another_one(ago: int, written: str) -> None:
    assert numbers.age(NOW - ago, NOW, UTC, year=True) == written


@pytest.mark.parametrize(
    ("ago", "name"),
    [(0, "today"), (15 * HOUR, "today"), (17 * HOUR, "yesterday"), (3 * DAY, "this week"), (10 * DAY, "november"),
     (400 * DAY, "october 2025")],
)  # fmt: skip
def test_sessions_are_put_under_calendar_days(ago: int, name: str) -> None:
    assert numbers.day(NOW - ago, NOW, UTC) == name


def test_a_time_that_no_calendar_holds_is_left_blank() -> None:
    for moment in (None, 10**18, -(10**18)):
        assert numbers.clock(moment, UTC) == ""
        assert numbers.age(moment, NOW, UTC) == ""
        assert numbers.span(moment, moment, NOW, UTC) == ""


def test_a_span_names_the_day_only_where_it_is_not_today() -> None:
    assert numbers.span(NOW - 2 * HOUR, NOW - HOUR, NOW, UTC) == "14:00 – 15:00"
    assert numbers.span(NOW - 2 * HOUR, NOW, NOW, UTC) == "14:00 – now"
    assert numbers.span(NOW - 3 * DAY, NOW - 3 * DAY + HOUR, NOW, UTC) == "24 Nov 16:00 – 17:00"
    assert numbers.span(NOW - 30 * HOUR, NOW - HOUR, NOW, UTC) == "26 Nov 10:00 – 27 Nov 15:00"
