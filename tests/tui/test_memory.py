from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from tests.running import unspool
from tests.tui.conftest import MEDIUM, NARROW, app_on
from tests.tui.driving import Grid, press, settle, until
from tests.tui.test_piped import SESSION
from unspool.library.opening import open_library
from unspool_tui.app import SWITCH_SECONDS, UnspoolApp
from unspool_tui.screens.sessions import SessionsScreen
from unspool_tui.settings.effective import Settings, load_settings
from unspool_tui.settings.memory import Memory, keep, recall
from unspool_tui.settings.place import state_path


@pytest.fixture
def path(home: Path) -> Path:
    return Path(state_path(os.environ, str(home)))


def test_what_is_kept_is_recalled_and_for_its_owner_alone(path: Path) -> None:
    memory = Memory("light", "claude:cccc0000")
    keep(str(path), memory)
    assert recall(str(path)) == memory
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    keep(str(path), Memory("dark", "codex:\udc80"))
    assert recall(str(path)) == Memory("dark", "codex:\udc80")
    assert [each.name for each in path.parent.iterdir()] == ["state.json"]


def test_nothing_is_written_when_nothing_new_is_to_be_remembered(path: Path) -> None:
    keep(str(path), Memory())
    assert not path.parent.exists()
    keep(str(path), Memory("light"))
    before = path.stat()
    keep(str(path), Memory("light"))
    assert path.stat() == before


def test_what_would_not_fit_is_not_kept(path: Path) -> None:
    keep(str(path), Memory("light", "claude:" + "x" * 5000))
    assert not path.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b"\xff",
        b"[" * 4000,
        b'{"theme": "pink", "session": 5}',
        b'{"a": "' + b"x" * 5000 + b'"}',
    ],
)
def test_a_spoilt_file_is_as_good_as_none(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert recall(str(path)) == Memory()


def test_a_place_that_cannot_be_written_is_passed_over(home: Path, path: Path) -> None:
    path.parent.parent.mkdir(parents=True)
    path.parent.write_text("a file where the folder should be")
    keep(str(path), Memory("light"))
    assert recall(str(path)) == Memory()
    path.parent.unlink()
    path.mkdir(parents=True)
    keep(str(path), Memory("light"))
    assert recall(str(path)) == Memory()
    assert [each.name for each in path.parent.iterdir()] == ["state.json"]


def test_the_theme_of_the_last_run_is_a_setting_that_everything_else_goes_before(home: Path, path: Path) -> None:
    keep(str(path), Memory("light"))
    told = {each["setting"]: each for each in unspool("settings", "--json").rows}["theme"]
    assert (told["value"], told["source"]) == ("light", "last run")
    assert not load_settings({}, str(home), last_theme="light").dark


async def test_the_theme_that_was_turned_to_and_the_session_that_was_read_are_remembered(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert app.memory == Memory()
        await press(pilot, "ctrl+t")
        assert app.memory == Memory("light")
        await press(pilot, "j", "enter")
        assert app.memory.session is not None
        first = app.memory.session
        await press(pilot, "q", "j", "enter")
        assert app.memory.session not in (None, first)


async def test_the_list_begins_at_the_session_that_was_read_last(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "G")
        row = next(text for text in Grid(app) if text.startswith("▌") and "Sessions" not in text)
        await press(pilot, "enter")
        left = app.memory
    app = app_on(day, None, Settings(), left)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        assert row in str(Grid(app))
        await press(pilot, "g", "r")
        assert row not in str(Grid(app))


async def test_a_session_that_is_gone_leaves_the_cursor_at_the_newest(day: Path) -> None:
    plain, gone = app_on(day), app_on(day, None, None, Memory(session="claude:gone"))
    shown = []
    for app in (plain, gone):
        async with app.run_test(size=NARROW) as pilot:
            await settle(pilot)
            shown.append(str(Grid(app)))
    assert shown[0] == shown[1]


async def test_the_session_just_left_goes_before_the_one_that_an_earlier_run_left(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "G", "enter")
        left = app.memory
    app = app_on(day, "last", None, left)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        read = app.memory.session
        assert read != left.session
        await press(pilot, "q")
        assert isinstance(app.screen, SessionsScreen)
        assert app.screen.summary is not None
        assert str(app.screen.summary.ref) == read


async def test_a_session_that_is_opened_once_more_is_where_it_was_left(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "slash", *"kind:assistant", "enter", "j")
        left = next(text for text in Grid(app) if text.count("▌E"))
        await press(pilot, "q")
        assert isinstance(app.screen, SessionsScreen)
        await press(pilot, "enter")
        assert Grid(app).has("/ kind:assistant")
        assert left in list(Grid(app))
        await press(pilot, "q", "j", "enter")
        assert not Grid(app).has("/ kind:assistant")


async def test_what_streams_in_is_not_remembered_in_the_place_of_a_session(day: Path, tmp_path: Path) -> None:
    path = tmp_path / "streamed.jsonl"
    path.write_bytes(SESSION)
    app = UnspoolApp(open_library([str(day)], stream=lambda: str(path)), "-", memory=Memory(session="claude:before"))
    async with app.run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda grid: grid.has("There are three."))
        assert app.memory == Memory(session="claude:before")


async def test_threads_that_compute_let_the_screen_go_first(day: Path) -> None:
    async with app_on(day).run_test(size=MEDIUM):
        assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)
