"""A screen that comes into sight is drawn once: the next key need not wait for the same picture again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import RenderableType
from textual._compositor import LayoutUpdate
from textual.screen import Screen

from tests.tui.conftest import MEDIUM, NARROW, app_on
from tests.tui.driving import Grid, press, settle
from tests.tui.pictures.picture import Size
from unspool_tui.app import UnspoolApp

OPENED = [("question_mark",), ("L",), ("P",), ("x",), ("ctrl+p",), ("q", "question_mark"), ("q", "s"), ("q", "enter")]
"""Keys in a session, the last of which opens another screen."""


class Pictures:
    """The pictures that an app draws: which screen, and whether it was all of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.drawn: list[tuple[str, bool]] = []
        display = UnspoolApp._display

        def note(app: UnspoolApp, screen: Screen[object], picture: RenderableType | None) -> None:
            if picture is not None:
                whole = isinstance(picture, LayoutUpdate) and picture.region == screen.size.region
                self.drawn.append((type(screen).__name__, whole))
            display(app, screen, picture)

        monkeypatch.setattr(UnspoolApp, "_display", note)

    @property
    def whole(self) -> list[str]:
        """The screens that were drawn in full."""
        return [name for name, whole in self.drawn if whole]


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> Pictures:
    return Pictures(monkeypatch)


@pytest.mark.parametrize("size", [NARROW, MEDIUM], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("keys", OPENED, ids="-".join)
async def test_a_screen_that_opens_is_drawn_in_full_once(
    told: tuple[Path, str], pictures: Pictures, keys: Sequence[str], size: Size
) -> None:
    async with app_on(*told).run_test(size=size) as pilot:
        await settle(pilot)
        for key in keys[:-1]:
            await press(pilot, key)
        pictures.drawn.clear()
        await press(pilot, keys[-1])
        assert pictures.whole == [type(pilot.app.screen).__name__]


@pytest.mark.parametrize("keys", OPENED[:5], ids="-".join)
async def test_the_screen_that_one_comes_back_to_is_drawn_once(
    told: tuple[Path, str], pictures: Pictures, keys: Sequence[str]
) -> None:
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        before = str(Grid(pilot.app))
        await press(pilot, *keys)
        pictures.drawn.clear()
        await press(pilot, "escape")
        assert pictures.drawn == [("BrowseScreen", True)]
        assert str(Grid(pilot.app)) == before


async def test_help_is_drawn_and_no_part_of_it_again(told: tuple[Path, str], pictures: Pictures) -> None:
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        pictures.drawn.clear()
        await press(pilot, "question_mark")
        assert pictures.drawn == [("HelpScreen", True)]


async def test_what_changes_below_a_whole_screen_draws_nothing_and_is_there_when_one_comes_back(
    told: tuple[Path, str], pictures: Pictures
) -> None:
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        below = pilot.app.screen
        await press(pilot, "L")
        pictures.drawn.clear()
        below.say((("said below", "text"),), stays=True)
        await settle(pilot)
        assert pictures.drawn == []
        await press(pilot, "escape")
        assert Grid(pilot.app).has("said below")


async def test_what_changes_below_a_card_is_seen_around_it(told: tuple[Path, str], pictures: Pictures) -> None:
    async with app_on(*told).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        below = pilot.app.screen
        await press(pilot, "x")
        pictures.drawn.clear()
        below.say((("said below", "text"),), stays=True)
        await settle(pilot)
        assert pictures.drawn
        assert Grid(pilot.app).has("said below")
