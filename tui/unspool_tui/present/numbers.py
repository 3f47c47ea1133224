"""Sizes, counts, ages and durations, as every screen writes them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import tzinfo

SIZE_SHOWN_FROM: Final = 1000
"""Bytes: a smaller size is noise in a list."""

SIZE_STRIKING_FROM: Final = 1_000_000
"""Bytes: from here on a size is worth a look of its own."""


def size(count: int) -> str:
    """Write bytes in at most 6 cells, in powers of 1000: `812 B`, `2.0 KB`, `38 KB`, `5.6 MB`."""
    if count < 1000:
        return f"{count} B"
    value = float(count)
    for unit in ("KB", "MB", "GB", "TB"):
        value /= 1000
        if value < 9.95:
            return f"{value:.1f} {unit}"
        if value < 999.5 or unit == "TB":
            return f"{value:.0f} {unit}"
    raise AssertionError


def listed_size(count: int) -> str:
    """Write bytes for a list: nothing below `SIZE_SHOWN_FROM`."""
    return size(count) if count >= SIZE_SHOWN_FROM else ""


def count(number: int) -> str:
    """Write a count in at most 5 cells: `812`, `1.2k`, `48k`, `1.1M`."""
    if number < 1000:
        return str(number)
    value = float(number)
    for unit in ("k", "M", "G"):
        value /= 1000
        if value < 9.95:
            return f"{value:.1f}{unit}"
        if value < 999.5 or unit == "G":
            return f"{value:.0f}{unit}"
    raise AssertionError


def full(number: int) -> str:
    """Write a count in full, in groups of three: `48 210`."""
    return f"{number:,}".replace(",", " ")


def plural(number: int, one: str, many: str = "") -> str:
    """Write `1 turn`, `2 turns`, `48 210 lines`."""
    return f"{full(number)} {one if number == 1 else many or one + 's'}"


def duration(milliseconds: int) -> str:
    """Write `340 ms`, `12 s`, `4 min`, `3 h`."""
    seconds = milliseconds / 1000
    if seconds < 1:
        return f"{max(0, milliseconds)} ms"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"


def clock(milliseconds: int | None, zone: tzinfo | None, *, seconds: bool = True) -> str:
    """Write a time of day (`10:42:19`), nothing for none; `zone` is `None` for this machine's own."""
    moment = _moment(milliseconds, zone)
    return "" if moment is None else time.strftime("%H:%M:%S" if seconds else "%H:%M", moment)


def age(milliseconds: int | None, now: int, zone: tzinfo | None, *, year: bool = False) -> str:
    """Write how long ago something was: `now`, `2m`, `3h`, `1d` up to a week, then `9 Nov`.

    Where no heading has it, `year` adds a year that is not this one: `9 Nov 25`.
    """
    moment = _moment(milliseconds, zone)
    if moment is None or milliseconds is None:
        return ""
    minutes = (now - milliseconds) // 60_000
    if minutes < 1:
        return "now"
    if minutes < 60:
        return f"{minutes}m"
    if minutes < 24 * 60:
        return f"{minutes // 60}h"
    if minutes < 7 * 24 * 60:
        return f"{minutes // (24 * 60)}d"
    return _date(moment, _moment(now, zone) if year else moment)


def day(milliseconds: int | None, now: int, zone: tzinfo | None) -> str:
    """Name the stretch of time a session belongs to: `today`, `yesterday`, `this week`, `november`, `november 2024`."""
    moment, today = _moment(milliseconds, zone), _moment(now, zone)
    if moment is None or today is None:
        return "no time"
    days = _day(today) - _day(moment)
    if days < 1:
        return "today"
    if days == 1:
        return "yesterday"
    if days < 7:
        return "this week"
    month = _MONTHS[moment.tm_mon - 1]
    return month.lower() if moment.tm_year == today.tm_year else f"{month.lower()} {moment.tm_year}"


def span(first: int | None, last: int | None, now: int, zone: tzinfo | None) -> str:
    """Write when something began and ended: `10:12 – 10:58`, with the date when it was not today."""
    start, end, today = _moment(first, zone), _moment(last, zone), _moment(now, zone)
    if start is None or end is None or today is None:
        return ""
    if last is not None and now - last < 60_000:
        until = "now"
    else:
        until = time.strftime("%H:%M", end)
        if end[:3] != start[:3]:
            until = f"{_date(end, today)} {until}"
    since = time.strftime("%H:%M", start)
    return f"{since} – {until}" if start[:3] == today[:3] else f"{_date(start, today)} {since} – {until}"


_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip


def _date(moment: time.struct_time, today: time.struct_time | None) -> str:
    written = f"{moment.tm_mday} {_MONTHS[moment.tm_mon - 1][:3]}"
    same = today is not None and moment.tm_year == today.tm_year
    return written if same else f"{written} {moment.tm_year % 100:02d}"


def _day(moment: time.struct_time) -> int:
    """Return the number of a day."""
    from datetime import date

    return date(*moment[:3]).toordinal()


def _moment(milliseconds: int | None, zone: tzinfo | None) -> time.struct_time | None:
    if milliseconds is None:
        return None
    try:
        if zone is None:
            return time.localtime(milliseconds / 1000)
        from datetime import datetime

        return datetime.fromtimestamp(milliseconds / 1000, tz=zone).timetuple()
    except (OverflowError, ValueError, OSError):
        return None
