"""The key bar offers a walk only where it leads somewhere."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.tui.conftest import NARROW, WIDE, app_on
from tests.tui.driving import Grid, press, settle, until
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.panes import PaneScreen


def calm(home: Path) -> Claude:
    """Two prompts, a call that did not fail, and an answer."""
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.result(lines.call("true"), "fine")
    lines.user("And now?")
    lines.answer("Done")
    lines.save()
    return lines


def offers(pilot: Pilot[int], words: str) -> bool:
    return f" {words} " in Grid(pilot.app)[-1]


async def test_a_walk_over_errors_is_offered_where_there_is_an_error(tmp_path: Path) -> None:
    lines = calm(tmp_path)
    app = app_on(tmp_path, str(lines.path))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        for pane in ("evidence", "reader", "overview"):
            assert isinstance(app.screen, BrowseScreen)
            assert app.screen.pane == pane
            assert not offers(pilot, "e E error")
            assert not offers(pilot, "{ } part"), "it is one whole"
            await press(pilot, "tab")
        lines.result(lines.call("false"), "bad", is_error=True)
        lines.save()
        await until(pilot, lambda _: offers(pilot, "e E error"))
        await press(pilot, "1")
        assert offers(pilot, "e E error"), "an error that the filter leaves out is gone to as well"


async def test_the_next_prompt_is_offered_up_to_the_last_one(tmp_path: Path) -> None:
    app = app_on(tmp_path, str(calm(tmp_path).path))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await press(pilot, "shift+tab")
        assert offers(pilot, "] turn on")
        await press(pilot, "right_square_bracket")
        assert not offers(pilot, "] turn on")


async def test_reasoning_is_offered_where_there_is_some(tmp_path: Path) -> None:
    lines = calm(tmp_path)
    app = app_on(tmp_path, str(lines.path))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert not offers(pilot, "t reasoning")
        lines.spoke({"type": "thinking", "thinking": "Hm"})
        lines.save()
        await until(pilot, lambda _: offers(pilot, "t reasoning"))
        await press(pilot, "t")
        assert offers(pilot, "t reasoning"), "the same key leaves it out again"


async def test_beside_a_status_a_small_screen_keeps_the_key_that_copies(tmp_path: Path) -> None:
    lines = calm(tmp_path)
    lines.result(lines.call("false"), "bad", is_error=True)
    lines.save()
    app = app_on(tmp_path, str(lines.path))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, PaneScreen)
        app.screen.say((("copied 38 B", "live"),))
        await pilot.pause()
        for words in ("enter read", "/ filter", "e E error", "1-7 facets", "y copy ref", "? help"):
            assert offers(pilot, words)


async def test_live_sessions_alone_are_offered_where_one_lives(day: Path, tmp_path: Path) -> None:
    calm(tmp_path)
    app = app_on(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert not offers(pilot, "f live only")
        await press(pilot, "slash", *"is:live", "enter")
        assert offers(pilot, "f live only"), "the same key shows all again"
    app = app_on(day)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert offers(pilot, "f live only")
