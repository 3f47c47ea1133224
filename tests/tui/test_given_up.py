"""What was asked for and comes later: nothing of it opens once the person has gone on, or said so with escape."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from tests.tui.conftest import MEDIUM, app_on
from tests.tui.driving import Grid, press, settle, until
from unspool_tui import pager
from unspool_tui.app import UnspoolApp
from unspool_tui.gateway import Gateway
from unspool_tui.outbox import copies
from unspool_tui.present import next_match
from unspool_tui.screens import copying
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.widgets.key_bar import KeyBar
from unspool_tui.widgets.word_input import WordInput

Told = tuple[Path, str]

GOING_ON = ["escape", "down", "question_mark", "slash", "o", "s", "ctrl+p", "enter"]
"""What a person may do at the list instead of waiting."""


class Held:
    """Holds a function back until it is let go."""

    def __init__(self, inner: Callable[..., Any]) -> None:
        self._inner = inner
        self._go = threading.Event()
        self.threads: list[threading.Thread] = []

    def __call__(self, *given: Any, **named: Any) -> Any:
        self.threads.append(threading.current_thread())
        assert self._go.wait(60)
        return self._inner(*given, **named)

    def let_go(self) -> None:
        self._go.set()


def screens(app: UnspoolApp) -> list[str]:
    """Name the screens that lie over each other, the topmost last."""
    return [type(screen).__name__ for screen in app.screen_stack]


async def wait_at(pilot: Pilot[int], words: str) -> None:
    """Wait until the screen says what it waits for, and how to stop it."""
    await until(pilot, lambda grid: grid.has(f"{words}   esc stops it"))


async def let_go(pilot: Pilot[int], held: Held) -> None:
    """Let what was held back come, and wait until it had every chance to be seen."""
    held.let_go()
    while any(each.is_alive() for each in held.threads):  # one that was given up tells nobody
        await pilot.pause(0.01)
    await settle(pilot)


@pytest.fixture
def lent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Hold the opening of sessions back."""
    held = Held(Gateway._view)
    monkeypatch.setattr(Gateway, "_view", lambda gateway, target: held(gateway, target))
    yield held
    held.let_go()


