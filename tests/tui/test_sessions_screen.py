from __future__ import annotations

import math
import os
import re
from pathlib import Path

import pytest

from tests.tui.conftest import MEDIUM, NARROW, SIZES, WIDE, app_on
from tests.tui.driving import Grid, press, settle
from unspool_tui.gateway import session_questions
from unspool_tui.screens import sessions
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.sessions import SessionsScreen


@pytest.mark.parametrize("size", SIZES)
async def test_sessions_are_listed_under_their_days_with_what_is_known(day: Path, size: tuple[int, int]) -> None:
    app = app_on(day)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        grid = Grid(app)
    assert grid[0].startswith(" unspool   25 sessions   2 live  2 agents")
    assert grid[1].startswith("▌Sessions    all 25 ")
    today, row = grid.row_of("today"), grid.row_of("claude    Invoices drift by a cent")
    assert row == today + 1
    assert grid[row].startswith("▌● claude    Invoices drift by a cent")
    assert "now      45    ✗ 3" in grid[row]
    assert grid[row + 1].startswith("             └ Find every place")
    assert grid.row_of("yesterday") > row
    assert " enter open  / filter " in grid[size[1] - 1]
    assert grid[size[1] - 1].rstrip().endswith("? help")


async def test_columns_give_way_as_the_screen_gets_narrow(day: Path) -> None:
    heads = {}
    for size in SIZES:
        app = app_on(day)
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            grid = Grid(app)
            heads[size] = grid[grid.row_of("errors")]
            filter_shown = grid.has("filter: words")
            preview_shown = grid.has("How does billing")
        assert filter_shown == preview_shown == (size != NARROW)
    assert "size" in heads[WIDE]
    assert "size" not in heads[MEDIUM]
    assert "project" in heads[NARROW]


async def test_the_preview_tells_what_the_session_under_the_cursor_is_about(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        grid = Grid(app)
        for words in ("claude  opus-4-5", "15:53 – now  4 turns", "✗ 3 errors   ▣ 2 stored   └ 1 agent", "● turn 1",
                      "largest output  ▣ 2.6 MB  Bash  python -m"):  # fmt: skip
            assert grid.has(words), words
        await press(pilot, "j", "j")
        grid = Grid(app)
        assert grid.has("codex  gpt-5.6")
        assert not grid.has("opus-4-5")


async def test_the_list_is_narrowed_by_typing_and_by_agent(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"project:web", "enter")
        assert Grid(app).has("5 of 25")
        await pilot.click("FacetBar", offset=(Grid(app)[1].index("codex"), 0))
        await settle(pilot)
        grid = Grid(app)
        assert grid.has("project:web agent:codex")
        assert grid.has("1 of 25")
        assert grid.has("Streaming uploads")
        await press(pilot, "escape")
        assert not Grid(app).has(" of 25")


async def test_a_filter_that_cannot_be_understood_says_so(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"since:soon", "enter")
        assert Grid(app).has("since:soon is no time")


async def test_live_sessions_can_be_had_alone(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "f")
        assert Grid(app).has("2 of 25")
        await press(pilot, "f")
        assert not Grid(app).has(" of 25")


async def test_a_session_is_opened_and_left_with_the_cursor_where_it_was(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "j", "j", "enter")
        assert isinstance(app.screen, BrowseScreen)
        assert Grid(app)[0].startswith(" unspool  ›  Retry budget per tenant")
        await press(pilot, "q")
        assert isinstance(app.screen, SessionsScreen)
        assert Grid(app).has("▌● codex     Retry budget")


async def test_a_row_opens_by_a_second_click(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        y = Grid(app).row_of("Keyboard help")
        await pilot.click(offset=(20, y))
        await settle(pilot)
        assert Grid(app)[y].startswith("▌")
        assert isinstance(app.screen, SessionsScreen)
        await pilot.click(offset=(20, y))
        await settle(pilot)
        assert isinstance(app.screen, BrowseScreen)


async def test_the_reference_of_a_session_is_copied_whole(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "y")
        assert app.clipboard.startswith("claude:")
        assert len(app.clipboard) == len("claude:") + 36
        assert "copied" in Grid(app)[35]


@pytest.mark.parametrize("size", SIZES)
async def test_without_sessions_it_says_where_it_looked_and_how_to_go_on(tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / ".codex" / "sessions").mkdir(parents=True)
    app = app_on(tmp_path)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        grid = Grid(app)
        assert grid.has("No sessions found")
        assert "not there" in grid[grid.row_of(".claude")]
        assert "empty" in grid[grid.row_of(".codex")]
        assert grid.has("unspool --root DIR")
        assert "o open a path  r look again  q quit  ? help" in grid[size[1] - 1]


async def test_looking_again_finds_what_has_come(tmp_path: Path, told: tuple[Path, str]) -> None:
    app = app_on(tmp_path)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert Grid(app).has("No sessions found")
        os.symlink(told[0] / ".claude", tmp_path / ".claude")
        await press(pilot, "r")
        assert Grid(app).has("Invoices drift by a cent")


async def test_q_quits_at_the_sessions(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await pilot.press("q")
        await pilot.pause()
    assert app.return_value == 0


@pytest.mark.parametrize("seconds", [-1.0, math.inf], ids=["one by one", "at once"])
@pytest.mark.parametrize("size", [NARROW, MEDIUM])
async def test_the_folder_one_is_in_is_seen_first_however_the_sessions_come_in(
    day: Path, size: tuple[int, int], seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_questions, "BATCH_SECONDS", seconds)
    monkeypatch.setattr(sessions, "_here", lambda: "/home/mira/src/core")
    app = app_on(day)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        grid = Grid(app)
    folder = grid.row_of("this folder")
    assert grid[folder - 1].startswith("   agent ")
    assert grid[folder + 1].startswith("▌  claude    Settings from YAML")
    assert grid.row_of("today") > folder


async def test_a_long_complaint_leaves_the_words_that_were_typed_their_room(day: Path) -> None:
    async with app_on(day).run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"since:whenever-it-was-that-we-began-with-the-new-billing", "enter")
        row = Grid(pilot.app)[2]
    assert re.match(r"  / (since:whenever-it-was|…\S+billing)", row)
    assert row.count("…") == 2
    assert "since:whenever" in row
