"""The screen while there is much, and while it grows."""

from __future__ import annotations

import os
import re
import select
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Final

from tests.bench.figures.figure import Absent, Arms, Sample
from tests.bench.figures.opening import OPEN, took
from tests.bench.figures.searching import SEARCH
from tests.bench.follow import Appending
from tests.bench.follow_screen import beside_tail, busy
from tests.bench.multiplexed import Multiplexer
from tests.bench.sessions import NEEDLE, ROW
from tests.tui.terminal import PATIENCE, Terminal
from unspool_tui.present.numbers import count, full

SIZE: Final = (160, 48)
WALK: Final = ("\x1b[6~", "j", "\x1b[6~", "k", "G", "\x1b[5~", "k", "g", "\x04", "\x15")
"""Keys whose frames are taken, each of which changes the screen: pages, steps, and both ends."""

LATE: Final = 0.95
"""The share of the frames that come no later than what counts."""

STYLE: Final = re.compile(rb"\x1b\[[0-9;]*m")

APPENDS: Final = 12
"""Records that are waited for in a turn."""

FOLLOWED_ROWS: Final = 2_000
BUSY_SECONDS: Final = 3.0


@contextmanager
def opened(path: Path, sample: Sample) -> Iterator[Terminal]:
    """Open a session of short pieces in the app, and wait until all of it is there."""
    environ = sample.home.environ()
    took((*SEARCH, NEEDLE, str(path)), environ)  # what is kept of it is kept from here on
    with Terminal(SIZE) as terminal:
        terminal.start("-m", "unspool_tui", "open", str(path), environ=environ)
        terminal.wait_for(f"Evidence {count(path.stat().st_size // ROW)} ")
        terminal.settle(1.0)
        yield terminal


@contextmanager
def frames(sample: Sample) -> Iterator[Arms]:
    """How late frames come of a long list, beside a short one."""
    with opened(sample.path, sample) as long, opened(sample.least, sample) as short:
        yield {"unspool": lambda: late_frame(long), "1 000 rows": lambda: late_frame(short)}


def late_frame(terminal: Terminal) -> float:
    """Walk, and return the milliseconds within which nearly every key has begun to change the screen."""
    return _late([changed(terminal, key) for key in WALK])


def changed(terminal: Terminal, key: str) -> float:
    """Press a key that changes something; return the milliseconds to the first byte, when all of it is drawn."""
    terminal.settle()
    began = time.perf_counter()
    terminal.type(key)
    if not select.select([terminal.master], [], [], PATIENCE)[0]:
        raise TimeoutError(f"{key!r} changed nothing")
    return (time.perf_counter() - began) * 1000


@contextmanager
def kind_filter(sample: Sample) -> Iterator[Arms]:
    """A list that is narrowed to one kind by a key, until it says how many are left."""
    rows = sample.path.stat().st_size // ROW
    with opened(sample.path, sample) as terminal:

        def narrow() -> float:
            taken = written_after(terminal, "2", f"{full(rows // 2)} of {full(rows)}")
            terminal.press("0")
            return taken

        yield {"unspool": narrow}


def written_after(terminal: Terminal, key: str, words: str) -> float:
    """Press a key; return the milliseconds until words were written, in whatever styles."""
    terminal.settle()
    began, drawn = time.perf_counter(), b""
    terminal.type(key)
    while words.encode() not in STYLE.sub(b"", drawn):
        if not select.select([terminal.master], [], [], PATIENCE)[0]:
            raise TimeoutError(f"{words!r} was not written")
        drawn += os.read(terminal.master, 1 << 16)
    return (time.perf_counter() - began) * 1000


@contextmanager
def append(sample: Sample) -> Iterator[Arms]:
    """How late a record that is appended is on the screen that tmux shows, beside `tail -f` in the same tmux."""
    if shutil.which("tmux") is None:
        raise Absent("tmux is not installed")
    pause = Event()
    with _followed() as session, Multiplexer() as screens:
        screens.start("unspool", (*OPEN, str(session.path)), sample.home.environ())
        screens.start("tail", ("tail", "-n", "1", "-f", str(session.path)), sample.home.environ())
        screens.wait_for("unspool", f"Evidence {count(session.number)} ")
        screens.type("unspool", "F")
        screens.wait_for("unspool", "following")

        def late(seen: Callable[[], None]) -> float:
            def once() -> float:
                pause.wait(0.1)
                return session.timed(seen)

            return late_append(once)

        ours = screens.seen("unspool", lambda: f"E{session.number - 1}.0")
        theirs = screens.seen("tail", lambda: f"line {session.number - 1} ")
        yield {"unspool": lambda: late(ours), "tail -f": lambda: late(theirs)}


@contextmanager
def bare_append(sample: Sample) -> Iterator[Arms]:
    """The same on terminals that draw nothing: to the first bytes that say so."""
    with _followed() as session, beside_tail(session) as (_, arms):
        ours, theirs = arms.values()
        yield {"unspool": lambda: late_append(ours), "tail -f": lambda: late_append(theirs)}


def late_append(arm: Callable[[], float]) -> float:
    """Append some records, and return the milliseconds within which nearly every one was seen."""
    return _late([arm() for _ in range(APPENDS)]) * 1000


def _late(taken: Sequence[float]) -> float:
    return sorted(taken)[int((len(taken) - 1) * LATE)]


@contextmanager
def busy_gap(sample: Sample) -> Iterator[Arms]:
    """The longest that the screen's thread is busy at once while a file grows fast."""

    def longest() -> float:
        with _followed() as session:
            return max(busy(session, BUSY_SECONDS).gaps) * 1000

    yield {"unspool": longest}


@contextmanager
def _followed() -> Iterator[Appending]:
    with tempfile.TemporaryDirectory() as home:
        yield Appending(Path(home, ".claude", "projects", "-bench", "s.jsonl"), FOLLOWED_ROWS)
