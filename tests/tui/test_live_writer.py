"""The writer of the sample cases says at each step what must be visible, and the app shows just that."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import MEDIUM
from tests.tui.driving import LOOK, Grid, press, settle, until
from tests.tui.live_writer import LiveWriter
from unspool.library.opening import open_library
from unspool_tui.app import UnspoolApp
from unspool_tui.screens.browse import BrowseScreen

Shows = Callable[[Grid], object]

PAUSES: Final = [float(each) for each in os.environ.get("UNSPOOL_LIVE_PAUSES", "0.1,0.01").split(",")]
"""Seconds between the steps; `1.0,0.1,0.01` is the long form."""

PATIENT: Final = 1.0
"""Seconds between steps from which each is drawn; with less, a busy machine draws several at once."""

SECONDS: Final = 60.0


def is_over(grid: Grid) -> bool:
    """What must be visible in the end, however fast the steps came: the rest may be over before anybody could look."""
    return "✗ source gone" in grid[0]


def evidence(number: int, *words: str) -> Shows:
    """The list has so many pieces, and all of the words stand on the screen."""
    return lambda grid: grid.has(f"Evidence {number} ") and all(grid.has(each) for each in words)


BROWSED: Final[dict[int, Shows]] = {
    3: evidence(1, "live prompt one"),
    4: lambda grid: grid.has("Evidence 1 ") and "40 B pending" in grid[0],
    5: lambda grid: grid.has("Evidence 1 ") and re.search(r"● live  \d+ B pending", grid[0]),
    6: lambda grid: evidence(2, "half line 日本語 tail")(grid) and "pending" not in grid[0],
    7: evidence(3, "300 KB"),
    8: evidence(203, "burst 203"),
    9: lambda grid: grid.has("Evidence 203 ") and "34 B pending" in grid[0],
    10: evidence(204, "after torn", "unreadable 1"),
    11: evidence(2, "rewritten two", "replaced"),
    12: evidence(3, "after replace"),
    13: lambda grid: evidence(1, "rewritten one", "truncated")(grid) and not grid.has("rewritten two"),
    14: evidence(1),
    15: evidence(2, "▣ ←"),
    16: evidence(2, "blob first half live-blob-tail"),
    17: evidence(2),
    18: lambda grid: grid.has("Evidence 2 ") and "moved" in grid[0],
    19: lambda grid: grid.has("Evidence 2 ") and "✗ source gone" in grid[0] and grid.has("rewritten one"),
}
"""What must be visible of the open session, step by step."""

LISTED: Final[dict[int, Shows]] = {
    1: lambda grid: grid.has("no sessions") and not grid.has("✗"),
    2: lambda grid: grid.has("1 empty"),
    3: lambda grid: grid.has("1 session ") and grid.has("live prompt one"),
    11: lambda grid: grid.has("rewritten one"),
    14: lambda grid: grid.has("└ subagent prompt"),
    17: lambda grid: grid.has("2 sessions") and grid.has("second project"),
    18: lambda grid: grid.has("2 sessions") and sum("● claude    rewritten one" in text for text in grid) == 1,
    19: lambda grid: grid.has("second project") and not grid.has("rewritten one"),
}
"""What must be visible in the list."""


def app_below(root: Path, target: str | None = None) -> UnspoolApp:
    return UnspoolApp(open_library([str(root)], absent=True), target, follow=target is not None)


async def found(pilot: Pilot[int], words: str, number: str) -> None:
    """Filter by words, see how many there are, and go back to everything."""
    await press(pilot, "slash", *words)
    await press(pilot, "enter")
    await until(pilot, lambda grid: grid.has(f" {number} "))
    await press(pilot, "escape")


async def test_every_step_of_the_writer_is_true_of_the_open_session(shared: Path, tmp_path: Path) -> None:
    app = app_below(tmp_path)
    with LiveWriter(shared, tmp_path) as writer:
        async with app.run_test(size=MEDIUM) as pilot:
            for _ in range(3):
                writer.step()
            await until(pilot, LISTED[3])
            await press(pilot, "enter")
            for number, shows in BROWSED.items():
                said = writer.step() if number > 3 else ""
                grid = await until(pilot, shows)
                assert isinstance(app.screen, BrowseScreen), said
                assert "✗" not in grid[-1], said
                if number == 7:
                    await found(pilot, "live-big-end", "1 of 3")
                elif number == 10:
                    await press(pilot, "g", "j", "j")  # away from the end, and then all of it is replaced
                elif number == 12:
                    await press(pilot, "F")
                elif number == 16:
                    await found(pilot, "live-blob-tail", "1 of 2")
            await settle(pilot)
            assert evidence(2, "source gone")(Grid(app))
        assert app.fault is None


async def test_every_step_of_the_writer_is_true_of_the_list(shared: Path, tmp_path: Path) -> None:
    app = app_below(tmp_path)
    with LiveWriter(shared, tmp_path) as writer:
        async with app.run_test(size=MEDIUM) as pilot:
            for number in range(1, 20):
                writer.step()
                if number in LISTED:
                    await until(pilot, LISTED[number])
                if number == 14:
                    await press(pilot, "s", *"live-sub", "enter")
                    await until(pilot, lambda grid: any("subagent prompt live-sub" in text for text in grid))
                    await press(pilot, "escape", "escape")
        assert app.fault is None


@pytest.mark.parametrize("pause", PAUSES)
async def test_the_open_session_keeps_up_with_the_writer(shared: Path, tmp_path: Path, pause: float) -> None:
    app = app_below(tmp_path)
    left = list(BROWSED.items())
    with LiveWriter(shared, tmp_path, pause) as writer:
        async with app.run_test(size=MEDIUM) as pilot:
            for _ in range(3):
                writer.step()
            await until(pilot, LISTED[3])
            await press(pilot, "enter")
            writer.go_on()
            end = time.monotonic() + SECONDS + 40 * pause
            while not is_over(grid := Grid(app)):
                assert time.monotonic() < end, f"step {left[0][0]} on\n{grid}"
                while left and left[0][1](grid):
                    left.pop(0)
                await pilot.pause(LOOK)
    assert app.fault is None
    assert [number for number, _ in left] in ([], [19]) or pause < PATIENT
