"""Starting on a terminal: something is there before the app is, and what is typed meanwhile is not lost."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.terminal import Terminal
from tests.tui.wire import tokens

SHOWN = "▌E0.0"
"""The first piece of the session, under the cursor."""
BEGUN = "\x1b[?1049h"
APP = "? help"
"""Keys are named when they work."""


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with Terminal() as terminal:
        yield terminal


def started(terminal: Terminal, told: tuple[Path, str], *command: str) -> None:
    terminal.start(*(command or ("-m", "unspool_tui")), "open", told[1], environ={"HOME": str(told[0])})


def test_the_first_frame_needs_no_textual_and_a_start_that_fails_behind_it_leaves_the_terminal_as_it_was(
    terminal: Terminal, told: tuple[Path, str]
) -> None:
    started(terminal, told, "-m", "tests.tui.first.without")
    terminal.wait_for(SHOWN)
    assert terminal.ended() == 2
    assert terminal.left() == {}
    assert re.match(r"unspool: unexpected ModuleNotFoundError at ", terminal.said())


def test_the_app_takes_over_without_a_blank_moment(terminal: Terminal, told: tuple[Path, str]) -> None:
    started(terminal, told)
    terminal.wait_for(APP)
    terminal.settle()
    written = terminal.written
    assert written.count(BEGUN) == 1
    with Terminal() as again:
        seen = False
        for token in tokens(written):
            again._follow(token)
            there = SHOWN in str(again)
            assert there or not seen, again
            seen = there
    assert seen


def test_the_list_takes_over_without_a_blank_moment(terminal: Terminal, told: tuple[Path, str]) -> None:
    terminal.start("-m", "unspool_tui", environ={"HOME": str(told[0])})
    title = "Invoices drift by a cent"
    terminal.wait_for(APP)
    terminal.settle()
    assert terminal.written.count(BEGUN) == 1
    assert title in str(terminal)
    with Terminal() as again:
        for token in tokens(terminal.written):
            again._follow(token)
            if title in str(again):
                break
        assert APP not in str(again)


def test_keys_that_are_typed_before_the_app_is_there_come_in_order(terminal: Terminal, told: tuple[Path, str]) -> None:
    started(terminal, told)
    terminal.wait_written(BEGUN)
    terminal.type("jj/x\x1bk")
    terminal.wait_for(APP)
    terminal.settle()
    listed = [row[30:] for row in terminal.rows if re.match(r"[ ▌]E\d", row[30:])]
    assert [row.startswith("▌") for row in listed[:3]] == [False, True, False]
    assert "/ x" not in str(terminal)


def test_ctrl_c_works_before_the_app_is_there(terminal: Terminal, told: tuple[Path, str]) -> None:
    started(terminal, told)
    terminal.wait_written(BEGUN)
    terminal.type("\x03")
    # A shell says 130 of both: Python ends itself by a signal that met the making of a dataclass, though it is handled.
    assert terminal.ended() in (130, -signal.SIGINT)
    assert terminal.left() == {}
    assert terminal.said() == ""


def test_leaving_is_heard_before_the_app_is_there(terminal: Terminal, told: tuple[Path, str]) -> None:
    started(terminal, told)
    terminal.wait_written(BEGUN)
    terminal.type("qq")
    assert terminal.ended() == 0
    assert terminal.left() == {}
    assert terminal.said() == ""


@pytest.mark.parametrize("early", [True, False])
def test_who_leaves_the_session_that_was_begun_with_finds_the_list(
    terminal: Terminal, told: tuple[Path, str], early: bool
) -> None:
    started(terminal, told)
    terminal.wait_written(BEGUN)
    if not early:
        terminal.wait_for(APP)
    terminal.type("q")
    terminal.wait_for("Sessions")
    terminal.wait_for("Invoices drift by a cent")
    terminal.type("q")
    assert terminal.ended() == 0


@pytest.mark.parametrize(
    ("named", "keys", "shown"),
    [
        ((), "j\r", "▌Evidence 10"),
        ((), "/round\r?", "esc closes"),
        (("open", "{path}"), "jj\r", "esc back"),
        (("open", "{path}"), "/round\r?", "esc closes"),
        (("open", "{path}/E3.0"), "/round\r?", "esc closes"),
    ],
    ids=["list-opens", "list-filters", "session-reads", "session-filters", "no-first-frame"],
)
def test_enter_that_is_typed_before_the_terminal_is_taken_is_enter(
    terminal: Terminal, told: tuple[Path, str], named: tuple[str, ...], keys: str, shown: str
) -> None:
    terminal.type(keys)  # a terminal that reads lines makes a line feed of enter
    words = [word.format(path=told[1]) for word in named]
    terminal.start("-m", "unspool_tui", *words, environ={"HOME": str(told[0])})
    terminal.wait_for(shown)


def test_a_line_feed_that_comes_when_the_app_reads_is_not_enter(terminal: Terminal, told: tuple[Path, str]) -> None:
    terminal.start("-m", "unspool_tui", environ={"HOME": str(told[0])})
    terminal.wait_for(APP)
    terminal.settle()
    terminal.press("j", "\n", "/", "in\n")
    assert "enter done" in str(terminal)
    terminal.press("voice\r", "?")
    terminal.wait_for("esc closes")
