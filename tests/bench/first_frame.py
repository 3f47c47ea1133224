"""Print how soon a session is on the screen: `python -m tests.bench.first_frame FILE [FILE ...]`, the smallest first.

Each file is opened on a terminal of its own, beside a raw hello in Python and a minimal Textual app in the same run, in
turns. Medians of ratios of the wall, from the start of the process to the first rows, and to the keys that work:

    frame / hello      the first useful frame beside the least that shows something
    frame / smallest   the same beside that of the first file
    keys / minimal     the app that listens beside the smallest one that does
"""

from __future__ import annotations

import os
import pty
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from fcntl import ioctl
from struct import pack
from termios import TIOCSWINSZ
from typing import Final, NamedTuple

from tests.bench.pairs import by_turns

PAIRS: Final = 7
PATIENCE: Final = 120.0
PYTHON: Final = (sys.executable, "-m")
HELLO: Final = (*PYTHON, "tests.bench.hello")
MINIMAL: Final = (*PYTHON, "tests.bench.minimal")

LISTENS: Final = b"\x1b[?2004h"
"""What Textual writes when it takes the terminal over: what is drawn behind it answers keys."""


def run(command: Sequence[str], environ: Mapping[str, str], *marks: bytes) -> list[float]:
    """Start a command on a terminal; return the seconds until each mark was written behind the last one, and end it."""
    master, slave = pty.openpty()
    ioctl(slave, TIOCSWINSZ, pack("HHHH", 45, 160, 0, 0))
    began = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=dict(environ), start_new_session=True
    )
    os.close(slave)
    try:
        return list(_moments(master, began, command, marks))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(master)


def _moments(master: int, began: float, command: Sequence[str], marks: Sequence[bytes]) -> Iterator[float]:
    """Yield the seconds from the beginning to each mark, in this order."""
    written, behind = b"", 0
    for mark in marks:
        while (at := written.find(mark, behind)) < 0:
            left = began + PATIENCE - time.perf_counter()
            if left <= 0 or not select.select([master], [], [], left)[0]:
                raise SystemExit(f"{command} did not write {mark!r}")
            try:
                written += os.read(master, 1 << 16)
            except OSError:
                raise SystemExit(f"{command} ended: {written[-300:]!r}") from None
        behind = at + len(mark)
        yield time.perf_counter() - began


class Turn(NamedTuple):
    """Seconds that each of the programs took until it showed something, or listened."""

    hello: float
    frame: float
    keys: float
    minimal: float


def turn(path: str, environ: Mapping[str, str]) -> Turn:
    """Run each program once."""
    (hello,) = run(HELLO, environ, b"row 39")
    frame, _, keys = run((*PYTHON, "unspool_tui", "open", path), environ, b"E", LISTENS, b"filter")
    (minimal,) = run(MINIMAL, environ, b"row 1")
    return Turn(hello, frame, keys, minimal)


def main(paths: Sequence[str]) -> None:
    """Take turns, and print."""
    with tempfile.TemporaryDirectory() as home:
        environ = {**os.environ, "HOME": home, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        environ["PYTHONPYCACHEPREFIX"] = os.path.join(home, "bytecode")
        turn(paths[0], environ)  # the bytecode is written once
        arms = [lambda path=path: turn(path, environ) for path in paths]
        times = dict(zip(paths, by_turns(PAIRS, *arms), strict=True))
    smallest = times[paths[0]]
    print(f"{'MB':>6} {'hello':>7} {'frame':>7} {'minimal':>8} {'keys':>7}   frame/hello frame/smallest keys/minimal")
    for path, turns in times.items():
        hello, frame, keys, minimal = (statistics.median(column) * 1000 for column in zip(*turns, strict=True))
        by_hello = statistics.median(each.frame / each.hello for each in turns)
        by_first = statistics.median(each.frame / first.frame for each, first in zip(turns, smallest, strict=True))
        by_minimal = statistics.median(each.keys / each.minimal for each in turns)
        size = os.path.getsize(path) / 1e6
        row = f"{size:6.0f} {hello:6.0f}m {frame:6.0f}m {minimal:7.0f}m {keys:6.0f}m"
        print(f"{row}   {by_hello:11.2f} {by_first:14.2f} {by_minimal:12.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
