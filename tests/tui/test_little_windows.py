"""Windows that are less than a terminal's usual size: what a row is about and the way out are never what is cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.conftest import NARROW, app_on
from tests.tui.driving import Grid, press, settle
from tests.tui.pictures.picture import Size

LITTLE: Size = (50, 15)

Told = tuple[Path, str]


async def test_the_ledger_says_what_its_outputs_are_of(told: Told) -> None:
    async with app_on(*told).run_test(size=LITTLE) as pilot:
        await settle(pilot)
        await press(pilot, "L")
        grid = Grid(pilot.app)
        assert "what" in grid[3]
        assert grid.has("exit 1  pytest")
        assert grid.has("ling/invoice.py")


@pytest.mark.parametrize(("order", "names"), [("2", ("tool", "← Bash")), ("3", ("file", "ling/invoice.py"))])
async def test_the_ledger_names_its_tools_and_files(told: Told, order: str, names: tuple[str, str]) -> None:
    async with app_on(*told).run_test(size=LITTLE) as pilot:
        await settle(pilot)
        await press(pilot, "L", order)
        grid = Grid(pilot.app)
        assert names[0] in grid[3]
        assert grid.has(names[1])


@pytest.mark.parametrize("size", [LITTLE, NARROW], ids=str)
@pytest.mark.parametrize("key", ["x", "ctrl+p", "question_mark"])
async def test_every_card_says_what_closes_it(told: Told, key: str, size: Size) -> None:
    async with app_on(*told).run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, key)
        assert Grid(pilot.app).has("esc closes")


async def test_the_keys_of_the_words_are_named_as_soon_as_a_search_over_all_opens(told: Told) -> None:
    async with app_on(told[0]).run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "s")
        assert "esc clear" in Grid(pilot.app)[23]
