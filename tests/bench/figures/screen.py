"""The screen while there is much, and while it grows."""

from __future__ import annotations

import asyncio
import os
import select
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.bench.figures.figure import Arms, Sample
from tests.bench.follow import Appending
from tests.bench.follow_screen import beside_tail, busy
from tests.bench.keys import press
from tests.tui.terminal import Terminal

SIZE: Final = (160, 48)
WALK: Final = ("\x1b[6~", "j", "\x1b[6~", "k", "G", "\x1b[5~", "j", "g", "\x04", "\x15") * 2
"""Keys whose frames are taken: pages, steps, and both ends."""

LATE: Final = 0.95
"""The share of the frames that come no later than what counts."""

FILTERED: Final = 0.4
"""Seconds without a byte after which a filtered list is all there."""

APPENDS: Final = 12
"""Records that are waited for in a turn."""

FOLLOWED_ROWS: Final = 2_000
BUSY_SECONDS: Final = 3.0


@contextmanager
def opened(path: Path, sample: Sample) -> Iterator[Terminal]:
    """Open a session in the app, and wait until all of it is there."""
    with Terminal(SIZE) as terminal:
        terminal.start("-m", "unspool_tui", "open", str(path), environ=sample.home.environ())
        terminal.wait_for("Evidence ")
        terminal.settle(1.0)
        yield terminal


@contextmanager
def frames(sample: Sample) -> Iterator[Arms]:
    """How late frames come of a long list, beside a short one."""
    with opened(sample.path, sample) as long, opened(sample.least, sample) as short:
        yield {"unspool": lambda: late_frame(long), "1 000 rows": lambda: late_frame(short)}


def late_frame(terminal: Terminal) -> float:
    """Walk, and return the milliseconds within which nearly every key has begun to change the screen."""
    taken = sorted(found[0] for found in (press(terminal, key) for key in WALK) if found is not None)
    return taken[int((len(taken) - 1) * LATE)]


@contextmanager
def kind_filter(sample: Sample) -> Iterator[Arms]:
    """A list that is narrowed to one kind by a key, until all of it is drawn."""
    with opened(sample.path, sample) as terminal:

        def narrow() -> float:
            taken = drawn(terminal, "2")
            drawn(terminal, "0")
            return taken

        yield {"unspool": narrow}


def drawn(terminal: Terminal, key: str) -> float:
    """Press a key; return the milliseconds to the last byte of what it led to."""
    began = last = time.perf_counter()
    terminal.type(key)
    while select.select([terminal.master], [], [], FILTERED)[0]:
        os.read(terminal.master, 1 << 16)
        last = time.perf_counter()
    return (last - began) * 1000


@contextmanager
def append(sample: Sample) -> Iterator[Arms]:
    """How late a record that is appended is on the screen, beside `tail -f` on a terminal of its own."""
    with _followed() as session, beside_tail(session) as (_, arms):
        ours, theirs = arms.values()
        yield {"unspool": lambda: late_append(ours), "tail -f": lambda: late_append(theirs)}


def late_append(arm: Callable[[], float]) -> float:
    """Append some records, and return the milliseconds within which nearly every one was seen."""
    return sorted(arm() for _ in range(APPENDS))[int((APPENDS - 1) * LATE)] * 1000


@contextmanager
def busy_gap(sample: Sample) -> Iterator[Arms]:
    """The longest that the screen's thread is busy at once while a file grows fast."""

    def longest() -> float:
        with _followed() as session:
            return max(asyncio.run(busy(session, BUSY_SECONDS)).gaps) * 1000

    yield {"unspool": longest}


@contextmanager
def _followed() -> Iterator[Appending]:
    with tempfile.TemporaryDirectory() as home:
        yield Appending(Path(home, ".claude", "projects", "-bench", "s.jsonl"), FOLLOWED_ROWS)
