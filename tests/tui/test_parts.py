"""A session of several parts in the app: one row with the figures of all, and a way from part to part."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.formats.yoi_walk import said, start
from tests.core.library.test_parts import DAY, FIRST, SECOND, SESSION, write, write_session
from tests.tui.conftest import MEDIUM, WIDE, app_on
from tests.tui.driving import Grid, press, settle, until
from unspool_tui.screens.browse import BrowseScreen


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    """A home with one session of two parts."""
    write_session(tmp_path / ".local" / "share" / "yoi")
    return tmp_path


async def test_a_row_says_how_many_parts_there_are_and_counts_all_of_them(sessions: Path) -> None:
    app = app_on(sessions)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        grid = Grid(app)
    row = grid[grid.row_of("yoi       Build the kiln")]
    assert "Build the kiln   2 parts" in row
    assert "  5    ✗ 1" in row


async def test_a_session_opens_at_its_newest_part_under_its_own_title(sessions: Path) -> None:
    app = app_on(sessions, f"yoi:{SESSION}")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        grid = Grid(app)
    assert "Build the kiln   yoi  part 2 of 2" in grid[0]
    assert grid.has("Fire it")


async def test_keys_lead_from_part_to_part_and_stop_at_the_ends(sessions: Path) -> None:
    app = app_on(sessions, f"yoi:{SESSION}")
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "}")
        assert "this is the newest part" in Grid(app)[35]
        await press(pilot, "{")
        grid = Grid(app)
        assert "part 1 of 2" in grid[0]
        assert "▌E1.0" in grid[grid.row_of("E1.0")]
        assert grid.has("It stands.")
        assert not grid.has("Fire it")
        assert isinstance(app.screen, BrowseScreen)
        assert app.screen.view is not None
        assert app.screen.view.ref.part == FIRST
        await press(pilot, "{")
        assert "this is the first part" in Grid(app)[35]
        await press(pilot, "j", "}")
        assert app.screen.view.ref.part == SECOND
        assert Grid(app).has("Fire it")


async def test_a_part_that_is_named_is_the_one_that_opens(sessions: Path) -> None:
    app = app_on(sessions, f"yoi:{SESSION}.{FIRST}/E2.0")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        grid = Grid(app)
    assert "part 1 of 2" in grid[0]
    assert "▌E2.0" in grid[grid.row_of("E2.0")]


async def test_a_session_in_one_piece_says_so(told: tuple[Path, str]) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert " part " not in Grid(app)[0]
        await press(pilot, "}")
        assert "this session is one whole" in Grid(app)[35]


@pytest.fixture
def third(sessions: Path) -> Path:
    """Where the session goes on in a third part."""
    return sessions / ".local" / "share" / "yoi" / "sessions" / SESSION / f"{SECOND[:-1]}2.jsonl"


def begin(part: Path) -> None:
    """Let the session go on."""
    write(part, start("segment_start", session_id=SESSION), said("Cold again."), said("Done."), later=2 * DAY)


async def test_who_follows_at_the_end_goes_on_in_a_part_that_begins(sessions: Path, third: Path) -> None:
    app = app_on(sessions, f"yoi:{SESSION}")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await press(pilot, "G")
        begin(third)
        grid = await until(pilot, lambda grid: grid.has("Done.") and "part 3 of 3" in grid[0])
        assert "▌E2.0" in grid[grid.row_of("E2.0")]


async def test_who_reads_elsewhere_is_told_of_a_part_that_begins(sessions: Path, third: Path) -> None:
    app = app_on(sessions, f"yoi:{SESSION}")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await press(pilot, "g")
        begin(third)
        grid = await until(pilot, lambda grid: grid.has("it goes on in a new part   } shows it") and "of 3" in grid[0])
        assert "part 2 of 3" in grid[0]
        await press(pilot, "}")
        assert "part 3 of 3" in Grid(app)[0]
