"""Token use of a rollout, from counters that only grow: over the session, over resumes, and over forks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unspool.dataclass import dataclass
from unspool.formats import fields
from unspool.formats.facts import Usage

Counter = tuple[int, int, int, int]
"""Input (cached input included), cached input, input written to the cache, output."""

_KEYS = ("input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens")


@dataclass(slots=True)
class UsageMeter:
    """Adds up what a session itself used; what a fork inherited was paid for in the session it came from."""

    before: Counter | None = None
    own: Counter | None = None

    def take(self, info: Mapping[str, Any], *, inherited: bool, forked: bool) -> None:
        """Take the `info` of the next `token_count` event; `forked` says that the session began as another one."""
        total, last = _counter(info.get("total_token_usage")), _counter(info.get("last_token_usage"))
        if total is None:
            return
        if not inherited:
            grown = last if forked and self.before is None and last is not None else self._grown(total, last)
            self.own = grown if self.own is None else _sum(self.own, grown)
        self.before = total

    def usage(self) -> Usage | None:
        """Return the own use, `None` before the first number."""
        if self.own is None:
            return None
        given, cached, written, output = self.own
        return Usage(max(0, given - cached - written), output, cached, written)

    def _grown(self, total: Counter, last: Counter | None) -> Counter:
        """Return what came since the number before; a counter that began again starts from zero."""
        before = self.before
        if before is None or total == before:
            return total if before is None else (0, 0, 0, 0)
        grown = _sum(total, (-before[0], -before[1], -before[2], -before[3]))
        return total if total == last or min(grown) < 0 else grown


def _counter(value: Any) -> Counter | None:
    told = fields.mapping(value)
    if not told:
        return None
    given, cached, written, output = map(fields.count_of, map(told.get, _KEYS))
    return given, cached, written, output


def _sum(one: Counter, other: Counter) -> Counter:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3])
