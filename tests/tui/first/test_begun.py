"""A session of which only the beginning was read can be used, and becomes whole under the cursor."""

from __future__ import annotations

import re
import threading
from datetime import UTC
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.widget import Widget

from tests.tui.conftest import MEDIUM, MOMENT, app_on
from tests.tui.driving import PATIENCE, Grid, press, settle, until
from unspool.library import reader
from unspool.library.opening import open_library
from unspool.views.opened import Opened
from unspool.views.overview import Overview
from unspool.views.view import SessionView
from unspool_tui.app import UnspoolApp
from unspool_tui.first.frame import Begun
from unspool_tui.gateway import view_questions
from unspool_tui.gateway.lookout import Lookout
from unspool_tui.gateway.questions import Questions
from unspool_tui.present import numbers
from unspool_tui.screens.begun import BegunScreen
from unspool_tui.screens.clock import Clock
from unspool_tui.worker import Work

HEAD = 12_000
"""Bytes that are read first of a session that has more."""


def begun(told: tuple[Path, str], *, part: bool) -> UnspoolApp:
    """Return the app as the first frame leaves it to it; what is not a `part` is not read on."""
    library = open_library(environ={}, home=str(told[0]), now=lambda: MOMENT, alive=lambda pid: True)
    tail = library.head(told[1], HEAD)
    assert tail is not None
    assert 4 < tail.view.rows < library.view(told[1]).rows
    return UnspoolApp(library, told[1], clock=Clock(UTC, MOMENT), begun=Begun(tail, part))


async def test_the_rest_comes_and_the_cursor_stays(told: tuple[Path, str]) -> None:
    app = begun(told, part=True)
    rows = app._begun.tail.view.rows if app._begun is not None else 0
    async with app.run_test(size=MEDIUM) as pilot:
        await pilot.press("j", "j")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, BegunScreen)
        assert screen.view is not None
        assert screen.view.rows > rows
        assert screen.evidence.row == screen.row
        grid = Grid(app)
        assert sum(bool(re.match(r"▌E\d", row[30:])) for row in grid) == 1
        assert grid.has("▌Evidence 45")
        assert not grid.has("reading the rest")
        assert not grid.has(" new ")
        await press(pilot, "G")
        assert screen.row == screen.view.rows - 1


@pytest.mark.parametrize("long", [True, False])
async def test_of_a_long_session_more_of_the_beginning_comes_before_all_of_it(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, long: bool
) -> None:
    app, tail, rest = begun(told, part=True), Questions._tail, threading.Event()
    monkeypatch.setattr(view_questions, "LONG", 0 if long else 1 << 40)
    monkeypatch.setattr(view_questions, "BEGINNING_BYTES", 1_000)
    monkeypatch.setattr(Questions, "_tail", lambda *told: rest.wait(PATIENCE) and tail(*told))
    shown = list[int]()
    choose = BegunScreen.show_choice
    monkeypatch.setattr(BegunScreen, "show_choice", lambda *told: (shown.append(told[1].total), choose(*told)))
    async with app.run_test(size=MEDIUM) as pilot:
        if long:
            await until(pilot, lambda grid: grid.has("reading the rest") and len({*shown}) == 2)
        rest.set()
        await until(pilot, lambda grid: grid.has("▌Evidence 45"))
        await settle(pilot)
        assert isinstance(app.screen, BegunScreen)
        assert app.screen.read_part == ""
        assert not Grid(app).has("reading the rest")
    assert sorted({*shown}) == [*dict.fromkeys(shown)]
    assert len({*shown}) == (3 if long else 2)


async def test_a_search_of_the_beginning_says_that_it_is_one(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app, read_on = begun(told, part=True), BegunScreen._read_on
    monkeypatch.setattr(BegunScreen, "_read_on", lambda _: None)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", "e", "enter")
        screen = app.screen
        assert isinstance(screen, BegunScreen)
        assert screen.view is not None
        assert screen.view.size <= HEAD
        assert Grid(app).has(f"matches in the first {numbers.size(screen.view.size)}")
        read_on(screen)
        await settle(pilot)
        assert Grid(app).has(" matches")
        assert not Grid(app).has("in the first")


async def test_who_follows_before_the_rest_is_read_is_at_the_end_when_it_is(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app, read_on = begun(told, part=True), BegunScreen._read_on
    monkeypatch.setattr(BegunScreen, "_read_on", lambda _: None)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "F")
        screen = app.screen
        assert isinstance(screen, BegunScreen)
        read_on(screen)
        await settle(pilot)
        assert screen.view is not None
        assert screen.row == screen.evidence.row == screen.view.rows - 1
        assert screen.follows
        assert Grid(app)[-1].endswith("following ")


async def test_what_is_remembered_is_the_session(told: tuple[Path, str]) -> None:
    app = begun(told, part=True)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert app.memory.session is not None
        assert app.memory.session.startswith("claude:")


@pytest.mark.parametrize("keys", ["q", "escape"])
async def test_it_is_left_for_the_list_as_any_session(told: tuple[Path, str], keys: str) -> None:
    app = begun(told, part=True)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, keys)
        assert Grid(app).has("▌Sessions")


