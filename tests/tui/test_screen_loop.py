"""Threads that compute let the screen's thread go first, and are not starved by it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable

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
