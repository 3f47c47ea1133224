from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.properties.laws import VALUES, law
from unspool.formats.fields import as_int, items, mapping, milliseconds, text
from unspool.sources.json_value import Number


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("2026-06-01T09:00:01.000Z", 1780304401000),
        ("2026-06-01T09:00:01.9999Z", 1780304401999),
        ("2026-06-01T11:00:01+02:00", 1780304401000),
        ("2026-06-01T09:00:01", 1780304401000),
        ("1969-12-31T23:59:59.5Z", None),
        (1780304401, 1780304401000),
        (1780304401.25, 1780304401250),
        (1780304401000, 1780304401000),
        (Number("1780304401000"), 1780304401000),
        ("yesterday", None),
        ("2026-13-01T00:00:00Z", None),
        ("", None),
        (0, None),
        (True, None),
        (1e300, None),
        (None, None),
    ],
)
def test_times_are_read_as_milliseconds(value: Any, time: int | None) -> None:
    assert milliseconds(value) == time


@pytest.mark.parametrize(
    ("value", "number"),
    [(7, 7), (7.9, 7), (Number("12"), 12), (Number("1e400"), None), (1 << 60, None), (True, None), ("7", None)],
)
def test_whole_numbers_are_taken_and_nothing_else(value: Any, number: int | None) -> None:
    assert as_int(value) == number


@given(VALUES)
@law
def test_a_wrong_type_is_an_absent_value(value: Any) -> None:
    assert text(value) == (value if isinstance(value, str) else None)
    assert mapping(value) == (value if isinstance(value, dict) else {})
    assert items(value) == (value if isinstance(value, list) else [])
    assert text(Number("7")) is None
