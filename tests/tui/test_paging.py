"""A piece in the person's own pager: what it gets to see, and that nothing of it stays."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from tests.tui.conftest import MEDIUM, app_on
from tests.tui.driving import Grid, press, settle
from tests.tui.test_copying import session
from unspool_tui.app import UnspoolApp
from unspool_tui.outbox import pages
from unspool_tui.screens.browse import BrowseScreen

LINES = "".join(f"line {number}\n" for number in range(2_000))


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set a pager that notes in the file returned what it was given, and let the test's terminal be lent."""
    found, program = tmp_path / "seen.json", tmp_path / "less"
    program.write_text(
        "#!/usr/bin/env python3\n"
        "import json, os, sys\n"
        "path = sys.argv[-1]\n"
        "told = {'words': sys.argv[1:-1], 'path': path, 'text': open(path, newline='').read(),"
        " 'mode': os.stat(path).st_mode & 0o777}\n"
        f"open({str(found)!r}, 'w').write(json.dumps(told))\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PAGER", f"{program} -S")
    monkeypatch.setattr("unspool_tui.pager.AT_ONCE", 0.0)  # nobody is there to read what it left
    monkeypatch.setattr(HeadlessDriver, "can_suspend", True)
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    return found


def told(seen: Path) -> dict[str, Any]:
    """Return what the pager noted."""
    return json.loads(seen.read_text())  # type: ignore[no-any-return]


def was_opened(seen: Path) -> bool:
    """Say whether the pager was started."""
    return seen.exists()


def left_over(seen: Path) -> list[Path]:
    """Return what lies where the pager's file was."""
    return list((seen.parent / "scratch").iterdir())


def status(pilot: Pilot[int]) -> str:
    """Return the bottom row of the screen."""
    return list(Grid(pilot.app))[-1]


async def test_the_pager_gets_the_whole_text_in_a_private_file_that_is_gone_afterwards(home: Path, seen: Path) -> None:
    app = app_on(home, session(home, LINES))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "v")
        noted = told(seen)
        assert noted["text"] == LINES
        assert noted["mode"] == 0o600
        assert noted["words"] == ["-S"]
        assert left_over(seen) == []
        assert isinstance(app.screen, BrowseScreen)
        assert Grid(app).has("▌E0.0")


@pytest.mark.parametrize("keys", [("enter", "M", "G", "v"), ("enter", "G", "M", "v")])
async def test_it_begins_where_the_reader_is(home: Path, seen: Path, keys: tuple[str, ...]) -> None:
    app = app_on(home, session(home, LINES))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, *keys)
        first = re.search(r" (\d+)  line \d+", str(Grid(app)))
        assert first is not None
        assert int(first[1]) > 1_900
        assert told(seen)["words"] == ["-S", f"+{first[1]}"]


async def test_it_begins_at_the_written_line_of_what_is_rendered(home: Path, seen: Path) -> None:
    app = app_on(home, session(home, "\n\n".join(f"paragraph {number}" for number in range(400))))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "G", "v")
        shown = [int(each) for each in re.findall(r"paragraph (\d+)", str(Grid(app)))]
        first = min(each for each in shown if each > 300)  # the rail and the list show the beginning
        assert int(told(seen)["words"][1]) in (2 * first, 2 * first + 1)


async def test_what_acts_on_a_terminal_is_not_in_the_file(home: Path, seen: Path) -> None:
    app = app_on(home, session(home, "a\x1b[31mb\x1b]52;c;eA==\x07\n\u202ec\x9b"))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "v")
        assert told(seen)["text"] == "ab\n⟨202E⟩c\ufffd"


async def test_the_raw_record_is_opened_as_such(home: Path, seen: Path) -> None:
    app = app_on(home, session(home, "Go"))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "r", "v")
        assert json.loads(told(seen)["text"])["message"]["content"] == [{"type": "text", "text": "Go"}]


async def test_of_an_enormous_piece_the_beginning_is_opened_and_the_rest_told(
    home: Path, seen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "PAGED_BYTES", 4_000)
    monkeypatch.setattr(pages, "WINDOW_BYTES", 1_000)
    app = app_on(home, session(home, LINES))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "v")
        assert told(seen)["text"] == LINES[:4_000]
        assert "15 KB at the end were left out" in status(pilot)


async def test_a_program_that_is_missing_or_fails_is_told_and_the_app_goes_on(
    home: Path, seen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_on(home, session(home, "Go", "On"))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        monkeypatch.setenv("PAGER", "no-such\x1b[31m-program")
        await press(pilot, "v")
        assert "✗ $PAGER names 'no-such" in status(pilot)
        monkeypatch.setenv("PAGER", "sh -c 'exit 4'")
        await press(pilot, "v")
        assert "✗ sh ended with exit 4" in status(pilot)
        assert left_over(seen) == []
        await press(pilot, "j")
        assert Grid(app).has("▌E1.0")
        assert "exit 4" not in status(pilot)


async def test_a_terminal_that_cannot_be_lent_says_so(home: Path, seen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HeadlessDriver, "can_suspend", False)
    app = app_on(home, session(home, "Go"))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "v")
        assert "✗ this terminal cannot be lent to another program" in status(pilot)
        assert not was_opened(seen)
        assert left_over(seen) == []


@contextmanager
def held_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let writing never come to an end by itself."""
    windows = pages._Windows.__iter__

    def endless(self: pages._Windows) -> Iterator[str]:
        while not self._cancelled():
            yield from windows(self)

    monkeypatch.setattr(pages._Windows, "__iter__", endless)
    yield


async def test_who_leaves_while_it_is_written_leaves_no_file(
    home: Path, seen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app: UnspoolApp = app_on(home, session(home, "Go"))
    with held_up(monkeypatch):
        async with app.run_test(size=MEDIUM) as pilot:
            await settle(pilot)
            await pilot.press("v")
            await pilot.pause(0.2)
            assert left_over(seen) != []
            await pilot.press("q")
            await settle(pilot)
            while left_over(seen):
                await pilot.pause(0.02)
    assert not was_opened(seen)