@pytest.fixture
def tailed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Hold the opening of sessions to be shown back."""
    held = Held(Gateway._tail)
    monkeypatch.setattr(Gateway, "_tail", lambda gateway, target: held(gateway, target))
    yield held
    held.let_go()


async def export_is_asked(pilot: Pilot[int]) -> None:
    """Ask for an export of the session in the list, which is still to be read."""
    await until(pilot, lambda grid: grid.has("Invoices drift"))
    await pilot.pause()
    await pilot.press("x")
    await wait_at(pilot, "reading the session …")


async def test_an_export_of_a_listed_session_opens_when_that_is_read(told: Told, lent: Held) -> None:
    async with app_on(told[0]).run_test(size=MEDIUM) as pilot:
        await export_is_asked(pilot)
        await let_go(pilot, lent)
        assert screens(pilot.app)[-1] == "ExportDialog"
        assert not Grid(pilot.app).has("stops it")


@pytest.mark.parametrize("key", GOING_ON)
async def test_an_export_that_was_given_up_opens_no_more(told: Told, lent: Held, key: str) -> None:
    async with app_on(told[0]).run_test(size=MEDIUM) as pilot:
        await export_is_asked(pilot)
        await pilot.press(key)
        await pilot.pause()
        assert not Grid(pilot.app).has("stops it")
        await let_go(pilot, lent)
        assert "ExportDialog" not in screens(pilot.app)


async def test_how_to_stop_it_is_said_in_a_window_of_any_width(told: Told, tailed: Held) -> None:
    async with app_on(*told).run_test(size=(50, 15)) as pilot:
        await pilot.press("e")
        await wait_at(pilot, "…")


async def test_a_click_elsewhere_gives_up_too(told: Told, lent: Held) -> None:
    async with app_on(told[0]).run_test(size=MEDIUM) as pilot:
        await export_is_asked(pilot)
        await pilot.click(offset=(20, 6))
        await let_go(pilot, lent)
        assert "ExportDialog" not in screens(pilot.app)


async def path_is_given(pilot: Pilot[int], path: str) -> None:
    """Ask for a session by its path."""
    await settle(pilot)
    await pilot.press("o")
    field = pilot.app.focused
    assert isinstance(field, WordInput)
    field.value = path
    await pilot.press("enter")
    await wait_at(pilot, "opening …")


async def test_a_path_that_is_opened_says_so_beside_it(told: Told, tailed: Held) -> None:
    async with app_on(told[0]).run_test(size=MEDIUM) as pilot:
        await path_is_given(pilot, told[1])
        assert "open" in Grid(pilot.app)[35]
        await let_go(pilot, tailed)
        assert screens(pilot.app) == ["SessionsScreen", "BrowseScreen"]


@pytest.mark.parametrize("keys", [("escape",), ("escape", "escape"), ("x",), ("ctrl+p",)], ids="-".join)
async def test_a_path_that_was_given_up_opens_no_more(told: Told, tailed: Held, keys: tuple[str, ...]) -> None:
    async with app_on(told[0]).run_test(size=MEDIUM) as pilot:
        await path_is_given(pilot, told[1])
        await pilot.press(*keys)
        await pilot.pause()
        assert not Grid(pilot.app).has("stops it")
        await let_go(pilot, tailed)
        assert "BrowseScreen" not in screens(pilot.app)


async def test_enter_twice_opens_a_path_once(told: Told, tailed: Held) -> None:
    async with app_on(told[0]).run_test(size=MEDIUM) as pilot:
        await path_is_given(pilot, told[1])
        await pilot.press("enter")
        await let_go(pilot, tailed)
        assert screens(pilot.app) == ["SessionsScreen", "BrowseScreen"]


@pytest.mark.parametrize("key", ["escape", "down", "L", "slash"])
async def test_a_pager_that_was_given_up_gets_no_terminal_and_leaves_no_file(
    told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    held = Held(pager.command)
    monkeypatch.setattr(pager, "command", held)
    lent: list[object] = []
    monkeypatch.setattr(pager, "run", lambda *given, **_: lent.append(given) or "")
    monkeypatch.setattr(HeadlessDriver, "can_suspend", True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await pilot.press("v")
        await wait_at(pilot, "opening E0.0 …")
        await pilot.press(key)
        await let_go(pilot, held)
        assert lent == []
        assert os.listdir(tmp_path) == []
        assert "BrowseScreen" in screens(pilot.app)


@pytest.mark.parametrize("key", ["escape", "L", "question_mark", "tab"])
async def test_a_walk_that_was_given_up_goes_nowhere_when_all_is_read(told: Told, tailed: Held, key: str) -> None:
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await pilot.press("e")
        await wait_at(pilot, "when it is known")
        await pilot.press(key)
        await pilot.pause()
        await let_go(pilot, tailed)
        screen = pilot.app.screen_stack[1]
        assert isinstance(screen, BrowseScreen)
        assert screen.view is not None
        assert not screen.query_one(KeyBar).status
        assert screen.row is not None
        assert str(screen.view.id(screen.row)) == "E0.0"


async def test_escape_stops_a_search_from_piece_to_piece_and_leaves_nothing_else(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(next_match.next_matching)
    monkeypatch.setattr(next_match, "next_matching", held)
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        await pilot.press("slash", *"rounding", "enter", "n", "n", "n")
        await wait_at(pilot, "searching on …")
        screen = pilot.app.screen
        assert isinstance(screen, BrowseScreen)
        before = screen.row
        await pilot.press("escape")
        await pilot.pause()
        assert not Grid(pilot.app).has("searching on")
        await let_go(pilot, held)
        assert (screen.row, screen.pane, screen.reader.words) == (before, "reader", "rounding")


@pytest.mark.parametrize(("keys", "offered"), [((), True), (("down",), False), (("L",), False)], ids=str)
async def test_a_file_for_what_is_too_long_to_copy_is_offered_to_who_is_still_there(
    told: Told, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], offered: bool
) -> None:
    held = Held(lambda *_: None)  # no program takes it
    monkeypatch.setattr(copies, "hand_over", held)
    monkeypatch.setattr(copying, "TERMINAL_BYTES", 0)
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await pilot.press("Y")
        while not held.threads:
            await pilot.pause(0.01)
        await pilot.press(*keys)
        await let_go(pilot, held)
        assert ("ExportDialog" in screens(pilot.app)) is offered
