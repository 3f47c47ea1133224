"""Widgets are what a screen consists of, never its records: there are as many over a session of any length."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from tests.sessions import Said, claude_records
from tests.tui.conftest import WIDE, app_on
from tests.tui.driving import press, settle

WALK = (
    "j G g enter", "space G escape", "tab j tab tab 5 j 0", "slash l i n e enter", "n N escape", "L", "j G 2 j G", "3",
    "j G 1 escape", "P", "j G escape", "question_mark", "escape ctrl+p", "escape x", "escape q", "j G g",
)  # fmt: skip
"""Keys to every screen, and through each list from its first record to its last."""


def written(home: Path, turns: int) -> Path:
    """Write sessions of so many turns, as many as that, at most a hundred; return one of them."""
    for number in range(min(turns, 100)):
        path = home / ".claude" / "projects" / "-srv-shop" / f"6611b339-4d32-5a89-a49f-{number:012}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        said = [each for turn in range(turns if not number else 1) for each in turn_of(turn)]
        path.write_text("".join(json.dumps(each) + "\n" for each in claude_records(said)), encoding="utf-8")
    return path.with_name(path.name.replace(f"{number:012}", f"{0:012}"))


def turn_of(number: int) -> tuple[Said, ...]:
    """Return what is said in a turn."""
    lines = "\n".join(f"line {line} of {number}" for line in range(60))
    asked: Any = {"command": f"cat notes/{number}.md"}
    return ("user", f"look at {number}"), ("input", asked), ("output", lines), ("assistant", f"read {number}")


def counted(pilot: Pilot[int]) -> int:
    """Return how many nodes all screens have."""
    return sum(1 for screen in pilot.app.screen_stack for _ in screen.walk_children())


async def counts(home: Path, turns: int) -> list[tuple[str, int]]:
    """Walk, and return the screen and the number of widgets after each stretch of keys."""
    path = written(home, turns)
    found = []
    async with app_on(home, str(path)).run_test(size=WIDE) as pilot:
        await settle(pilot)
        for keys in WALK:
            await press(pilot, *keys.split())
            found.append((type(pilot.app.screen).__name__, counted(pilot)))
    return found


async def test_no_number_of_widgets_grows_with_the_number_of_records(tmp_path: Path) -> None:
    few, many = await counts(tmp_path / "few", 3), await counts(tmp_path / "many", 600)
    assert {screen for screen, _ in few} > {"BrowseScreen", "LedgerScreen", "PathsScreen", "SessionsScreen"}
    assert many == few
