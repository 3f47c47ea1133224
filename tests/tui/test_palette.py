"""The palette: every command of the screen below, every session, and nothing that acts on a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.tui.conftest import MEDIUM, NARROW, app_on
from tests.tui.driving import Grid, press, settle
from tests.tui.test_app_safety import UNSAFE
from unspool_tui.keymap import COMMANDS, UNLISTED
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.export_dialog import ExportDialog
from unspool_tui.screens.palette import PaletteScreen
from unspool_tui.screens.sessions import SessionsScreen
from unspool_tui.settings.effective import Settings
from unspool_tui.widgets.offer_list import OfferList

Told = tuple[Path, str]


def offered(pilot: Pilot[int]) -> dict[str, str]:
    """Return all that is offered, with the keys."""
    offers = pilot.app.screen.query_one(OfferList)._fitting.offers
    return {offer.name: offer.key for offer in offers}


@pytest.mark.parametrize("inside", [False, True])
async def test_every_command_of_the_screen_is_offered_with_its_key(told: Told, inside: bool) -> None:
    app = app_on(told[0], told[1] if inside else None)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        screen = app.screen
        bound = {
            binding.id
            for node in (*screen.query("*"), screen, app)
            if not isinstance(node, Input)
            for _, binding in node._bindings
            if binding.id in COMMANDS
        }
        await press(pilot, "ctrl+p")
        found = offered(pilot)
        assert isinstance(app.screen, PaletteScreen)
        assert len(bound) > (40 if inside else 20)
        idle = set() if inside else {"pane.next", "pane.previous", "pane.zoom", "sessions.demo"}
        assert not {COMMANDS[name].does for name in idle} & found.keys()
        for name in bound - (UNLISTED - {"app.help"}) - idle:
            assert COMMANDS[name or ""].does in found, name
        assert found["Show all keys and marks"] == "?"
        if inside:
            assert found["Go to the next error"] == "e"
            assert found["Wrap long lines, or cut them"] == "w"


async def test_a_command_is_found_by_words_and_done_where_it_belongs(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p", *"next error", "enter")
        assert isinstance(app.screen, BrowseScreen)
        assert Grid(app).has("▌E17.0")
        assert app.screen.pane == "evidence"
        await press(pilot, "ctrl+p", *"stored record", "enter")
        assert app.screen.pane == "reader"
        assert Grid(app).has('"type":"user"') or Grid(app).has('"parentUuid"')
        await press(pilot, "ctrl+p", *"shared", "enter")
        assert isinstance(app.screen, ExportDialog)


async def test_on_a_small_screen_the_pane_of_a_command_comes_into_sight(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p", *"search in this piece", "enter")
        assert isinstance(app.screen, BrowseScreen)
        assert app.screen.pane == "reader"
        await press(pilot, *"invoice", "enter")
        assert Grid(app).has("match 1 of")


async def test_a_remapped_command_is_offered_with_its_own_key(told: Told) -> None:
    app = app_on(*told, Settings(keys={"error.next": ("f7",)}))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p")
        assert offered(pilot)["Go to the next error"] == "f7"


@pytest.mark.parametrize("typed", ["settings toml", "core settings", "claude yaml"])
async def test_a_session_is_found_by_title_project_and_agent_and_opened(day: Path, typed: str) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p", *typed)
        assert Grid(app).has("Settings from YAML to TOML")
        await press(pilot, "enter")
        assert isinstance(app.screen, BrowseScreen)
        assert "Settings from YAML to TOML" in Grid(app)[0]
        await press(pilot, "q")
        assert isinstance(app.screen, SessionsScreen)


async def test_a_session_is_found_by_the_beginning_of_its_id_from_inside_another(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        summary = next(each for each in app.gateway._library.sessions() if each.title == "Settings from YAML to TOML")
        await press(pilot, "enter", "ctrl+p", *summary.session_id[:8], "enter")
        assert isinstance(app.screen, BrowseScreen)
        assert "Settings from YAML to TOML" in Grid(app)[0]


async def test_arrows_and_the_mouse_choose_and_escape_does_nothing(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        before = str(Grid(app))
        await press(pilot, "ctrl+p", "down", "down", "up", "pagedown", "pageup", "escape")
        assert isinstance(app.screen, BrowseScreen)
        assert str(Grid(app)) == before
        await press(pilot, "ctrl+p", *"next", "down")
        assert re.search(r"▌ +Go to the next", str(Grid(app)))
        y = Grid(app).row_of("Go to the next error")
        await pilot.click(offset=(40, y))
        await settle(pilot)
        assert Grid(app).has("▌E17.0")


async def test_what_is_called_so_by_nobody_is_said(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p", *"zzzz")
        assert Grid(app).has("nothing is called so")
        await press(pilot, "enter")
        assert isinstance(app.screen, PaletteScreen)


async def test_no_title_project_or_id_reaches_a_cell_uncleaned(home: Path) -> None:
    hostile = "\x1b]52;c;eA==\x07\x1b[31mred\u202e\u200b[@click=app.exit]x[/]"
    lines = Claude(home, Names(1), cwd="/srv/a\x1b[2Jb\u202e")
    lines.user(hostile)
    lines.save()
    app = app_on(home)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p", *"red")
        assert Grid(app).has("red⟨202E⟩[@click=app.exit]x[/]")
        for text in Grid(app):
            assert UNSAFE.search(text) is None


async def test_tab_leaves_what_is_typed_as_it_is(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p", *"sett", "tab")
        assert isinstance(app.focused, Input)
        assert app.focused.value == "sett"
