"""Print how soon an append is on the screen: `python -m tests.bench.follow_screen [ROWS [APPENDS [SECONDS]]]`.

The app follows a session of ROWS pieces on a pseudo-terminal, and `tail -f` does on another one in the same run; each
of APPENDS records is waited for by both. Then: how much of a processor the app takes while nobody writes, and how long
its thread keeps a key waiting at most while 10,000 lines a second are written for SECONDS, in writes that end anywhere.
"""

from __future__ import annotations

import asyncio
import os
import select
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Final, NamedTuple

from tests.bench.follow import Appending, told
from tests.bench.heartbeat import Heartbeat
from tests.bench.pairs import by_turns
from tests.tui.terminal import Terminal
from unspool import open_library
from unspool_tui.app import UnspoolApp
from unspool_tui.idle import IdleCollector
from unspool_tui.present.numbers import count
from unspool_tui.screen_loop import ScreenLoop
from unspool_tui.screens.browse import BrowseScreen

ENVIRON: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}

LATE: Final = 10.0
"""Seconds after which an append that is not seen is lost."""

LINES_A_SECOND: Final = 10_000

WRITER: Final = """
import sys, time
from tests.bench.follow import record
path, first, seconds, rate = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
lines = b"".join(record(first + number) for number in range(int(seconds * rate)))
begin, at = time.monotonic(), 0
with open(path, "ab", 0) as file:
    while at < len(lines):
        due = min(len(lines), int(len(lines) * (time.monotonic() - begin) / seconds))
        file.write(lines[at:due])
        at = due
        time.sleep(0.003)
"""


def seen_on(terminal: Terminal, words: Callable[[], bytes]) -> Callable[[], None]:
    """Return what waits until a terminal was written these words."""

    def wait() -> None:
        drawn, end = b"", time.perf_counter() + LATE
        while words() not in drawn:
            if not select.select([terminal.master], [], [], LATE)[0] or time.perf_counter() > end:
                raise AssertionError(f"{words()!r} was not seen")
            drawn += os.read(terminal.master, 1 << 16)

    return wait


def drain(terminal: Terminal) -> None:
    """Read what is still written, so that it is not taken for what comes next."""
    while select.select([terminal.master], [], [], 0.1)[0]:
        os.read(terminal.master, 1 << 16)


def processor(pid: int) -> float:
    """Return the seconds of a processor that a process took."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def beside_tail(session: Appending) -> Iterator[tuple[Terminal, dict[str, Callable[[], float]]]]:
    """Follow a session in the app and by `tail -f`; yield the app's terminal, and what appends once and waits for it.

    Each gives the seconds from a record to its row, or its line, on the screen.
    """
    pause = Event()
    with Terminal() as app, Terminal() as plain, tempfile.TemporaryDirectory() as home:
        app.start("-m", "unspool_tui", "open", str(session.path), environ={**ENVIRON, "HOME": home})
        plain.start("-c", f"import os; os.execvp('tail', ['tail', '-n', '1', '-f', {str(session.path)!r}])")
        app.wait_for(f"Evidence {count(session.number)} ")
        app.press("F")
        app.wait_for("following")
        plain.wait_for(f"line {session.number - 1} ")

        def arm(seen: Callable[[], None]) -> Callable[[], float]:
            def append() -> float:
                drain(app)
                drain(plain)
                pause.wait(0.05)
                return session.timed(seen)

            return append

        yield (
            app,
            {
                "app, row on the screen": arm(seen_on(app, lambda: b"E%d.0" % (session.number - 1))),
                "tail -f, line on the screen": arm(seen_on(plain, lambda: b"line %d " % (session.number - 1))),
            },
        )


def latencies(session: Appending, appends: int) -> None:
    """Measure both arms, and the app at rest."""
    with beside_tail(session) as (app, arms):
        for name, seconds in zip(arms, by_turns(appends, *arms.values()), strict=True):
            told(name, seconds)
        pause = Event()
        pause.wait(8.0)  # what comes when nobody wrote for a while
        drain(app)
        assert app.process is not None
        began, at = time.monotonic(), processor(app.process.pid)
        pause.wait(10.0)
        share = (processor(app.process.pid) - at) / (time.monotonic() - began)
        print(f"{'processor while nobody writes':44} {share * 100:.2f} %")


class Busy(NamedTuple):
    """What was written into one file while it was followed, the rows that were listed, and the gaps in seconds."""

    written: int
    listed: list[int]
    gaps: list[float]


def busy(session: Appending, seconds: float) -> Busy:
    """Follow a file that grows fast, in a loop and with a collector of garbage as on a terminal."""

    async def collected() -> Busy:
        collector = IdleCollector(asyncio.get_running_loop())
        try:
            return await _followed(session, seconds)
        finally:
            collector.stop()

    with asyncio.Runner(loop_factory=ScreenLoop) as runner:
        return runner.run(collected())


async def _followed(session: Appending, seconds: float) -> Busy:
    app = UnspoolApp(open_library([str(session.path.parents[3])]), str(session.path), follow=True)
    async with app.run_test(size=(120, 36)) as pilot:
        while not (isinstance(app.screen, BrowseScreen) and app.screen.settled):
            await pilot.pause(0.05)
        told_of = [str(session.path), str(session.number), str(seconds), str(LINES_A_SECOND)]
        writer = await asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, *told_of)
        heart, screen = Heartbeat(), app.screen
        lines, late = int(seconds * LINES_A_SECOND), 0.0
        while screen.evidence.record_count() < session.number + lines and late < LATE:
            passed = await heart.beat()
            late += passed * (writer.returncode is not None)
        await writer.wait()
        return Busy(lines, list(screen.evidence.listing.rows if screen.evidence.listing else ()), heart.gaps)


def heartbeat(session: Appending, seconds: float) -> None:
    """Measure how long the screen's thread is busy at once while one file grows fast."""
    found = busy(session, seconds)
    rows = len(set(found.listed))
    lost, doubled = session.number + found.written - rows, len(found.listed) - rows
    print(f"{'rows written, lost, doubled':44} {found.written}, {lost}, {doubled}")
    told("gap of the screen's thread", found.gaps)


def main(rows: int, appends: int, seconds: int) -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as home:
        session = Appending(Path(home, ".claude", "projects", "-bench", "s.jsonl"), rows)
        latencies(session, appends)
        heartbeat(session, seconds)


if __name__ == "__main__":
    given = [int(each) for each in sys.argv[1:]]
    main(*[*given, *(2_000, 60, 10)[len(given) :]])
