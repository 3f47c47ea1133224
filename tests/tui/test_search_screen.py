from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.tui.conftest import MEDIUM, NARROW, WIDE, app_on
from tests.tui.driving import Grid, press, settle
from unspool.library.opening import open_library
from unspool_tui.present.hit_rows import FoundSession, found_session_row
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.search import SearchScreen
from unspool_tui.screens.sessions import SessionsScreen

NEXT_YEAR = int(datetime(2027, 11, 27, tzinfo=UTC).timestamp() * 1000)


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


async def test_a_match_far_inside_a_line_begins_with_a_whole_word_behind_a_sign_that_it_is_cut(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user(f"{' '.join(f'word{number}' for number in range(1_000, 1_020))} needle and more")
    lines.user("abcdefg needle at the beginning")
    lines.save()
    app = app_on(home)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await press(pilot, "s", *"needle", "enter")
        assert "  …word1014 word1015 " in Grid(app)[Grid(app).row_of("needle and more")]
        assert Grid(app).has("  abcdefg needle at the beginning")


def test_sessions_of_another_year_are_dated_with_it(day: Path) -> None:
    summary = next(iter(open_library([str(day)]).sessions()))
    told = "".join(text for text, _ in found_session_row(FoundSession(summary, 1), 120, now=NEXT_YEAR, zone=UTC))
    assert re.search(r"  \d{1,2} [A-Z][a-z]{2} 26  1 piece ", told), told
