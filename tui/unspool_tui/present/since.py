"""Since when: an age (`30m`, `12h`, `7d`, `2w`), a day or a time, in the command's options and in the app's filter."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from unspool.dataclass import dataclass
from unspool.pattern import pattern
from unspool.text import elided

SHOWN: Final = 60
"""Characters of a wrong value that its message repeats."""

FORMS: Final = "2026-06-01, 2026-06-01T09:00, 7d or 12h"
"""What can be written, by example."""

OLDEST: Final = timedelta(days=719_162)
"""From the first year of the calendar to 1970: no age reaches further back."""

_AGE = pattern(r"([0-9]{1,6})(m|h|d|w)\Z")
_UNIT: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class NoTime(ValueError):
    """A text is no age, day or time; the message says what would be one."""


@dataclass(frozen=True, slots=True)
class Since:
    """An age before now, or a moment in milliseconds since 1970 UTC; the other one is `None`."""

    age: timedelta | None = None
    moment: int | None = None

    @classmethod
    def parse(cls, text: str) -> Since:
        """Read `12h`, `2026-06-01` or `2026-06-01T09:00`, which is in this machine's zone; raises `NoTime`."""
        age, shown = age_of(text), repr(elided(text, SHOWN))
        try:
            if age is not None and age > OLDEST:
                raise OverflowError
            return cls(age) if age is not None else cls(moment=_milliseconds(datetime.fromisoformat(text)))
        except OverflowError:
            raise NoTime(f"{shown} lies outside of the calendar; write {FORMS}") from None
        except ValueError:
            raise NoTime(f"no time: {shown}; write {FORMS}") from None

    def begins(self, now: int) -> int:
        """Return the moment that it means, in milliseconds since 1970 UTC."""
        if self.age is not None:
            return now - self.age // timedelta(milliseconds=1)
        return self.moment or 0


def age_of(text: str) -> timedelta | None:
    """Parse an age, as 90m, 12h, 30d or 6w; `None` for another text."""
    found = _AGE.match(text.lower())
    return timedelta(**{_UNIT[found[2]]: int(found[1])}) if found else None


def _milliseconds(moment: datetime) -> int:
    return int(moment.astimezone().timestamp() * 1000)
