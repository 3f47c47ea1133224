"""The person's own pager on a real terminal: it has the terminal alone, and the app comes back as it was."""

from __future__ import annotations

import base64
import os
import re
import signal
from pathlib import Path

import pytest

from tests.tui.terminal import Terminal

APP = ("-m", "unspool_tui")
Told = tuple[Path, str]

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
"""How the app takes the whole screen, and gives it back."""


@pytest.fixture
def pager(tmp_path: Path) -> dict[str, str]:
    """Return the environment with a pager that shows a line and waits for another, and a place for its file."""
    program, scratch = tmp_path / "own-pager", tmp_path / "scratch"
    scratch.mkdir()
    program.write_text(
        '#!/bin/sh\nstty -a | grep -q "[^-]icanon" && echo COOKED\nhead -c 40 "$1"\nread line\nsleep 0.6\nexit 0\n'
    )
    program.chmod(0o755)
    return {"PAGER": str(program), "TMPDIR": str(scratch)}


def open_piece(terminal: Terminal, told: Told, pager: dict[str, str]) -> None:
    """Open the session, and its first piece in the pager."""
    terminal.start(*APP, "open", told[1], environ={"HOME": str(told[0]), **pager})
    terminal.wait_for("▌Evidence 45")
    terminal.settle()
    terminal.type("v")
    terminal.wait_for("COOKED")
    terminal.wait_for("How does billing get from order lines to")


def come_back(terminal: Terminal, key: str) -> None:
    """End the pager with a key, and wait for the app."""
    terminal.settle()
    terminal.written = ""
    terminal.type(key)
    terminal.wait_written(ENTER)
    terminal.settle()


def left(pager: dict[str, str]) -> list[str]:
    """Return what is left of the pager's file."""
    return [name for name in os.listdir(pager["TMPDIR"]) if name.startswith("unspool-")]


def test_it_has_the_terminal_alone_and_the_app_comes_back(told: Told, pager: dict[str, str]) -> None:
    with Terminal() as terminal:
        open_piece(terminal, told, pager)
        assert terminal.written.rindex(LEAVE) > terminal.written.rindex(ENTER)
        assert len(left(pager)) == 1
        terminal.resize((100, 30))
        come_back(terminal, "\r")
        terminal.press("j")
        terminal.wait_for("▌E2.0")
        assert left(pager) == []
        terminal.type("qq")
        assert terminal.ended() == 0
        assert terminal.left() == {}


def test_an_interrupt_ends_the_pager_and_not_the_app(told: Told, pager: dict[str, str]) -> None:
    with Terminal() as terminal:
        open_piece(terminal, told, pager)
        come_back(terminal, "\x03")
        terminal.wait_for("ended with")
        assert left(pager) == []
        terminal.type("qq")
        assert terminal.ended() == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_who_is_told_to_go_meanwhile_goes_and_leaves_nothing(
    told: Told, pager: dict[str, str], number: int, code: int
) -> None:
    with Terminal() as terminal:
        open_piece(terminal, told, pager)
        assert terminal.process is not None
        terminal.process.send_signal(number)
        assert terminal.ended() == code
        assert terminal.left() == {}
        assert left(pager) == []


def test_what_is_copied_reaches_the_terminal_cleaned_and_whole(told: Told) -> None:
    with Terminal() as terminal:
        terminal.start(*APP, "open", told[1], environ={"HOME": str(told[0])})
        terminal.wait_for("▌Evidence 45")
        terminal.settle()
        terminal.press("Y")
        terminal.wait_for("through the terminal")
        sent = re.findall(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", terminal.written)
        assert len(sent) == 1
        assert base64.b64decode(sent[0]).decode().startswith("How does billing get from order lines to the total")
