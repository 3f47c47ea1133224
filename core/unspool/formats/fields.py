"""Taking typed values out of records whose types nobody promised; wrong types are absent values, never errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.sources.json_value import Number, compact

if TYPE_CHECKING:
    from datetime import UTC, datetime, timedelta
else:
    try:  # what the standard library takes them from: its own module is a calendar in Python first
        from _datetime import UTC, datetime, timedelta
    except ImportError:
        from datetime import UTC, datetime, timedelta

_NOTHING: Final[Mapping[str, Any]] = {}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_ISO_CHARACTERS: Final = 48
"""Longer strings are no times; nothing longer is parsed."""
MOST: Final = 1 << 53
"""Integers beyond this are no counts or times (and JSON writers elsewhere would have rounded them)."""
_SECONDS_BELOW: Final = 100_000_000_000
"""A bare number below this counts seconds (it would be March 1973 in milliseconds), from it on milliseconds."""
_FIRST: Final = 1
_BEYOND: Final = 4_102_444_800_000
"""What can be the time of a record: no zero time, and nothing from the year 2100 on, as micro- and nanoseconds are."""


def text(value: Any) -> str | None:
    """Return a string; `None` for everything else, numbers kept as text included."""
    if type(value) is str:
        return value
    return value if isinstance(value, str) and not isinstance(value, Number) else None


def identity(value: Any) -> str | None:
    """Return an id as text: a string as it is, everything else as compact JSON; `None` for nothing or an empty one.

    The agents' own ids are strings; what another writer put in their place, a number above all, links things as well.
    """
    if type(value) is str:
        return value or None
    if value is None:
        return None
    return text(value) or compact(value)


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object; an empty one for everything else."""
    return value if isinstance(value, dict) else _NOTHING


def items(value: Any) -> list[Any]:
    """Return an array; an empty one for everything else."""
    return value if isinstance(value, list) else []


def as_amount(value: Any) -> float | None:
    """Return a number from zero on, as of dollars; `None` for everything else, booleans and infinity included."""
    return float(value) if type(value) in (int, float) and 0 <= value <= MOST else None


def as_int(value: Any) -> int | None:
    """Return a whole number of at most 2**53 in size; `None` for everything else."""
    if type(value) is int and -MOST <= value <= MOST:
        return value
    if isinstance(value, Number):
        value = int(value) if value.isascii() and value.isdigit() and len(value) <= 16 else None
    if isinstance(value, float):
        value = int(value) if -MOST <= value <= MOST else None
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if -MOST <= value <= MOST else None


def count_of(value: Any) -> int:
    """Return a count of at most 2**53; 0 for everything else."""
    if type(value) is int and 0 <= value <= MOST:
        return value
    return max(0, as_int(value) or 0)


def milliseconds(value: Any) -> int | None:
    """Return a time in milliseconds since 1970 UTC, from ISO 8601 text (UTC when it names no zone) or a number.

    What cannot be the time of a record is `None`: one bad stamp says nothing about its session.
    """
    if type(value) is str or (isinstance(value, str) and not isinstance(value, Number)):
        time = _iso_milliseconds(value)
    else:
        time = as_int(value)
        if time is not None and time < _SECONDS_BELOW:
            time = int(float(value) * 1000)
    return time if time is not None and _FIRST <= time < _BEYOND else None


def _iso_milliseconds(value: str) -> int | None:
    if len(value) > _ISO_CHARACTERS:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // _MILLISECOND
