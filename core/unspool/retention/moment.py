"""The present, by two clocks: the one that people set, and one that nobody can."""

from __future__ import annotations

import time
from typing import Final

from unspool.dataclass import dataclass

JUMP_MS: Final = 5 * 60_000
"""Milliseconds by which the two clocks may differ between a plan and its application: no clock is corrected by more."""

SKEW_MS: Final = 3_600_000
"""Milliseconds by which the file system's clock may differ from ours: files on a server are stamped by the server's."""

AHEAD_MS: Final = 24 * 3_600_000
"""Milliseconds by which a file may be of the future: a zone that was wrong once is no more than that."""


@dataclass(frozen=True, slots=True)
class Moment:
    """`wall` is milliseconds since 1970; `steady` milliseconds of a clock that only ever runs, asleep or awake."""

    wall: int
    steady: int

    @classmethod
    def now(cls) -> Moment:
        """Return the present."""
        return cls(time.time_ns() // 1_000_000, _steady_ns() // 1_000_000)

    def jumped_since(self, earlier: Moment) -> bool:
        """Say whether the clock was set in between, forwards or backwards."""
        return abs((self.wall - earlier.wall) - (self.steady - earlier.steady)) > JUMP_MS


def _steady_ns() -> int:
    """Return a clock that runs while the machine sleeps, where there is one."""
    awake_or_not = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic_ns() if awake_or_not is None else time.clock_gettime_ns(awake_or_not)
