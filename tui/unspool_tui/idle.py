"""Garbage that is looked for while nobody types: looking at everything takes longer than a key may."""

from __future__ import annotations

import asyncio
import gc
import time
from typing import Final

EVERY_SECONDS: Final = 2.0
"""How often is looked whether nobody types."""

STILL_SECONDS: Final = 1.0
"""Seconds without input after which the next key is taken to be far."""

YOUNG: Final = (5_000, 10, 1_000)
"""Thresholds: what is young is looked at as usual, everything only after a thousand times that without a pause."""


class IdleCollector:
    """Looks through all objects once after each stretch of input. `heard` is told of the input, from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._usual = gc.get_threshold()
        self._heard = self._looked = 0.0
        gc.freeze()  # what was imported stays
        gc.set_threshold(*YOUNG)
        self._timer = loop.call_later(EVERY_SECONDS, self._look)

    def heard(self) -> None:
        """Note that there was input."""
        self._heard = time.monotonic()

    def stop(self) -> None:
        """Leave it to Python again."""
        self._timer.cancel()
        gc.enable()
        gc.set_threshold(*self._usual)

    def _look(self) -> None:
        gc.enable()  # while the app began it was off
        now = time.monotonic()
        if self._looked <= self._heard < now - STILL_SECONDS:
            gc.collect()
            self._looked = now
        self._timer = self._loop.call_later(EVERY_SECONDS, self._look)
