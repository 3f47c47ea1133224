"""The loop of the screen's thread: threads that compute let it go first, for Python runs one of them at a time."""

from __future__ import annotations

import asyncio
import math
import select
import selectors
import threading
from collections.abc import Callable
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from selectors import SelectorKey

GONE_ON_AFTER: Final = 0.05
"""Seconds after which who made way goes on though the loop has more to do: a screen that never rests starves nobody."""


WAKING: Final = 0.0002
"""Seconds between two looks whether a loop whose rest is over was given the interpreter."""


class RestingSelector(selectors.DefaultSelector):
    """Waits for what happens; meanwhile the loop is at `rest`, until that is over."""

    def __init__(self) -> None:
        super().__init__()
        self.rest = threading.Event()
        self._until = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """Wait; a loop that has something left to do only looks, and does not rest."""
        if timeout != 0:
            self._until = math.inf if timeout is None else monotonic() + timeout
            self.rest.set()
        try:
            return super().select(timeout)
        finally:
            self.rest.clear()

    def is_over(self) -> bool:
        """Say, on another thread, that the loop waits for the interpreter, and for nothing else.

        Until it is given that, it cannot tell itself that it rests no more. Two threads that compute can hand it to
        each other for a tenth of a second: one that comes back from reading a file takes it before one that sleeps.
        """
        if not self.rest.is_set():
            return False
        if monotonic() >= self._until:
            return True
        happened = select.poll()
        happened.register(self.fileno(), select.POLLIN)
        return bool(happened.poll(0))


class ScreenLoop(asyncio.SelectorEventLoop):
    """A loop that says when it has nothing to do."""

    def __init__(self) -> None:
        self._resting = RestingSelector()
        super().__init__(self._resting)

    def make_way(self) -> None:
        """Wait until the loop rests, on another thread: what is called for each of many small steps."""
        end = monotonic() + GONE_ON_AFTER
        while (left := end - monotonic()) > 0 and self._resting.rest.wait(left) and self._resting.is_over():
            sleep(WAKING)


def way_to_make() -> Callable[[], None]:
    """Return what a thread is to call between two steps to let the loop that runs here go first."""
    loop = asyncio.get_running_loop()
    return loop.make_way if isinstance(loop, ScreenLoop) else _go_on


def _go_on() -> None:
    """Make no way: another loop tells of no rest."""
