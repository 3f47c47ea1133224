"""What is copied, how it gets onto the clipboard, and what the person is told about it."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.tui.conftest import MEDIUM, NARROW, app_on
from tests.tui.driving import LOOK, PATIENCE, Grid, press, settle
from tests.tui.test_clipboard import program
from unspool_tui.clipboard import COPIED_BYTES, TERMINAL_BYTES
from unspool_tui.outbox import copies
from unspool_tui.screens.asking import AskScreen
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.export_dialog import ExportDialog

Told = tuple[Path, str]

HOSTILE = "red \x1b[31malert\x1b[0m\tand \u202ebidi\x07"
CLEANED = "red alert   and ⟨202E⟩bidi␇"
ID = "aaaa1111-0000-4000-8000-000000000001"


def session(home: Path, *texts: str, cwd: str = "/srv/shop") -> str:
    """Write a session with these prompts; return its path."""
    lines = Claude(home, Names(1), session_id=ID, cwd=cwd)
    for text in texts:
        lines.user(text)
    return str(lines.save().path)


@dataclass(frozen=True)
class Kept:
    """A clipboard, and the file that holds what is in it."""

    out: Path

    @property
    def text(self) -> str:
        return self.out.read_text()


@pytest.fixture
def clipboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Give the machine a clipboard."""
    monkeypatch.delenv("SSH_TTY")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return Kept(program(tmp_path, "wl-copy", 'cat > "$OUT"'))


def status(pilot: Pilot[int]) -> str:
    """Return the bottom row of the screen."""
    return list(Grid(pilot.app))[-1]


async def test_a_program_of_this_machine_gets_the_text_and_is_named(told: Told, clipboard: Kept) -> None:
    app = app_on(*told)
    async with app.run_test(size=(160, 48)) as pilot:
        await settle(pilot)
        await press(pilot, "y")
        assert clipboard.text.startswith("claude:")
        assert "/E0.0@" in clipboard.text
        assert app.clipboard == ""
        assert "copied the reference of E0.0" in status(pilot)
        assert f"{len(clipboard.text)} B  by wl-copy" in status(pilot)


async def test_without_one_the_terminal_is_asked_and_named(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=(160, 48)) as pilot:
        await settle(pilot)
        await press(pilot, "y")
        assert "/E0.0@" in app.clipboard
        assert f"{len(app.clipboard)} B  through the terminal" in status(pilot)


async def test_one_that_fails_leaves_it_to_the_terminal(told: Told, clipboard: Kept) -> None:
    program(clipboard.out.parent, "wl-copy", "exit 1")
    app = app_on(*told)
    async with app.run_test(size=(160, 48)) as pilot:
        await settle(pilot)
        await press(pilot, "y")
        assert "/E0.0@" in app.clipboard
        assert "through the terminal" in status(pilot)


async def test_inside_a_tmux_that_refuses_it_is_said_what_tmux_needs(
    told: Told, clipboard: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMUX", "x")
    for name in ("wl-copy", "tmux"):
        program(clipboard.out.parent, name, "exit 1")
    app = app_on(*told)
    async with app.run_test(size=(160, 48)) as pilot:
        await settle(pilot)
        await press(pilot, "y")
        assert "/E0.0@" in app.clipboard
        assert "sent the reference of E0.0" in status(pilot)
        assert "to the terminal; tmux needs set-clipboard on" in status(pilot)


async def test_keys_are_heard_while_a_program_hangs(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    given_up = threading.Event()
    monkeypatch.setattr(copies, "hand_over", lambda *_: given_up.wait(PATIENCE) and None)
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await pilot.press("y", "j")
        for _ in range(1_000):
            if Grid(app).has("▌E2.0"):
                break
            await pilot.pause(LOOK)
        assert Grid(app).has("▌E2.0")
        assert any(worker.name == "copy" and worker.is_running for worker in app.workers)
        given_up.set()
        await settle(pilot)
        assert "/E0.0@" in app.clipboard


async def test_a_text_is_copied_clean_and_exactly_only_after_a_question(home: Path) -> None:
    app = app_on(home, session(home, HOSTILE))
    async with app.run_test(size=(160, 48)) as pilot:
        await settle(pilot)
        await press(pilot, "Y")
        assert app.clipboard == CLEANED
        assert "copied the text of E0.0  cleaned; Y again: as it is" in status(pilot)
        await press(pilot, "Y")
        assert isinstance(app.screen, AskScreen)
        assert Grid(app).has("it may act there")
        assert app.clipboard == CLEANED
        await press(pilot, "enter")
        assert isinstance(app.screen, BrowseScreen)
        assert app.clipboard == HOSTILE
        assert "copied E0.0 as it is" in status(pilot)


async def test_no_is_the_answer_of_escape(home: Path) -> None:
    app = app_on(home, session(home, HOSTILE))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "Y", "Y", "escape")
        assert app.clipboard == CLEANED
        await press(pilot, "Y")
        assert isinstance(app.screen, BrowseScreen)
        assert app.clipboard == CLEANED


async def test_nothing_is_asked_about_a_text_that_was_copied_whole(home: Path) -> None:
    app = app_on(home, session(home, "plain", HOSTILE))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "Y", "Y")
        assert isinstance(app.screen, BrowseScreen)
        assert app.clipboard == "plain"
        await press(pilot, "j", "Y", "k", "Y")
        assert isinstance(app.screen, BrowseScreen)
        await press(pilot, "j", "Y", "y", "Y")
        assert isinstance(app.screen, BrowseScreen)


