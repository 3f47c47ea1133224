"""What a look takes, and how long it is waited after one that nothing asked for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

COST_RATIO: Final = 200
"""Such a look is followed by a pause of so many times what it took of a processor: half a percent of one."""

WAITED_RATIO: Final = 10
"""And of so many times what it took by the clock: a slow disk is busy too; on a busy machine time says little."""


class Effort:
    """Measures from its making on; by one thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._began = now()
        self._worked = time.thread_time()

    def pause(self, least: float, ratio: float = COST_RATIO) -> float:
        """Return the seconds to wait now, at least some."""
        worked, waited = time.thread_time() - self._worked, self._now() - self._began
        return max(least, ratio * worked, min(ratio, WAITED_RATIO) * waited)
