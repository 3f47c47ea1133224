"""What is shown before the app is imported is what the app then shows of the same state."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pyte
import pytest

from tests.sessions import records_of
from tests.tui.conftest import MEDIUM, MOMENT, SIZES
from tests.tui.driving import Grid, settle
from unspool.columns.side_files import SideFiles
from unspool.follow.tail import Tail
from unspool.formats import FORMATS
from unspool.formats.base import Format
from unspool.ids import SessionRef
from unspool.library.opening import open_library
from unspool.views.view import SessionView
from unspool_tui.app import UnspoolApp
from unspool_tui.first.browse_rows import browse_rows
from unspool_tui.first.frame import HEAD_BYTES, NEWEST, Begun, show_list, show_session
from unspool_tui.first.paint import Look, colours_of, painted
from unspool_tui.first.session_rows import session_rows
from unspool_tui.screens.clock import Clock
from unspool_tui.settings.effective import Settings
from unspool_tui.settings.memory import Memory

if TYPE_CHECKING:
    from unspool_tui.held import Held

SPOKEN = [format for format in FORMATS if format.agent != "blobs"]

TURN = (
    ("user", "Why do invoices drift by a cent? 請看 src/money.py"),
    ("reasoning", "Rounding, probably"),
    ("assistant", "I look at the tests first.\nThen at the code."),
    ("input", {"command": "pytest -q"}),
    ("output", "FAILED test_round\n1 failed, 3 passed in 0.12s"),
    ("input", {"command": "sed -n 1,400p src/money.py"}),
    ("output", "     1\tdef round(cents):\n" * 90),
    ("assistant", "The rate is a float; \x1b]0;title\x07 it is now exact."),
)


def session(folder: Path, format: Format, turns: int = 3) -> SessionView:
    path = folder / f"{format.agent}.jsonl"
    records = records_of(TURN * turns, format)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    view = SessionView.open_head(str(path), SessionRef(format.agent, "first"), format, SideFiles(None), HEAD_BYTES)
    assert view is not None
    return view


def screen_of(view: SessionView, size: tuple[int, int], look: Look) -> pyte.Screen:
    screen = pyte.Screen(*size)
    pyte.Stream(screen).feed(painted(browse_rows(view, size, MOMENT, UTC), look))
    return screen


def app_of(view: SessionView, settings: Settings | None = None) -> UnspoolApp:
    tail = Tail(view, lambda path: view)
    library = open_library([str(Path(view.source_path).parent)])
    return UnspoolApp(
        library, view.source_path, clock=Clock(UTC, MOMENT), settings=settings, begun=Begun(tail, part=False)
    )


def differing(screen: pyte.Screen, grid: Grid, *, colours: bool) -> Iterator[tuple[int, str, str]]:
    """Yield the rows of which something that was shown first is not there any more, or looks different."""
    for y, text in enumerate(grid):
        first = screen.buffer[y]
        signs = [(sign, cell.style) for cell in grid.cells(y) for sign in cell.text]
        x = 0
        for sign, style in signs:
            shown = first[x]
            x += 2 if x + 1 < screen.columns and first[x + 1].data == "" else 1
            if shown.data != " " and (shown.data != sign or (colours and look_of(shown) != look_of_style(style))):
                yield y, screen.display[y], text
                break


def look_of(cell: Any) -> tuple[str, str, bool]:
    return cell.fg, cell.bg, cell.bold


def look_of_style(style: Any) -> tuple[str, str, bool]:
    fore, back = (colour.get_truecolor().hex.removeprefix("#") for colour in (style.color, style.bgcolor))
    return fore, back, bool(style.bold)


@pytest.mark.parametrize("format", SPOKEN, ids=lambda format: format.agent)
@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_all_that_is_shown_first_stands_there_when_the_app_has_taken_over(
    tmp_path: Path, format: Format, size: tuple[int, int]
) -> None:
    view = session(tmp_path, format)
    screen = screen_of(view, size, Look("unspool-dark"))
    assert len(re.findall(r"\bE\d+\.0 ", "".join(screen.display))) > 5
    async with app_of(view).run_test(size=size) as pilot:
        await settle(pilot)
        assert list(differing(screen, Grid(pilot.app), colours=True)) == []


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("begin", ["first", "third"])
async def test_the_sessions_that_are_shown_first_stand_there_when_all_are_known(
    day: Path, size: tuple[int, int], begin: str
) -> None:
    library = open_library(environ={}, home=str(day), now=lambda: MOMENT, alive=lambda pid: True)
    newest = library.newest(NEWEST)
    last = str(newest[2].ref) if begin == "third" else ""
    screen = pyte.Screen(*size)
    rows = session_rows(newest, size, MOMENT, UTC, here=os.getcwd(), begin=last)
    pyte.Stream(screen).feed(painted(rows, Look("unspool-dark")))
    assert " looking …" in screen.display[0]
    assert sum("claude" in row for row in screen.display) > 3
    app = UnspoolApp(library, clock=Clock(UTC, MOMENT), memory=Memory(session=last or None))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        grid = Grid(pilot.app)
        assert [row for row in differing(screen, grid, colours=True) if row[0]] == []


@pytest.mark.parametrize(
    "settings", [Settings(dark=False), Settings(ascii=True), Settings(ascii=True, encoding="ascii")], ids=repr
)
async def test_it_is_drawn_as_the_settings_say(tmp_path: Path, settings: Settings) -> None:
    view = session(tmp_path, SPOKEN[0])
    look = Look("unspool-dark" if settings.dark else "unspool-light", False, settings.ascii, settings.encoding)
    screen = screen_of(view, MEDIUM, look)
    async with app_of(view, settings).run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert list(differing(screen, Grid(pilot.app), colours=not settings.ascii)) == []


def test_without_colour_there_is_none(tmp_path: Path) -> None:
    drawn = painted(browse_rows(session(tmp_path, SPOKEN[0]), MEDIUM, MOMENT, UTC), Look("unspool-dark", plain=True))
    assert "38;" not in drawn
    assert "48;" not in drawn
    assert "\x1b[1m" in drawn


def test_a_terminal_that_has_fewer_colours_is_given_the_nearest(tmp_path: Path) -> None:
    colours = colours_of({"TERM": "xterm-256color"})
    drawn = painted(
        browse_rows(session(tmp_path, SPOKEN[0]), MEDIUM, MOMENT, UTC), Look("unspool-dark", colours=colours)
    )
    assert "38;5;" in drawn
    assert "38;2;" not in drawn
    assert colours_of({"TERM": "xterm-256color", "COLORTERM": "truecolor"}) is None
    assert colours_of({"TERM": "xterm"}) == "STANDARD"


class Watched:
    """A terminal that notes whether it was taken."""

    def __init__(self, size: tuple[int, int] = MEDIUM) -> None:
        self.size = size
        self.taken = False

    def take(self) -> None:
        self.taken = True

    def write(self, text: str, encoding: str | None = None) -> None:
        assert self.taken


def takes(home: Path, target: str | None, size: tuple[int, int] = MEDIUM) -> bool:
    """Say whether a first frame is shown: of a session, or of the list."""
    library, watched, look = open_library(environ={}, home=str(home)), Watched(size), Look("unspool-dark")
    if target is None:
        show_list(cast("Held", watched), library, look, "")
    else:
        assert (show_session(cast("Held", watched), library, target, look) is not None) is watched.taken
    return watched.taken


def test_it_is_shown_of_a_session_and_of_the_list(told: tuple[Path, str]) -> None:
    assert takes(told[0], told[1])
    assert takes(told[0], None)


@pytest.mark.parametrize("fault", [ZeroDivisionError, OSError, KeyError, UnicodeError])
def test_whatever_goes_wrong_with_it_the_app_begins_without(
    told: tuple[Path, str], fault: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise fault("no")

    monkeypatch.setattr("unspool_tui.first.browse_rows.evidence_row", fail)
    monkeypatch.setattr("unspool_tui.first.session_rows.session_row", fail)
    assert not takes(told[0], told[1])
    assert not takes(told[0], None)


@pytest.mark.parametrize("size", [(0, 0), (19, 40), (200, 7)], ids=str)
def test_there_is_none_where_nothing_fits(told: tuple[Path, str], size: tuple[int, int]) -> None:
    assert not takes(told[0], told[1], size)


@pytest.mark.parametrize("target", ["/nowhere.jsonl", "claude:ffffffff", "E1/E2/E3"])
def test_what_cannot_be_opened_is_left_to_the_app(told: tuple[Path, str], target: str) -> None:
    assert not takes(told[0], target)


def test_what_a_session_says_acts_on_no_terminal(tmp_path: Path) -> None:
    drawn = painted(browse_rows(session(tmp_path, SPOKEN[0]), MEDIUM, MOMENT, UTC), Look("unspool-dark"))
    assert "\x1b]" not in drawn
    assert "\x07" not in drawn