async def test_a_process_of_its_own_reads_the_rest(
    told: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, target = told
    rows = open_library(environ={}, home=str(home)).view(target).rows
    for limit in ("APART_FROM", "KEPT_FROM"):
        monkeypatch.setattr(reader, limit, 0)
    library = open_library(environ={}, home=str(home), cache=str(tmp_path), apart=True)
    tail = library.head(target, HEAD)
    assert tail is not None
    monkeypatch.setattr(Opened, "open", lambda *_: pytest.fail("read here"))
    app = UnspoolApp(library, target, clock=Clock(UTC, MOMENT), begun=Begun(tail, True))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, BegunScreen)
        assert app.screen.view is not None
        assert app.screen.view.rows == rows


async def test_the_beginning_of_the_thread_is_shown_before_all_of_it_is_read(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, rest = SessionView.overview, threading.Event()

    def overview(view: SessionView, items: int, *, first: int | None = None, **told: Any) -> Overview:
        assert first is not None or rest.wait(PATIENCE)
        return read(view, items, first=first, **told)

    monkeypatch.setattr(SessionView, "overview", overview)
    monkeypatch.setattr(view_questions, "LINES_A_TEXT", MEDIUM[1] + 1)
    app = begun(told, part=False)
    async with app.run_test(size=MEDIUM) as pilot:
        screen = app.screen
        assert isinstance(screen, BegunScreen)
        await until(pilot, lambda _: screen.drawn)
        begun_with = len(screen.rail.thread.thread.knots)
        rest.set()
        await until(pilot, lambda _: len(screen.rail.thread.thread.knots) > begun_with)


class Asked:
    """The groups of what is asked, and whether the first frame had gone by then."""

    def __init__(self, app: UnspoolApp, monkeypatch: pytest.MonkeyPatch) -> None:
        self._seen = dict[str, bool]()
        self._shown = threading.Event()
        ask = Questions._ask

        def noting(gateway: Questions, to: Widget, group: str, work: Work, generation: int = 0) -> None:
            self.note(group)
            ask(gateway, to, group, work, generation)

        monkeypatch.setattr(Questions, "_ask", noting)
        monkeypatch.setattr(Lookout, "begin", lambda _: self.note("lookout"))
        app.held = SimpleNamespace(shown=self._shown)  # type: ignore[assignment]  # nobody asks for its terminal

    def note(self, group: str) -> None:
        """Note that something is asked."""
        self._seen.setdefault(group, self._shown.is_set())

    def groups(self, *, seen: bool) -> set[str]:
        """Return what was asked first after the screen was seen, or before."""
        return {group for group, when in self._seen.items() if when is seen}


async def test_while_the_first_frame_stands_nothing_is_asked_but_what_replaces_it(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = begun(told, part=False)
    asked = Asked(app, monkeypatch)
    async with app.run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda _: {"know", "piece"} <= asked.groups(seen=True))
    assert asked.groups(seen=False) <= {"choose", "overview", "rows"}


async def test_what_comes_while_the_picture_is_put_together_waits_for_it(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = begun(told, part=False)
    asked = Asked(app, monkeypatch)
    async with app.run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda _: "know" in asked.groups(seen=True))
        screen, done = app.screen, list[str]()
        assert isinstance(screen, BegunScreen)
        screen.be_seen()
        screen.when_seen(lambda: done.append("late"))
        assert done == []
        await until(pilot, lambda _: done)
        screen.when_seen(lambda: done.append("at once"))
        assert done == ["late", "at once"]


async def test_while_the_first_frame_of_the_list_stands_sessions_are_found_and_none_is_read(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_on(told[0])
    asked = Asked(app, monkeypatch)
    async with app.run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda _: {"lookout", "measure", "preview"} <= asked.groups(seen=True))
    assert asked.groups(seen=False) <= {"sessions"}


async def test_a_session_in_which_nothing_is_said_is_drawn_without_a_thread(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SessionView, "overview", lambda *_, **__: Overview((), 0, 0))
    app = begun(told, part=False)
    async with app.run_test(size=MEDIUM) as pilot:
        screen = app.screen
        assert isinstance(screen, BegunScreen)
        await until(pilot, lambda _: screen.drawn)
        assert len(screen.rail.thread.thread.knots) == 0
