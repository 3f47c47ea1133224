"""Help beside the bindings that there really are: of every screen, both ways, at every size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.app import App
from textual.dom import DOMNode
from textual.events import MouseScrollDown
from textual.pilot import Pilot
from textual.screen import Screen

from tests.tui.conftest import MEDIUM, NARROW, SIZES, app_on
from tests.tui.pictures.picture import Picture, Size, picture_of
from tests.tui.pictures.walk import Keys, go
from tests.tui.quiet import quiet
from unspool_tui.app import UnspoolApp
from unspool_tui.keymap import COMMANDS, HELP, UNLISTED
from unspool_tui.present import marks
from unspool_tui.screens.help import HelpCard

SCREENS: tuple[tuple[str, Keys], ...] = (
    ("BrowseScreen", ()),
    ("LedgerScreen", ("L",)),
    ("PathsScreen", ("q", "P")),
    ("SearchScreen", ("q", "s", "type:the", "enter")),
    ("SessionsScreen", ("q", "q")),
)
"""Screens, and the keys that lead to each from the one before."""

WHEEL = MouseScrollDown(None, 5, 5, 0, 1, 0, False, False, False)

LINES = tuple((names, words) for lines in HELP.values() for names, words in lines)


def working(screen: Screen[object]) -> Iterator[str]:
    """Yield the ids of the commands that work on a screen, in whatever pane."""
    nodes: list[DOMNode] = [screen.app, screen, *screen.query("*")]
    for node in nodes:
        for _, binding in node._bindings:
            name, _, rest = binding.action.removeprefix("app.").partition("(")
            parameters = (int(rest.rstrip(")")),) if rest.rstrip(")").lstrip("-").isdigit() else ()
            if binding.id in COMMANDS and node.check_action(name, parameters) and screen.check_action(name, parameters):
                yield str(binding.id)


async def helped(pilot: Pilot[int]) -> Picture:
    """Open help, take its picture, and close it."""
    await go(pilot, "question_mark")
    picture = picture_of(pilot.app)
    await go(pilot, "escape")
    return picture


def wrong(picture: Picture, works: set[str]) -> Iterator[str]:
    """Yield what help lacks, names though it does nothing, or cuts."""
    text = "\n".join(row.rstrip() for row in picture.part(picture.regions["HelpCard"]))
    listed = {name for names, _ in LINES for name in names}
    yield from (f"{name} has no line" for name in works - listed - UNLISTED)
    said = {words for names, words in LINES if works & set(names)}
    yield from (f"{words!r} is not shown" for words in said if not shown(words, text))
    yield from (f"{words!r} is shown" for _, words in LINES if words not in said and shown(words, text))
    if "…" in text:
        yield "a word is cut"
    if "unspool only reads." not in text or "esc closes" not in text:
        yield "not all of it is in sight"


def shown(words: str, text: str) -> bool:
    """Say whether a line of help stands there: the words, alone, behind keys."""
    return re.search(rf"(?m)\S +{re.escape(words)}(?=  | [^a-z]| *$| [a-zA-Z]\S* )", text) is not None


async def complaints(app: App[int], pilot: Pilot[int], name: str) -> list[str]:
    assert type(app.screen).__name__ == name
    works = set(working(app.screen))
    return [f"{name}: {each}" for each in wrong(await helped(pilot), works)]


LOW: tuple[Size, ...] = ((100, 24), (160, 24))
"""Windows that are lower than what help says in three columns of their width."""


@pytest.mark.parametrize("size", [*SIZES, *LOW], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_help_names_all_that_works_on_a_screen_and_nothing_else(told: tuple[Path, str], size: Size) -> None:
    app = app_on(*told)
    said = []
    async with app.run_test(size=size) as pilot:
        await quiet(pilot)
        for name, keys in SCREENS:
            await go(pilot, *keys)
            said += await complaints(app, pilot, name)
    assert not said, "\n".join(said)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_help_where_there_is_no_session_names_what_works_there(tmp_path: Path, size: Size) -> None:
    app: UnspoolApp = app_on(tmp_path)
    async with app.run_test(size=size) as pilot:
        await quiet(pilot)
        said = await complaints(app, pilot, "SessionsScreen")
    assert not said, "\n".join(said)


LITTLE: tuple[Size, ...] = ((40, 10), (60, 15), (80, 20), (120, 3), (120, 10), (80, 24))
"""Windows that have no room for all of help, or hardly."""

MOST_STEPS = 500
"""Many more steps than help has rows: help that does not move ends no test otherwise."""


@pytest.mark.parametrize("size", LITTLE, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("down", ["j", "space", "d", "wheel"])
async def test_all_of_help_can_be_read_in_a_small_window(told: tuple[Path, str], size: Size, down: str) -> None:
    app = app_on(*told)
    async with app.run_test(size=size) as pilot:
        await quiet(pilot)
        lines = [words for names, words in LINES if set(working(app.screen)) & set(names)]
        await go(pilot, "question_mark")
        seen = ""
        for _ in range(MOST_STEPS):
            text = str(picture_of(app))
            assert "esc closes" in text
            assert "…" not in text
            seen = f"{seen}\n{text}"
            if "more   j goes on" not in text:
                break
            if down == "wheel":
                app.screen.query_one(HelpCard).post_message(WHEEL)
                await pilot.pause()
            else:
                await pilot.press(down)
        else:
            pytest.fail("help does not go on to its end")
        assert [words for words in lines if not shown(words, seen)] == []
        assert all(meaning in seen for _, _, meaning in marks.LEGEND)
        assert "where in the whole" in seen


async def test_help_goes_back_up_and_no_further_than_its_ends(told: tuple[Path, str]) -> None:
    app = app_on(*told)
    async with app.run_test(size=(60, 15)) as pilot:
        await quiet(pilot)
        await go(pilot, "question_mark")
        top = str(picture_of(app))
        await go(pilot, "G")
        end = str(picture_of(app))
        assert end != top
        await go(pilot, "j", "space")
        assert str(picture_of(app)) == end
        await go(pilot, "k", "j")
        assert str(picture_of(app)) == end
        await go(pilot, "b", "b", "b", "b", "k", "u")
        assert str(picture_of(app)) == top
        await go(pilot, "G", "g")
        assert str(picture_of(app)) == top


@pytest.mark.parametrize("height", [24, 20, 10, 3])
async def test_help_ends_where_the_window_does_and_says_the_way_out(told: tuple[Path, str], height: int) -> None:
    app = app_on(*told)
    async with app.run_test(size=(120, height)) as pilot:
        await quiet(pilot)
        await go(pilot, "question_mark")
        assert not app.screen.show_vertical_scrollbar
        assert app.screen.query_one(HelpCard).size == (104, height)
        assert "esc closes" in str(picture_of(app))


@pytest.mark.parametrize("size", [NARROW, MEDIUM], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_what_help_lacks_or_invents_would_be_seen(told: tuple[Path, str], size: Size) -> None:
    app = app_on(*told)
    async with app.run_test(size=size) as pilot:
        await quiet(pilot)
        picture, works = await helped(pilot), set(working(app.screen))
    assert list(wrong(picture, works | {"sessions.live"})) == ["'live ones only' is not shown"]
    assert list(wrong(picture, works - {"piece.peer"})) == ["'call ↔ result' is shown"]
