"""The app in a real terminal: it starts, draws, follows keys and mouse, and leaves the terminal as it was."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.terminal import Terminal
from tests.tui.wire import check

APP = ("-m", "unspool_tui")


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with Terminal() as terminal:
        yield terminal


def opened(terminal: Terminal, told: tuple[Path, str], *more: str) -> None:
    """Open the session that has everything."""
    terminal.start(*(more or APP), "open", told[1], environ={"HOME": str(told[0])})


def test_it_starts_draws_and_follows_keys(terminal: Terminal, told: tuple[Path, str]) -> None:
    terminal.start(*APP, environ={"HOME": str(told[0])})
    terminal.wait_for("Invoices drift by a cent")
    terminal.press("\r")
    terminal.wait_for("▌Evidence 45")
    terminal.press("e")
    terminal.wait_for("▌E17.0")
    terminal.press("\t", "\x1b[6~", "q")
    terminal.wait_for("▌Sessions")


def test_it_follows_the_mouse(terminal: Terminal, told: tuple[Path, str]) -> None:
    opened(terminal, told)
    terminal.wait_for("? help")
    terminal.settle()
    y = next(y for y, row in enumerate(terminal.rows) if " E3.0 " in row[30:])
    terminal.click(50, y)
    terminal.wait_for("▌E3.0")
    terminal.click(terminal.rows[1].index("errors"), 1)
    terminal.wait_for("is:error")
    terminal.wheel(60, 30, down=True)
    terminal.settle()


def test_it_follows_the_size_of_the_window(terminal: Terminal, told: tuple[Path, str]) -> None:
    opened(terminal, told)
    terminal.wait_for("? help")
    terminal.resize((80, 24))
    terminal.wait_for("overview  evidence  reader")
    terminal.resize((160, 48))
    terminal.wait_for("Overview")
    terminal.settle()  # a picture comes in several reads, its last row last
    assert len(terminal.rows[47]) > 120


@pytest.mark.parametrize(
    ("key", "words"), [("?", "esc closes"), ("\x10", "a command, or a session"), ("x", "Markdown")]
)
def test_what_lies_over_a_screen_stays_in_a_window_of_any_size(
    terminal: Terminal, told: tuple[Path, str], key: str, words: str
) -> None:
    opened(terminal, told)
    terminal.wait_for("? help")
    terminal.press(key)
    for size in ((121, 36), (120, 37), (80, 48), (100, 30), (160, 48)):
        terminal.resize(size)
        terminal.settle()
        terminal.wait_for(words)
    assert "Overview" in terminal.rows[1]
    assert "? help" in terminal.rows[47]
    terminal.press("\x1b[27u")
    terminal.type("\x03")
    assert terminal.ended() == 0


def test_it_goes_to_the_shell_and_comes_back(terminal: Terminal, told: tuple[Path, str]) -> None:
    opened(terminal, told)
    terminal.wait_for("? help")
    terminal.settle()
    terminal.type("\x1a")
    assert terminal.process is not None
    status = 0
    for _ in range(300):
        terminal.settle()  # it waits for what it writes to be read
        _, status = os.waitpid(terminal.process.pid, os.WUNTRACED | os.WNOHANG)
        if status:
            break
    assert os.WIFSTOPPED(status)
    assert terminal.left() == {}
    terminal.screen.reset()
    terminal.type("j\r")  # a terminal that reads lines makes a line feed of enter
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_for("▌E2.0")
    terminal.wait_for("esc back")
    terminal.type("qq")
    assert terminal.ended() == 0
    assert terminal.left() == {}


def test_keys_typed_ahead_of_the_end_leave_no_word_on_the_shell(terminal: Terminal, told: tuple[Path, str]) -> None:
    terminal.start(*APP, environ={"HOME": str(told[0])})
    terminal.wait_for("Invoices drift by a cent")
    terminal.type("/li\x7f\x7f\rquit q x\rrm -rf /\rG e")
    assert terminal.ended() == 0
    assert terminal.said().strip() == ""


LEAVING = {
    "q": (lambda terminal: terminal.type("qq"), 0),
    "ctrl+c": (lambda terminal: terminal.type("\x03"), 0),
    "ctrl+q": (lambda terminal: terminal.type("\x11"), 0),
    "SIGTERM": (lambda terminal: terminal.process.send_signal(signal.SIGTERM), 143),
    "SIGHUP": (lambda terminal: terminal.process.send_signal(signal.SIGHUP), 129),
    "SIGINT": (lambda terminal: terminal.process.send_signal(signal.SIGINT), 130),
}


@pytest.mark.parametrize("modern", [False, True], ids=["plain", "modern"])
@pytest.mark.parametrize("way", LEAVING)
def test_the_terminal_is_left_as_it_was(told: tuple[Path, str], way: str, modern: bool) -> None:
    leave, code = LEAVING[way]
    with Terminal(modern=modern) as terminal:
        opened(terminal, told)
        terminal.wait_for("? help")
        terminal.settle()
        leave(terminal)
        assert terminal.ended() == code
        assert terminal.left() == {}
        assert terminal.said() == ""


@pytest.mark.parametrize("place", ["key", "message", "timer", "drawing", "mouse", "begin", "end"])
def test_a_fault_in_a_handler_is_told_in_one_line_on_a_terminal_that_is_left_as_it_was(
    terminal: Terminal, told: tuple[Path, str], place: str
) -> None:
    opened(terminal, told, "-m", "tests.tui.planted", place)
    if place in ("key", "mouse", "end"):
        terminal.wait_for("? help")
        terminal.settle()
    if place == "key":
        terminal.type("]")
    elif place == "mouse":
        terminal.click(terminal.rows[1].index("errors"), 1)
    elif place == "end":
        terminal.type("q")
    assert terminal.ended() == 2
    assert terminal.left() == {}
    said = r"unspool: unexpected ZeroDivisionError at planted\.py:\d+; UNSPOOL_DEBUG=1 shows more\r\n"
    assert re.fullmatch(said, terminal.said())


def test_the_whole_of_a_fault_is_told_where_it_is_asked_for_and_acts_on_nothing(
    terminal: Terminal, told: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNSPOOL_DEBUG", "1")
    opened(terminal, told, "-m", "tests.tui.planted", "message")
    assert terminal.ended() == 1
    assert terminal.left() == {}
    assert terminal.said().startswith("Traceback")
    assert terminal.said().endswith("ZeroDivisionError:  of a session\r\n")
    check(terminal.said())


def test_a_terminal_that_goes_away_takes_the_app_with_it(terminal: Terminal, told: tuple[Path, str]) -> None:
    opened(terminal, told)
    terminal.wait_for("? help")
    terminal.type("jjjj")
    terminal.hang_up()
    assert terminal.ended() in (129, -signal.SIGHUP)


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_comes_while_it_starts_leaves_the_terminal_as_it_was(
    terminal: Terminal, told: tuple[Path, str], sent: signal.Signals
) -> None:
    opened(terminal, told)
    terminal.wait_written("\x1b[?1049h")
    assert terminal.process is not None
    os.kill(terminal.process.pid, sent)
    assert terminal.ended() in (128 + sent, -sent), terminal.said()
    assert terminal.left() == {}


def test_bytes_that_are_no_text_are_no_keys(terminal: Terminal, told: tuple[Path, str]) -> None:
    opened(terminal, told)
    terminal.wait_for("? help")
    os.write(terminal.master, b"\xff\xfe\xe6\xe5\xc3\x28\x80")
    terminal.settle()
    terminal.press("e")
    terminal.wait_for("▌E17.0")
    terminal.type("\x03")
    assert terminal.ended() == 0
    assert terminal.left() == {}


def test_it_draws_where_its_answers_would_go_when_its_notices_go_into_a_file(
    terminal: Terminal, told: tuple[Path, str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    script = 'exec "$0" -m unspool_tui open "$1" 2>"$2"'
    terminal.start("-c", f"import os, sys; os.execv('/bin/sh', ['sh', '-c', {script!r}, *sys.argv[1:]])",
                   sys.executable, told[1], str(log), environ={"HOME": str(told[0])})  # fmt: skip
    terminal.wait_for("▌Evidence 45")
    terminal.press("q", "q")
    assert terminal.ended() == 0
    assert log.read_text() == ""
