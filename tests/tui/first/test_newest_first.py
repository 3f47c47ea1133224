"""Words that are searched while a long session is still being read are looked for in its newest lines first."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from tests.core.views.growing import said
from tests.tui.conftest import MEDIUM, app_on
from tests.tui.driving import PATIENCE, Grid, press, settle, until
from tests.tui.first.test_begun import begun
from unspool.library import reader
from unspool_tui.app import UnspoolApp
from unspool_tui.gateway import Gateway
from unspool_tui.gateway.questions import Questions
from unspool_tui.messages.session import EndOpened
from unspool_tui.present import numbers
from unspool_tui.screens.begun import BegunScreen

NEWEST = 20_000
"""Bytes of the lines that count as the newest."""


@pytest.fixture
def own(told: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """Return a home of one's own with the session that has everything, and the session's path."""
    home = tmp_path / "own"
    shutil.copytree(told[0], home)
    return home, str(home / Path(told[1]).relative_to(told[0]))


@pytest.fixture
def app(own: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> UnspoolApp:
    """Return the app on the beginning of a session that counts as long; its rest is read when a test says so."""
    monkeypatch.setattr(reader, "LONG", 1)
    monkeypatch.setattr(reader, "END_BYTES", NEWEST)
    monkeypatch.setattr(BegunScreen, "_read_on", lambda _: None)
    return begun(own, part=True)


READ_ON = BegunScreen._read_on


def screen_of(app: UnspoolApp) -> BegunScreen:
    assert isinstance(app.screen, BegunScreen)
    return app.screen


def append(path: str, line: bytes) -> None:
    """Write a line at the end of a session."""
    with Path(path).open("ab") as file:
        file.write(line + b"\n")


def ids(screen: BegunScreen) -> list[str]:
    """Return the pieces that the list shows."""
    assert screen.choice is not None
    listing = screen.choice.listing
    return [str(listing.view.id(row)) for row in listing.rows]


async def test_matches_of_the_newest_lines_are_shown_first_and_it_is_said_that_they_are_of_these(
    app: UnspoolApp,
) -> None:
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", "e", "enter")
        screen = screen_of(app)
        assert screen.view is not None
        newest = screen.view.size - screen.view.begin
        assert 0 < newest <= NEWEST < screen.view.size - 12_000
        said = f"in the newest {numbers.size(newest)} of {numbers.size(screen.view.size)}"
        assert Grid(app).has(f" matches {said}")
        early = ids(screen)
        READ_ON(screen)
        await settle(pilot)
        assert not Grid(app).has("in the newest")
        assert not Grid(app).has("reading the rest")
        assert len(ids(screen)) > len(early)
        assert ids(screen)[-len(early) :] == early


async def test_the_cursor_stays_on_its_piece_when_all_is_there(app: UnspoolApp) -> None:
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", "e", "enter", "j", "j")
        screen = screen_of(app)
        assert screen.view is not None
        assert screen.row is not None
        piece = screen.view.id(screen.row)
        READ_ON(screen)
        await settle(pilot)
        assert screen.row == screen.evidence.row == screen.view.row_of(piece) is not None
        assert screen.reader.subject is not None
        assert screen.reader.subject.evidence.id == piece
        assert screen.view.begin == 0


async def test_what_is_read_stays_at_its_line(app: UnspoolApp) -> None:
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", "e", "enter")
        screen = screen_of(app)
        assert screen.view is not None
        longest = screen.view.row("E34.0")
        screen.go(longest)
        await settle(pilot)
        screen.use("reader")
        await press(pilot, "d", "d")
        top = screen.reader.position
        assert top is not None
        assert top[0] > 10
        READ_ON(screen)
        await settle(pilot)
        assert screen.reader.position == top


async def test_who_follows_there_is_at_the_end_when_all_is_there(app: UnspoolApp, own: tuple[Path, str]) -> None:
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", "e", "enter", "F")
        screen = screen_of(app)
        before = ids(screen)
        append(own[1], said(99, "one thing more"))
        READ_ON(screen)
        await settle(pilot)
        assert screen.choice is not None
        assert screen.row == screen.choice.listing.rows[-1]
        assert ids(screen)[-2] == before[-1]
        assert screen.follows


async def test_newest_lines_that_come_when_all_is_there_change_nothing(
    app: UnspoolApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_end = Gateway.open_end
    asked = list[str]()
    monkeypatch.setattr(Gateway, "open_end", lambda *told: asked.append(told[2]))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", "e", "enter")
        screen = screen_of(app)
        assert Grid(app).has("looking at its newest part …")
        READ_ON(screen)
        await settle(pilot)
        found = ids(screen)
        open_end(app.gateway, screen, asked[0])
        await settle(pilot)
        assert ids(screen) == found
        assert screen.view is not None
        assert screen.view.begin == 0


async def test_where_there_are_none_the_beginning_is_searched(app: UnspoolApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gateway, "open_end", lambda _, to, __: to.post_message(EndOpened(None)))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", "e", "enter")
        assert Grid(app).has(" matches in the first ")


async def test_a_filter_without_words_stays_in_the_beginning(app: UnspoolApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gateway, "open_end", lambda *_: pytest.fail("nothing is searched"))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "1")
        screen = screen_of(app)
        assert ids(screen)[0] == "E0.0"


async def test_words_that_are_searched_before_anything_of_a_session_is_there_are_looked_for_in_its_newest_lines(
    own: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "LONG", 1)
    monkeypatch.setattr(reader, "END_BYTES", NEWEST)
    tail, rest = Questions._tail, threading.Event()
    monkeypatch.setattr(Questions, "_tail", lambda *told: rest.wait(PATIENCE) and tail(*told))
    app = app_on(own[0])
    async with app.run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda grid: grid.has("▌● claude"))
        await pilot.press("enter")
        await until(pilot, lambda grid: grid.has("opening …"))
        await pilot.press("slash", "e", "enter")
        await until(pilot, lambda grid: grid.has(" matches in the newest ") and grid.has("reading the rest"))
        rest.set()
        await settle(pilot)
        assert not Grid(app).has("in the newest")
        assert not Grid(app).has("reading the rest")
        assert Grid(app).has(" matches")
