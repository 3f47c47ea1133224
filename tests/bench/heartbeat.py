"""How long the screen's thread is busy at once."""

from __future__ import annotations

import asyncio
import time
from typing import Final

BEAT: Final = 0.005
"""Seconds between two beats of a thread that has nothing else to do."""


class Heartbeat:
    """Asks for a turn again and again; `gaps` are the seconds by which each came late."""

    def __init__(self) -> None:
        self.gaps: list[float] = []
        self._last = time.perf_counter()

    async def beat(self) -> float:
        """Wait for the next turn; return the seconds since the last one."""
        await asyncio.sleep(BEAT)
        now = time.perf_counter()
        passed, self._last = now - self._last, now
        self.gaps.append(passed - BEAT)
        return passed
