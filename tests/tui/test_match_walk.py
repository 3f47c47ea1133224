from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.screenshots.script import ClaudeScript
from tests.tui.conftest import MEDIUM, NARROW, app_on
from tests.tui.driving import Grid, press, settle
from unspool_tui.app import UnspoolApp
from unspool_tui.present.next_match import next_matching
from unspool_tui.screens.browse import BrowseScreen

LONG = "\n".join(f"line {number} says nothing" for number in range(20_000))


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Three pieces with `needle`: two in a prompt, two far apart in a long output, one in an answer."""
    home = tmp_path_factory.mktemp("walked")
    script = ClaudeScript("needles", datetime(2026, 11, 27, 15, tzinfo=UTC), "/home/mira/src/hay")
    script.prompt("Where is the needle, and the other needle?")
    script.say("I look.")
    script.bash("cat hay", f"needle first\n{LONG}\nneedle last", code=0)
    script.say("Nothing here.")
    script.bash("false", "no", code=1)
    script.say("The needle is in the hay.")
    script.say("Bye.")
    path = script.path(home)
    script.write(path)
    return home, str(path)


def place(pilot: Pilot[int]) -> tuple[str, int]:
    """The piece that the reader shows, and how many matches of it come before the present one."""
    screen = pilot.app.screen
    assert isinstance(screen, BrowseScreen)
    assert screen.reader.subject is not None
    assert screen.reader.subject.evidence.row == screen.row == screen.evidence.row
    spot = screen.reader.body.found.spot
    assert spot is not None, screen.reader.subject.evidence.id
    assert screen.reader.body.in_view(spot)
    pages = screen.reader.body.pages
    assert pages is not None
    line = pages.lines[spot[0]].text
    assert line[spot[1] :].lower().startswith("needle")
    return str(screen.reader.subject.evidence.id), (pages.first_line + spot[0]) * 1000 + spot[1]


ROUND = [("E0.0", 1013), ("E0.0", 1035), ("E3.0", 1000), ("E3.0", 20_002_000), ("E7.0", 1004)]
"""Where the matches are, in order: piece, and line and character of it."""


@pytest.mark.parametrize("size", [NARROW, MEDIUM])
async def test_a_filter_is_walked_from_match_to_match_across_windows_and_pieces_and_round(
    walked: tuple[Path, str], size: tuple[int, int]
) -> None:
    app = app_on(*walked)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"needle", "enter", *(["n"] if size == NARROW else []))
        seen = [place(pilot)]
        for _ in range(5):
            await press(pilot, "n")
            seen.append(place(pilot))
        assert seen == [*ROUND, ROUND[0]]
        assert "on from the top" in Grid(app)[size[1] - 1]
        await press(pilot, "N")
        assert place(pilot) == ROUND[-1]
        assert "on from the end" in Grid(app)[size[1] - 1]
        back = []
        for _ in range(4):
            await press(pilot, "N")
            back.append(place(pilot))
        assert back == ROUND[-2::-1]
        assert "past" not in Grid(app)[size[1] - 1]


async def test_words_typed_in_the_reader_are_walked_through_all_pieces_too(walked: tuple[Path, str]) -> None:
    app = app_on(*walked)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert " n N match" not in Grid(app)[35]
        await press(pilot, "enter", "slash", *"needle", "enter")
        assert Grid(app)[35].startswith(" n N match")
        seen = [place(pilot)]
        for _ in range(5):
            await press(pilot, "n")
            seen.append(place(pilot))
        assert seen == [*ROUND, ROUND[0]]
        assert "on from the top" in Grid(app)[35]
        back = []
        for _ in range(5):
            await press(pilot, "N")
            back.append(place(pilot))
        assert back == ROUND[::-1]
        assert len([text for text in Grid(app) if " of 10 " in text]) == 0  # the list itself was not filtered
        await press(pilot, "slash", *["backspace"] * 6, "enter")
        assert Grid(app)[35].startswith(" space more")


async def test_words_that_stand_nowhere_are_said_to_stand_nowhere(walked: tuple[Path, str]) -> None:
    app = app_on(*walked)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "n")
        assert "nothing is searched" in Grid(app)[35]
        await press(pilot, "enter", "slash", *"haystack", "enter")
        assert "no match" in Grid(app)[35]


async def test_a_facet_keeps_the_words_that_were_typed_in_the_reader(walked: tuple[Path, str]) -> None:
    app = app_on(*walked)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "slash", *"needle", "enter", "shift+tab", "5", "n", "n", "n")
        assert place(pilot) == ROUND[2]
        await press(pilot, "n", "n")
        assert place(pilot) == ROUND[2]  # round within what the list shows
        assert "on from the top" in Grid(app)[35]


async def test_steps_pressed_faster_than_pieces_are_read_skip_no_match(walked: tuple[Path, str]) -> None:
    app = app_on(*walked)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"needle", "enter", "n")
        await press(pilot, "n", "n")
        assert place(pilot) in ROUND[3:4]


def test_the_next_matching_piece_is_found_in_both_directions_and_round(walked: tuple[Path, str]) -> None:
    from unspool.library.opening import open_library

    view = open_library(environ={}, home=str(walked[0])).view(walked[1])
    rows = range(view.rows)
    holds = [row for row in rows if "needle" in view.read(view.id(row)).pieces[0].text]
    assert len(holds) == 3

    def walk(row: int, by: int) -> tuple[int | None, bool]:
        return next_matching(view, rows, row, "needle", by, case="smart", cancelled=lambda: False)

    for row in rows:
        behind = [each for each in holds if each > row]
        before = [each for each in holds if each < row]
        assert walk(row, 1) == ((behind[0], False) if behind else (holds[0], True))
        assert walk(row, -1) == ((before[-1], False) if before else (holds[-1], True))
    assert next_matching(view, rows, 0, "nowhere", 1, case="smart", cancelled=lambda: False) == (None, True)


class Gate:
    """Holds the opening of a session back until it is let go."""

    def __init__(self, app: UnspoolApp) -> None:
        self._go = threading.Event()
        inner: Callable[..., object] = app.gateway._tail
        app.gateway._tail = lambda target: self._go.wait(30) and inner(target)  # type: ignore[method-assign,assignment,return-value]

    def open(self) -> None:
        self._go.set()


@pytest.mark.parametrize(("key", "what", "lands"), [("e", "error", "E6.0"), ("right_square_bracket", "prompt", "E0.0")])
async def test_a_walk_begun_while_the_session_is_read_says_so_and_lands(
    walked: tuple[Path, str], key: str, what: str, lands: str
) -> None:
    app = app_on(*walked)
    gate = Gate(app)
    async with app.run_test(size=MEDIUM) as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert f"still reading; goes to the next {what} when it is known" in Grid(app)[35]
        gate.open()
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, BrowseScreen)
        assert screen.view is not None
        assert screen.row is not None
        if key == "e":
            assert str(screen.view.id(screen.row)) == lands
            assert "still reading" not in Grid(app)[35]
        else:
            assert "no prompt after this" in Grid(app)[35]  # the session begins at its only one


async def test_a_wish_is_given_up_by_moving_on(walked: tuple[Path, str]) -> None:
    app = app_on(*walked)
    gate = Gate(app)
    async with app.run_test(size=MEDIUM) as pilot:
        await pilot.press("e")
        screen = app.screen
        assert isinstance(screen, BrowseScreen)
        gate.open()
        await settle(pilot)
        await press(pilot, "g", "slash", *"hay", "enter")
        assert screen._when_known is None
        assert screen.row == screen.evidence.row


async def test_a_facet_chosen_while_the_session_is_read_is_kept(walked: tuple[Path, str]) -> None:
    app = app_on(*walked)
    gate = Gate(app)
    async with app.run_test(size=MEDIUM) as pilot:
        await pilot.press("5", "p")
        await pilot.pause()
        assert "still reading" in Grid(app)[35]
        gate.open()
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, BrowseScreen)
        assert screen.filter_line.words == "part:output"
        assert Grid(app).has("2 of 9")
