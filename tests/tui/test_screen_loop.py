"""Threads that compute let the screen's thread go first, and are not starved by it."""

from __future__ import annotations

import asyncio
import os
import selectors
import threading
from collections.abc import Callable
from contextlib import closing

import pytest

from unspool_tui import app, screen_loop
from unspool_tui.app import UnspoolApp
from unspool_tui.screen_loop import RestingSelector, ScreenLoop, way_to_make

PATIENCE = 60.0


class Noted(threading.Event):
    """Notes how often it was set."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    def set(self) -> None:
        self.times += 1
        super().set()


def test_a_loop_rests_while_it_waits_and_not_when_it_only_looks() -> None:
    with RestingSelector() as selector:
        selector.rest = noted = Noted()
        selector.select(0)
        assert noted.times == 0
        selector.select(0.001)
        assert noted.times == 1
        assert not noted.is_set()


class Asked(threading.Event):
    """What is asked of a selector when its rest begins, and when its wait returned but the loop could not go on yet."""

    def __init__(self, ask: Callable[[], bool]) -> None:
        super().__init__()
        self._ask = ask
        self.answers: list[bool] = []

    def set(self) -> None:
        super().set()
        self.answers.append(self._ask())

    def clear(self) -> None:
        self.answers.append(self._ask())
        super().clear()


def test_a_rest_is_over_when_its_time_is() -> None:
    with RestingSelector() as selector:
        selector.rest = asked = Asked(selector.is_over)
        selector.select(0.1)
        assert asked.answers == [False, True]
        assert not selector.is_over()


@pytest.mark.parametrize("timeout", [None, PATIENCE])
def test_a_rest_is_over_when_something_happened(timeout: float | None) -> None:
    reading, writing = os.pipe()
    with RestingSelector() as selector, open(reading, "rb"), open(writing, "wb", 0) as file:
        selector.register(reading, selectors.EVENT_READ)
        file.write(b"x")
        selector.rest = asked = Asked(selector.is_over)
        assert selector.select(timeout)
        assert asked.answers == [True, True]


@pytest.mark.parametrize(("looks", "given"), [((True, True, False), PATIENCE), ((True,) * 1_000, 0.01)])
def test_who_makes_way_waits_for_a_loop_that_waits_for_the_interpreter(
    monkeypatch: pytest.MonkeyPatch, looks: tuple[bool, ...], given: float
) -> None:
    """It sleeps, so that somebody else gets it; and goes on when the loop never does."""
    left, slept = iter(looks), 0
    with closing(ScreenLoop()) as loop:
        selector = loop._selector  # type: ignore[attr-defined]
        selector.rest.set()

        def sleep(_: float) -> None:
            nonlocal slept
            slept += 1
            threading.Event().wait(0.001)

        monkeypatch.setattr(screen_loop, "GONE_ON_AFTER", given)
        monkeypatch.setattr(selector, "is_over", lambda: next(left))
        monkeypatch.setattr(screen_loop, "sleep", sleep)
        loop.make_way()
        selector.rest.clear()
    assert 0 < slept < len(looks)


def stepping(steps: list[str]) -> Callable[[], None]:
    """Return what a thread does: one step, once it was made way for."""
    make_way = way_to_make()

    def step() -> None:
        make_way()
        steps.append("thread")

    return step


def test_who_makes_way_waits_until_the_screen_has_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_loop, "GONE_ON_AFTER", PATIENCE)
    steps: list[str] = []

    async def screen() -> None:
        thread = threading.Thread(target=stepping(steps))
        thread.start()
        for _ in range(2_000):
            await asyncio.sleep(0)
        steps.append("screen")
        await asyncio.to_thread(thread.join)

    with asyncio.Runner(loop_factory=ScreenLoop) as runner:
        runner.run(screen())
    assert steps == ["screen", "thread"]


def test_a_screen_that_never_rests_starves_nobody() -> None:
    steps: list[str] = []

    async def screen() -> None:
        thread = threading.Thread(target=stepping(steps))
        thread.start()
        async with asyncio.timeout(PATIENCE):
            while thread.is_alive():  # noqa: ASYNC110 (this loop shall not rest)
                await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=ScreenLoop) as runner:
        runner.run(screen())
    assert steps == ["thread"]


async def test_a_loop_that_tells_of_no_rest_keeps_nobody_waiting() -> None:
    steps: list[str] = []
    stepping(steps)()
    assert steps == ["thread"]


def test_the_app_runs_on_a_loop_that_tells_of_its_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[asyncio.AbstractEventLoop] = []

    async def run_async(_: UnspoolApp, **_given: object) -> int:
        found.append(asyncio.get_running_loop())
        return 0

    monkeypatch.setattr(UnspoolApp, "run_async", run_async)
    monkeypatch.setattr(os, "isatty", lambda _: True)
    monkeypatch.setattr(app, "drawn_on", lambda: True)
    assert app.run(object()) == 0  # type: ignore[arg-type]  # it is asked nothing
    assert isinstance(found[0], ScreenLoop)