@pytest.mark.parametrize(
    ("length", "copied"), [(TERMINAL_BYTES, True), (TERMINAL_BYTES + 1, False), (COPIED_BYTES + 1, False)]
)
async def test_more_than_a_terminal_takes_is_not_sent_to_it(home: Path, length: int, copied: bool) -> None:
    app = app_on(home, session(home, "x" * length))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "Y")
        assert (len(app.clipboard) == length) is copied
        assert isinstance(app.screen, ExportDialog) is not copied


async def test_a_program_takes_what_a_terminal_does_not(home: Path, clipboard: Kept) -> None:
    app = app_on(home, session(home, "x" * COPIED_BYTES, "x" * (COPIED_BYTES + 1)))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "Y")
        assert len(clipboard.text) == COPIED_BYTES
        assert "100 KB  by wl-copy" in status(pilot)
        await press(pilot, "j", "Y")
        assert len(clipboard.text) == COPIED_BYTES
        assert Grid(app).has("100 KB is more than a clipboard takes")


async def test_halves_of_characters_are_copied_as_what_stands_for_them(home: Path) -> None:
    app = app_on(home, session(home, "a\ud800b"))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "Y")
        assert app.clipboard == "a\ufffdb"


async def test_the_command_that_goes_on_with_a_session_is_copied_and_shown(home: Path, tmp_path: Path) -> None:
    session(home, "Go", cwd=str(tmp_path))
    wanted = f"cd {tmp_path} && claude --resume {ID}"
    app = app_on(home)
    async with app.run_test(size=(360, 30)) as pilot:
        await settle(pilot)
        await press(pilot, "C")
        assert app.clipboard == wanted
        assert f"copied {wanted}" in status(pilot)
        app.copy_to_clipboard("")
        await press(pilot, "enter", "C")
        assert isinstance(app.screen, BrowseScreen)
        assert app.clipboard == wanted


@pytest.mark.parametrize(
    ("size", "told"),
    [((200, 30), f"claude --resume {ID}  alone: its folder is gone"), (NARROW, "the command; folder is gone")],
)
async def test_without_its_folder_a_session_is_resumed_by_the_command_alone_which_is_said(
    home: Path, size: tuple[int, int], told: str
) -> None:
    session(home, "Go", cwd="D:\\work\\shop")
    app = app_on(home)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for keys in (("C",), ("enter", "C")):
            await press(pilot, *keys)
            assert app.clipboard == f"claude --resume {ID}"
            assert f"copied {told} " in status(pilot)


@pytest.mark.parametrize(("cwd", "said"), [("/nowhere/at\x1b[31m/all", "act on a terminal")])
async def test_a_session_that_cannot_be_resumed_says_why_and_copies_nothing(home: Path, cwd: str, said: str) -> None:
    session(home, "Go", cwd=cwd)
    app = app_on(home)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        for keys in (("C",), ("enter", "C")):
            await press(pilot, *keys)
            assert app.clipboard == ""
            assert said in status(pilot)
            assert "✗" in status(pilot)
