from __future__ import annotations

from pathlib import Path

from tests.tui.conftest import MEDIUM, NARROW, app_on
from tests.tui.driving import Grid, press, settle
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.search import SearchScreen
from unspool_tui.screens.sessions import SessionsScreen


async def test_a_search_over_all_sessions_lists_hits_by_session_and_opens_at_the_match(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "s", *"settings", "enter")
        grid = Grid(app)
        assert grid.has("4 pieces in 2 sessions")
        first, second = (
            grid.row_of("Keyboard help for the settings page  "),
            grid.row_of("  Settings from YAML to TOML  "),
        )
        assert first < second  # newest first
        assert grid[first + 1].startswith("▌E0.0    ")
        await press(pilot, "j", "enter")
        assert isinstance(app.screen, BrowseScreen)
        assert any("▌E71.0" in text for text in Grid(app))
        assert Grid(app).has("match 1 of 1 in this piece")
        await press(pilot, "q")
        assert isinstance(app.screen, SearchScreen)
        assert Grid(app).has("▌E71.0")
        await press(pilot, "escape")
        assert isinstance(app.screen, SessionsScreen)


async def test_it_takes_the_filter_words_and_says_what_is_wrong_with_them(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "s", *"settings kind:user", "enter")
        assert Grid(app).has("2 pieces in 2 sessions")
        await press(pilot, "slash", *" kind:nobody", "enter")
        assert Grid(app).has("no kind 'nobody'")


async def test_nothing_found_is_said(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "s", *"zzzzqq", "enter")
        assert Grid(app).has("nothing found")


async def test_filter_words_alone_are_told_at_once_that_words_are_needed(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        for typed in ("is:error", "kind:user", "agent:claude"):
            await press(pilot, "s", *typed, "enter")
            assert Grid(app).has("needs words to look for too"), typed
            assert not Grid(app).has("searching …"), typed
            await press(pilot, "escape")


async def test_the_words_of_the_session_list_choose_which_sessions_are_searched(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "s", *"settings agent:claude", "enter")
        assert Grid(app).has("4 pieces in 2 sessions")
        await press(pilot, "j", "enter")
        assert isinstance(app.screen, BrowseScreen)
        assert Grid(app).has("match 1 of 1 in this piece")
        assert not Grid(app).has("agent:claude")
        await press(pilot, "q", "slash", *" since:bad", "enter")
        assert Grid(app).has("since:bad is no time")


async def test_sessions_of_another_agent_or_project_are_not_searched(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        for narrow, said in (("project:core", "2 pieces in 1 session"), ("agent:codex", "nothing found")):
            await press(pilot, "s", *f"settings {narrow}", "enter")
            assert Grid(app).has(said), narrow
            await press(pilot, "escape")
