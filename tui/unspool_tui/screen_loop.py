"""The loop of the screen's thread: threads that compute let it go first, for Python runs one of them at a time."""

from __future__ import annotations

import asyncio
import selectors
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from selectors import SelectorKey

GONE_ON_AFTER: Final = 0.05
"""Seconds after which who made way goes on though the loop has more to do: a screen that never rests starves nobody."""


class RestingSelector(selectors.DefaultSelector):
    """Waits for what happens; meanwhile the loop is at `rest`."""

    def __init__(self) -> None:
        super().__init__()
        self.rest = threading.Event()

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """Wait; a loop that has something left to do only looks, and does not rest."""
        if timeout != 0:
            self.rest.set()
        try:
            return super().select(timeout)
        finally:
            self.rest.clear()


class ScreenLoop(asyncio.SelectorEventLoop):
    """A loop that says when it has nothing to do."""

    def __init__(self) -> None:
        selector = RestingSelector()
        super().__init__(selector)
        self._rest = selector.rest

    def make_way(self) -> None:
        """Wait until the loop rests, on another thread: what is called for each of many small steps."""
        self._rest.wait(GONE_ON_AFTER)


def way_to_make() -> Callable[[], None]:
    """Return what a thread is to call between two steps to let the loop that runs here go first."""
    loop = asyncio.get_running_loop()
    return loop.make_way if isinstance(loop, ScreenLoop) else _go_on


def _go_on() -> None:
    """Make no way: another loop tells of no rest."""
