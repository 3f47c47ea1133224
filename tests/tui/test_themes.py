"""Turning the theme: all that is on any screen takes the other colours, and no rule of style is applied for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.color import Color
from textual.css.stylesheet import Stylesheet

import unspool_tui
from tests.tui.conftest import MEDIUM, app_on
from tests.tui.driving import Cell, Grid, press, settle
from unspool_tui.present.tokens import DARK, LIGHT
from unspool_tui.screens.palette import PaletteField

SOURCES = [path for path in Path(unspool_tui.__file__).parent.rglob("*") if path.suffix in (".py", ".tcss")]


def colours(grid: Grid) -> set[str]:
    """Return the colours on a screen."""
    cells = [cell for y, _ in enumerate(grid) for cell in grid.cells(y)]
    return {named(each) for cell in cells for each in (cell.style.color, cell.style.bgcolor) if each is not None}


def named(colour: Color | None) -> str:
    """Return a colour as the tokens write it."""
    return colour.get_truecolor().hex if colour is not None else ""


def cell_of(grid: Grid, words: str) -> Cell:
    """Return the first cell of some words."""
    y = grid.row_of(words)
    return grid.cells(y)[grid[y].index(words)]


async def test_each_screen_of_the_stack_is_drawn_in_the_other_colours(told: tuple[Path, str]) -> None:
    async with app_on(told[0]).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "slash", *"is:tool kind", "ctrl+t")
        assert colours(Grid(pilot.app)) <= set(LIGHT.values())
        await press(pilot, "escape", "q")
        grid = Grid(pilot.app)
        assert grid.has("session")
        assert colours(grid) <= set(LIGHT.values())
        await press(pilot, "ctrl+t")
        assert colours(Grid(pilot.app)) <= set(DARK.values())


async def test_a_card_and_what_is_below_it_are_drawn_in_the_other_colours(told: tuple[Path, str]) -> None:
    async with app_on(told[0]).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p", *"theme")
        await pilot.app.run_action("app.turn_theme")
        await settle(pilot)
        assert named(cell_of(Grid(pilot.app), "theme").style.bgcolor) == LIGHT["raised"]
        field = pilot.app.screen.query_one(PaletteField)
        assert field.background_colors[0].hex.lower() == LIGHT["raised"]
        await press(pilot, "escape")
        assert colours(Grid(pilot.app)) <= set(LIGHT.values())


async def test_no_rule_is_applied_when_the_theme_turns(told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[object] = []
    apply = Stylesheet.apply

    def noted(self: Stylesheet, node: object, **more: object) -> None:
        applied.append(node)
        apply(self, node, **more)  # type: ignore[arg-type]

    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        monkeypatch.setattr(Stylesheet, "apply", noted)
        await press(pilot, "ctrl+t")
        assert pilot.app.theme == "unspool-light"
        assert applied == []
        pilot.app.screen.add_class("other")
        assert applied != []


def test_no_rule_names_a_colour_of_the_theme() -> None:
    assert len(SOURCES) > 100
    assert [path for path in SOURCES if "$u-" in path.read_text(encoding="utf-8")] == []
