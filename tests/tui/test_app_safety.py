from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.factories.scripts import terminal_escapes, wide_text
from tests.tui.conftest import MEDIUM, app_on
from tests.tui.driving import Grid, press, settle
from unspool_tui.app import UnspoolApp

UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""What must never be in a cell: controls, overrides of direction, what has no width, halves of characters."""

KEYS = ("enter", "j", "j", "tab", "r", "escape", "H", "slash", *"safe", "enter", "question_mark", "escape")


@pytest.mark.parametrize("make", [terminal_escapes, wide_text])
async def test_no_control_character_of_a_session_reaches_a_cell(make, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    make(tmp_path, 1)
    app = app_on(tmp_path)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert UNSAFE.search("".join(Grid(app))) is None
        for key in KEYS:
            await press(pilot, key)
            for text in Grid(app):
                assert UNSAFE.search(text) is None, (key, text)


async def test_a_copied_text_carries_no_escape_sequence(tmp_path: Path) -> None:
    terminal_escapes(tmp_path, 3)
    app = app_on(tmp_path)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        for _ in range(4):
            await press(pilot, "Y", "j")
            assert app.clipboard
            assert UNSAFE.search(app.clipboard) is None


async def test_every_row_of_the_screen_is_exactly_as_wide_as_the_screen(told: tuple[Path, str]) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        for key in ("e", "tab", "shift+tab", "shift+tab", "5", "question_mark"):
            await press(pilot, key)
            strips = app.screen._compositor.render_strips()
            assert {strip.cell_length for strip in strips} == {MEDIUM[0]}
            assert all(style is not None and style.bgcolor is not None for strip in strips for _, style, _ in strip)


class Watch:
    """Notes which files the thread that made it opens, while it is on."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.on = False
        self.opened: list[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.on and event in ("open", "os.listdir", "os.scandir") and threading.get_ident() == self.thread:
            self.opened.append(str(arguments[0]))

    @contextmanager
    def watching(self) -> Iterator[None]:
        self.on = True
        try:
            yield
        finally:
            self.on = False


async def test_the_thread_of_the_screen_opens_no_file(told: tuple[Path, str]) -> None:
    app = app_on(told[0])
    watch = Watch()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        with watch.watching():
            for key in (
                "enter",
                "j",
                "6",
                "e",
                "p",
                "0",
                "slash",
                *"total",
                "enter",
                "n",
                "y",
                "Y",
                "tab",
                "m",
                "r",
                "q",
            ):
                await press(pilot, key)
    home = str(told[0])
    assert [path for path in watch.opened if path.startswith(home)] == []


async def test_without_colours_everything_can_still_be_told(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"pytest", "enter")
        grid = Grid(app)
        y = grid.row_of("pytest -q tests/test_split.py")
        at = grid[y].index("pytest")
        style = grid.cells(y)[at].style
        assert style.bold
        assert style.underline
        assert any(text[30:].startswith("▌") for text in grid)


def test_without_a_terminal_the_app_says_so_and_ends(told: tuple[Path, str], capfd: pytest.CaptureFixture[str]) -> None:
    from unspool_tui.app import run

    reading, writing = os.pipe()
    kept = os.dup(0)
    try:
        os.dup2(reading, 0)
        assert run(app_on(told[0]).gateway._library) == 2
    finally:
        os.dup2(kept, 0)
        for each in (reading, writing, kept):
            os.close(each)
    said = capfd.readouterr()
    assert said.err.count("\n") == 1
    assert "needs a terminal" in said.err
    assert said.out == ""


async def test_a_fault_in_a_worker_is_told_and_ends_nothing(
    told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("\x1b[31mno\x1b[0m")

    monkeypatch.setattr("unspool_tui.present.opening.open_piece", broken)
    app: UnspoolApp = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert "✗ ZeroDivisionError: no (" in Grid(app)[35]
        await press(pilot, "j")
        assert any("▌E2.0" in text for text in Grid(app))
