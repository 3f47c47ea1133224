"""Times of records: from whatever a writer put down, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from unspool.formats.fields import milliseconds
from unspool.sources.json_value import Number

NINE = 1_780_304_400_000


@pytest.mark.parametrize(
    "stamp",
    ["2026-06-01T09:00:00Z", "2026-06-01T11:00:00.000+02:00", "2026-06-01T09:00:00", 1_780_304_400, NINE, float(NINE)],
)
def test_a_time_is_read_from_text_seconds_and_milliseconds(stamp: Any) -> None:
    assert milliseconds(stamp) == NINE


def test_fractions_of_seconds_count() -> None:
    assert milliseconds(1_780_304_400.25) == NINE + 250
    assert milliseconds(Number("1780304400")) == NINE


@pytest.mark.parametrize(
    "stamp",
    [
        NINE * 1_000,
        NINE * 1_000_000,
        10**30,
        4_102_444_800_000,
        4_102_444_800,
        0,
        -1,
        -0.5,
        float("inf"),
        float("nan"),
        "0001-01-01T00:00:00Z",
        "1970-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "yesterday",
        "",
        True,
        None,
        [],
        {"$date": NINE},
    ],
)
def test_what_can_be_no_time_of_a_record_is_none(stamp: Any) -> None:
    assert milliseconds(stamp) is None
