"""What people stumbled over, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_files import empty_files
from tests.tui.conftest import MEDIUM, NARROW, WIDE, app_on
from tests.tui.driving import Grid, press, settle, until
from unspool_tui.present.cells import end_of
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.sessions import SessionsScreen
from unspool_tui.widgets.evidence_list import EvidenceList
from unspool_tui.widgets.filter_line import FilterLine
from unspool_tui.widgets.prompt_line import PromptLine

Told = tuple[Path, str]


@pytest.mark.parametrize("where", ["evidence", "reader", "filter"])
async def test_ctrl_c_quits_wherever_the_focus_is(told: Told, where: str) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, *{"evidence": (), "reader": ("enter",), "filter": ("slash", "x")}[where])
        await pilot.press("ctrl+c")
        await pilot.pause()
    assert app.return_value == 0
    assert app.clipboard == ""


async def test_rows_are_drawn_anew_when_the_screen_shrinks(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=(200, 60)) as pilot:
        await settle(pilot)
        assert "6 lines" in Grid(app)[Grid(app).row_of("← Glob")]
        await pilot.resize_terminal(100, 30)
        await settle(pilot)
        await press(pilot, "j")
        assert not any("6 lines" in text for text in Grid(app))
        column = {text.index("  1") for text in Grid(app) if " ← Read " in text and "KB" in text} or {0}
        assert len(column) == 1


def test_a_long_path_keeps_its_file_name() -> None:
    assert end_of("a/very/long/way/to/workflows/markdown.yml", 20).endswith("/markdown.yml")
    assert end_of("short/path.py", 20) == "short/path.py"


async def test_a_call_is_told_by_its_whole_command(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=(200, 50)) as pilot:
        await settle(pilot)
        await press(pilot, "colon", *"E19", "enter")
        grid = Grid(app)
        assert "python -m billing.replay --orders archive/2026-*.ndjson -v" in grid[grid.row_of("▌E19.0 ")]


async def test_the_project_column_grows_where_there_is_room(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, SessionsScreen)
        grid = Grid(app)
        row, head = grid[grid.row_of("Upgrade to Python")], grid[grid.row_of("errors ")]
        assert "gateway" in row
        assert row.index("gateway") == head.index("project")


async def test_tab_goes_through_the_completions_and_never_leaves_the_line(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        line = app.screen.query_one(FilterLine)
        await press(pilot, "slash", *"tool:G", "tab")
        first = line.words
        await press(pilot, "tab")
        assert {first, line.words} == {"tool:Glob", "tool:Grep"}
        await press(pilot, "tab")
        assert line.words == first
        await press(pilot, *" zq", "tab", "q")
        assert isinstance(app.screen, BrowseScreen)
        assert line.words == f"{first} zqq"


async def test_a_path_that_cannot_be_opened_keeps_the_question_and_says_why(day: Path, told: Told) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "o", *"/nowhere.jsonl", "enter")
        assert isinstance(app.screen, SessionsScreen)
        assert app.screen.query_one(PromptLine).asking
        assert "✗" in Grid(app)[35]
        assert "nowhere" in Grid(app)[35]
        await press(pilot, "escape")
        assert not app.screen.query_one(PromptLine).asking
        await press(pilot, "o", *str(Path(told[1]).parent)[:-4], "tab", "tab", "enter")
        assert isinstance(app.screen, BrowseScreen)
        assert Grid(app).has("▌E0.0")


async def test_the_hint_of_the_filter_never_runs_into_what_stands_at_its_right(told: Told) -> None:
    for width in (100, 104, 112, 120, 139):
        app = app_on(*told)
        async with app.run_test(size=(width, 30)) as pilot:
            await settle(pilot)
            text = Grid(app)[2][30:]
            hint, _, aside = text.partition("t reasoning")
            assert hint.endswith("  "), text
            assert aside.startswith(" 1")


async def test_a_reference_opens_in_the_reader_on_a_small_screen(told: Told) -> None:
    app = app_on(told[0], f"{told[1]}/E17")
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        assert Grid(app)[1].startswith("▌E17.0  ← Bash")


async def test_the_note_of_a_copy_names_the_piece_and_cuts_no_word(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "e", "y")
        assert "copied the reference of E17.0  62 B  through the terminal" in Grid(app)[35]


async def test_a_live_session_has_one_mark_in_its_row(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        grid = Grid(app)
        assert grid[grid.row_of("claude    Invoices drift")][:82].count("●") == 1
        await press(pilot, "G")
        assert any("●" in text[79:82] for text in Grid(app))  # out of view, the map tells where


async def test_empty_sessions_are_counted_and_listed_on_demand(tmp_path: Path) -> None:
    empty_files(tmp_path, 5)
    app = app_on(tmp_path)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert Grid(app)[0].startswith(" unspool   1 session   1 agent  3 empty")
        await press(pilot, "slash", *"is:empty", "enter")
        assert sum("empty session" in text[:60] for text in Grid(app)) == 3


async def test_unreadable_lines_of_what_was_never_opened_are_not_called_readable(day: Path) -> None:
    app = app_on(day, "/nowhere.jsonl")
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "U")
        assert "nothing was opened" in Grid(app)[35]


def with_another_line(path: str) -> None:
    text = '{"type":"user","message":{"role":"user","content":"One more thing"},"uuid":"zz","sessionId":"x"}\n'
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


async def test_what_was_appended_is_there_by_itself_and_a_key_says_that_there_is_no_more(
    told: Told, tmp_path: Path
) -> None:
    path = str(tmp_path / "growing.jsonl")
    Path(path).write_bytes(Path(told[1]).read_bytes())  # noqa: ASYNC240 - a test
    app = app_on(told[0], path)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        row = app.screen.query_one(EvidenceList).row
        with_another_line(path)
        await until(pilot, lambda grid: grid.has("Evidence 46") and grid.has("▼ 1 new G"))
        assert app.screen.query_one(EvidenceList).row == row
        await press(pilot, "G")
        assert any("One more thing" in text for text in Grid(app))
        assert not Grid(app).has("1 new")
        await press(pilot, "R")
        assert "nothing was appended" in Grid(app)[35]
