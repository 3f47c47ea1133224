"""A stream of events that goes on until it is stopped, for a loop or an asynchronous one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from unspool.follow.watch import Stop

if TYPE_CHECKING:
    from unspool.follow.events import AnyEvent
    from unspool.follow.follower import Follower


class Setting(Stop, Protocol):
    """A `threading.Event`, or what behaves like one."""

    def set(self) -> None:
        """Say that it is time to stop."""
        ...


class Following:
    """Events as they happen. `for event in following` waits for the next one; `stop`, from any thread, ends it.

    `step` is for who has a loop of their own: it does what is due and returns. Use it from one thread at a time.
    """

    def __init__(self, follower: Follower, stop: Setting) -> None:
        self._follower = follower
        self._stop = stop
        self._waiting: deque[AnyEvent] = deque()

    def step(self, wait: float | None = None) -> list[AnyEvent]:
        """Wait at most `wait` seconds (default: until the next look is due); return what happened, mostly nothing.

        The first step looks at what there is and tells only what is in the way of following it.
        """
        events = [*self._waiting, *self._follower.step(wait)]
        self._waiting.clear()
        return events

    def stop(self) -> None:
        """End the stream: whoever waits for an event is told at once that no more come."""
        self._stop.set()

    def close(self) -> None:
        """Stop, and let every file and every handle go; to be called by who iterates."""
        self.stop()
        self._follower.close()

    def __iter__(self) -> Iterator[AnyEvent]:
        return self

    def __next__(self) -> AnyEvent:
        while not self._waiting:
            if self._stop.is_set():
                self._follower.close()
                raise StopIteration
            self._waiting += self._follower.step()
        return self._waiting.popleft()

    def __aiter__(self) -> AsyncIterator[AnyEvent]:
        return self

    async def __anext__(self) -> AnyEvent:
        event = await asyncio.to_thread(next, self, None)
        if event is None:
            raise StopAsyncIteration
        return event

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
