"""With NO_COLOR nothing has a colour, no grey either, and marks, words and weight say what colours said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.color import Color
from rich.style import Style

from tests.tui.conftest import MEDIUM, NARROW, app_on
from tests.tui.driving import Grid, press, settle
from tests.tui.pictures.picture import Size
from unspool_tui.present import marks
from unspool_tui.settings.effective import Settings


@pytest.fixture(autouse=True)
def no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")


def colours(style: Style) -> Iterator[Color]:
    """Yield the colours of a style that are not the terminal's own."""
    for colour in (style.color, style.bgcolor):
        if colour is not None and not colour.is_default:
            yield colour


def style_of(grid: Grid, words: str) -> Style:
    """Return the style of the first of some words to the right of the overview."""
    y, x = next((y, x) for y, text in enumerate(grid) if (x := text.find(words, 30)) >= 0)
    return grid.cells(y)[x].style


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize(
    "walk",
    [(), ("slash", *"pytest", "enter"), ("6", "e", "enter"), ("slash", *"tool:Edit", "enter", "enter"),
     ("question_mark",), ("q",), ("L",)],
)  # fmt: skip
async def test_nothing_on_any_screen_has_a_colour(told: tuple[Path, str], walk: tuple[str, ...], dark: bool) -> None:
    async with app_on(*told, Settings(dark=dark)).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, *walk)
        grid = Grid(pilot.app)
        assert [(cell.text, one) for y in range(36) for cell in grid.cells(y) for one in colours(cell.style)] == []


async def test_matches_and_badges_are_bold_and_underlined(told: tuple[Path, str]) -> None:
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "7", "enter")
        badge = style_of(Grid(pilot.app), "model saw 2.0 KB")
        assert badge.bold
        assert badge.underline
        await press(pilot, "escape", "0", "slash", *"replay", "enter")
        match = style_of(Grid(pilot.app), "replay --orders")
        assert match.bold
        assert match.underline


async def test_edits_tell_old_from_new_by_their_signs(told: tuple[Path, str]) -> None:
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"tool:Edit", "enter", "g", "enter")
        text = str(Grid(pilot.app))
        assert " −  " in text
        assert " +  " in text


async def test_the_cursor_and_the_focused_pane_have_a_bar(told: tuple[Path, str]) -> None:
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        grid = Grid(pilot.app)
        assert grid[1][30] == "▌"
        assert sum(text[30] == "▌" for text in grid) == 2
        await press(pilot, "shift+tab")
        assert Grid(pilot.app)[1][0] == "▌"


@pytest.mark.parametrize("keys", [("question_mark",), ("x",), ("ctrl+p",)], ids="-".join)
@pytest.mark.parametrize("size", [NARROW, MEDIUM], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_a_line_is_drawn_around_a_card(told: tuple[Path, str], keys: tuple[str, ...], size: Size) -> None:
    async with app_on(*told).run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, *keys)
        grid = Grid(pilot.app)
        card = next(each.region for each in pilot.app.screen.children if each.display and each.region.height > 1)
        assert grid[card.y][card.x : card.right] == f"┌{'─' * (card.width - 2)}┐"
        assert grid[card.bottom - 1][card.x : card.right] == f"└{'─' * (card.width - 2)}┘"
        assert {(grid[y][card.x], grid[y][card.right - 1]) for y in range(card.y + 1, card.bottom - 1)} == {("│", "│")}


async def test_where_there_are_colours_a_card_has_its_own_ground_and_no_line(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR")
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "x")
        assert "┌" not in str(Grid(pilot.app))


async def test_the_signs_of_the_map_stand_apart_from_the_rows(told: tuple[Path, str]) -> None:
    async with app_on(*told).run_test(size=NARROW) as pilot:
        await settle(pilot)
        grid = Grid(pilot.app)
        edge = [text for text in grid if text[-1] in f"{marks.ERROR}{marks.STORED}"]
        assert edge
        assert {text[-3:-1] for text in edge} == {"  "}
