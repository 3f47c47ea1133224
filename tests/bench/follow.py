"""Print how soon an append is known: `python -m tests.bench.follow [ROWS [APPENDS]]`, beside `tail -f` in the same run.

One session of ROWS pieces is appended to; each append is waited for. Milliseconds of the wall, by three arms in turn:
the tail of one session that is asked every 10 ms, a follower of the whole root, and `tail -f` on the same file. Then
how long one look takes when nothing happened, when a record was added, and when a line was added without its end.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Final

from unspool import open_library

TICK: Final = 0.01
"""Seconds between two looks of an app at the session that is open."""


def record(number: int) -> bytes:
    """Return one record of a session, with its LF."""
    message = {"role": "user", "content": f"line {number} " + "word " * 40}
    value = {"type": "user", "uuid": f"u{number}", "sessionId": "s", "message": message}
    return json.dumps(value | {"timestamp": "2026-03-01T10:00:00Z"}).encode() + b"\n"


def told(name: str, seconds: list[float]) -> None:
    """Print one arm."""
    ordered = sorted(seconds)
    middle, late = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    print(f"{name:44} p50 {middle * 1e3:8.2f} ms   p95 {late * 1e3:8.2f} ms   max {ordered[-1] * 1e3:8.2f} ms")


class Appending:
    """A session that is appended to."""

    def __init__(self, path: Path, rows: int) -> None:
        self.path = path
        self.number = rows
        path.parent.mkdir(parents=True)
        path.write_bytes(b"".join(map(record, range(rows))))

    def append(self, data: bytes | None = None) -> None:
        """Write one record, or some bytes of one."""
        with self.path.open("ab") as file:
            file.write(record(self.number) if data is None else data)
        self.number += 1

    def timed(self, seen: Callable[[], object], data: bytes | None = None) -> float:
        """Append, and measure from the write on until it is seen."""
        start = time.perf_counter()
        self.append(data)
        seen()
        return time.perf_counter() - start


def main(rows: int, appends: int) -> None:
    """Measure."""
    pause = Event()
    with tempfile.TemporaryDirectory() as home:
        session = Appending(Path(home, ".claude", "projects", "-bench", "s.jsonl"), rows)
        library = open_library([home])
        tail = library.tail(next(library.sessions()).ref)
        following = library.follow()
        following.step(0)
        command = ["tail", "-n", "1", "-f", str(session.path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as plain:
            assert plain.stdout is not None
            plain.stdout.readline()  # the last line that is there: it follows now

            def asked() -> None:
                pause.wait(TICK * random.random())  # the next look of a clock that knows nothing of the append
                while tail.poll() is None:
                    pause.wait(TICK)
                tail.release()

            def followed() -> None:
                while not any(event.event == "evidence" for event in following.step()):
                    pass

            arms: dict[str, Callable[[], object]] = {
                "tail, asked every 10 ms": asked,
                "follower of the root": followed,
                "tail -f": plain.stdout.readline,
            }
            times: dict[str, list[float]] = {name: [] for name in arms}
            for _ in range(appends):
                for name, seen in arms.items():
                    pause.wait(TICK * 3)
                    times[name].append(session.timed(seen))
                    for other in arms.values():
                        if other is not seen:
                            other()
            for name, seconds in times.items():
                told(name, seconds)
            plain.kill()
        following.close()
        told("one look, nothing happened", [_timed(tail.poll) for _ in range(appends)])
        told("one look, a record was added", [session.timed(tail.poll) for _ in range(appends)])
        ends = [record(session.number + number)[:-1] if number % 2 == 0 else b"\n" for number in range(appends)]
        told("one look, a line and then its end", [session.timed(tail.poll, end) for end in ends])


def _timed(look: Callable[[], object]) -> float:
    start = time.perf_counter()
    look()
    return time.perf_counter() - start


if __name__ == "__main__":
    given = [int(each) for each in sys.argv[1:]]
    main(*[*given, *(50_000, 100)[len(given) :]])
