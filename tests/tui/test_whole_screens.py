"""Screens that go before all of them is there, as on a machine that has much else to do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.geometry import Size
from textual.screen import Screen

from tests.tui.conftest import MEDIUM, NARROW, WIDE, app_on
from tests.tui.driving import settle
from tests.tui.test_bursts import burst
from unspool_tui import key_order
from unspool_tui.app import UnspoolApp
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.palette import PaletteScreen
from unspool_tui.screens.sessions import SessionsScreen
from unspool_tui.screens.whole import WholeScreen
from unspool_tui.widgets.session_preview import SessionPreview

MOMENTS = (0, 1, 2, 3, 5, 8, 12, 20, 40)
"""Rounds of the loop for which a screen stays: it is whole before the last of them."""

Made = Callable[[UnspoolApp, str], Screen[object]]

SCREENS: dict[str, Made] = {
    "browse": lambda app, target: BrowseScreen(app.gateway, target),  # type: ignore[dict-item, return-value]
    "palette": lambda app, _: PaletteScreen(app.gateway, app._clock, ()),  # type: ignore[dict-item, return-value]
    "sessions": lambda app, _: SessionsScreen(app.gateway, app._clock),  # type: ignore[dict-item, return-value]
}


@pytest.mark.parametrize("name", SCREENS)
async def test_a_screen_can_be_taken_away_at_any_moment_while_it_is_composed(told: tuple[Path, str], name: str) -> None:
    app = app_on(told[0])
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        for moments in MOMENTS:
            screen = SCREENS[name](app, told[1])
            app.push_screen(screen)
            for _ in range(moments):
                await asyncio.sleep(0)
            await app.pop_screen()
        await settle(pilot)
    assert app.fault is None


@pytest.mark.parametrize("keys", ["\x10\x1b", "s\x1b", "\rq"])
async def test_a_key_waits_for_the_screen_that_the_one_before_opens_however_long_that_takes(
    told: tuple[Path, str], keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_order, "DEALT_WITH_SECONDS", 0.0)
    app = app_on(told[0])
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await burst(pilot, keys)
        assert isinstance(app.screen, SessionsScreen)
    assert app.fault is None


async def test_a_screen_is_styled_when_it_is_made_and_not_again_when_it_comes_into_sight(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    styled: list[Screen[object]] = []
    monkeypatch.setattr(Screen, "update_node_styles", lambda screen, **_: styled.append(screen))
    app = app_on(told[0])
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        app.push_screen(SCREENS["browse"](app, told[1]))
        await settle(pilot)
        await app.pop_screen()
        await settle(pilot)
        assert [each for each in styled if isinstance(each, WholeScreen)] == []


async def test_a_screen_that_comes_back_in_another_size_is_styled_for_it(told: tuple[Path, str]) -> None:
    app = app_on(told[0])
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        below = app.screen
        assert below.query_one(SessionPreview).display
        app.push_screen(SCREENS["browse"](app, told[1]))
        await settle(pilot)
        await pilot.resize_terminal(*NARROW)
        await settle(pilot)
        await app.pop_screen()
        await settle(pilot)
        assert app.screen is below
        assert not below.query_one(SessionPreview).display


async def test_a_screen_is_laid_out_once_for_a_size(told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out, laid_out = Screen._refresh_layout, list[Size]()

    def noting(screen: Screen[object], size: Size | None = None, scroll: bool = False) -> None:
        laid_out.extend([size] if size is not None and isinstance(screen, WholeScreen) else [])
        lay_out(screen, size, scroll)

    monkeypatch.setattr(Screen, "_refresh_layout", noting)
    app = app_on(told[0])
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await pilot.resize_terminal(*WIDE)
        await settle(pilot)
    assert laid_out == [Size(*MEDIUM), Size(*WIDE)]


@pytest.mark.parametrize("inside", [False, True])
async def test_no_screen_is_made_that_nobody_sees(told: tuple[Path, str], inside: bool) -> None:
    app = app_on(told[0], told[1] if inside else None)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        shown = [SessionsScreen, BrowseScreen] if inside else [SessionsScreen]
        assert [type(screen) for screen in app.screen_stack] == shown
