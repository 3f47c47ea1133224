"""Print what following a crowd costs and loses: `python -m tests.bench.follow_many [FILES [SECONDS [LINES]]]`.

FILES sessions lie under one root, and `unspool follow --json` follows them all. First nobody writes: how much of a
processor that takes. Then, for SECONDS, one session gets LINES records a second, written in stretches that end in the
middle of a record, while others get a record now and then and new ones appear. Every record is one piece: how many were
not told, how many were told twice, and by how much the memory grew beyond what a program holds that reads the same busy
session once. Last, sessions are replaced and made anew: how many descriptors and threads are left over.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Final

from unspool import open_library
from unspool_tui.own_mappings import map_what_grows

IDLE_SECONDS: Final = 10.0
BEAT: Final = 0.02
"""Seconds between two stretches of the busy session."""

CYCLES: Final = 1_000
PATIENCE: Final = 120.0
"""Seconds without anything told after which the rest counts as lost."""


def record(number: int) -> bytes:
    """Return one record of a session, with its LF."""
    message = {"role": "user", "content": f"line {number} " + "word " * 12}
    value = {"type": "user", "uuid": f"u{number}", "sessionId": "s", "userType": "external", "message": message}
    return json.dumps(value | {"timestamp": "2026-03-01T10:00:00Z"}).encode() + b"\n"


class Crowd:
    """Sessions under one root, and how many records each of them has got."""

    def __init__(self, home: Path, files: int) -> None:
        self.projects = home / ".claude" / "projects"
        self.written: Counter[str] = Counter()
        self._rng = random.Random(1)
        for number in range(files):
            path = self.path(number)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(record(0))
        self.files = files

    def path(self, number: int) -> Path:
        """Where a session lies, a hundred in a project."""
        return self.projects / f"-p{number // 100}" / f"session-{number}.jsonl"

    @property
    def busy(self) -> Path:
        """The session that is written without pause."""
        return self.projects / "-busy" / "busy.jsonl"

    def write(self, seconds: float, lines: int) -> None:
        """Write for so long."""
        self.busy.parent.mkdir()
        begin, number, cut = time.monotonic(), 0, b""
        with self.busy.open("ab", buffering=0) as file:
            while (now := time.monotonic() - begin) < seconds:
                due = int(now * lines)
                data = cut + b"".join(map(record, range(number, due)))
                end = max(0, len(data) - self._rng.randrange(1, 150))
                file.write(data[:end])
                number, cut = due, data[end:]
                self._touch_another()
                time.sleep(BEAT)
            file.write(cut)
        self.written["busy"] = number

    def _touch_another(self) -> None:
        """Append to one of the others; now and then to one that was not there."""
        if self._rng.random() < 0.1:
            self.files += 1
            number = self.files
        else:
            number = self._rng.randrange(self.files)
        path = self.path(number)
        path.parent.mkdir(exist_ok=True)
        with path.open("ab") as file:
            file.write(record(self.written[path.stem] + 1))
        self.written[path.stem] += 1


class Told:
    """A running `unspool follow`, and how often each piece was told."""

    def __init__(self, home: Path) -> None:
        command = [sys.executable, "-m", "unspool_tui", "follow", "--json", "--root", str(home)]
        environ = {**os.environ, "HOME": str(home)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ)
        assert self.process.stderr is not None
        self.process.stderr.readline()
        self.pieces: Counter[tuple[str, str]] = Counter()
        self.polled = ""
        self.heard_at = time.monotonic()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            event = json.loads(line)
            self.heard_at = time.monotonic()
            if event["event"] == "evidence":
                self.pieces[event["ref"], event["id"]] += 1
            elif event["event"] == "polling":
                self.polled = event["reason"] or ""

    def until(self, number: int) -> None:
        """Wait until so many pieces were told, or nothing comes any more."""
        while len(self.pieces) < number and time.monotonic() - self.heard_at < PATIENCE:
            time.sleep(0.1)

    @property
    def processor(self) -> float:
        """Seconds of a processor that it has taken."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> float:
        """Megabytes that it holds."""
        return resident(self.process.pid)

    def end(self) -> None:
        """Interrupt it."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


def resident(pid: int) -> float:
    """Return the megabytes that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def held_by_columns(path: Path) -> float:
    """Return the megabytes by which a program grows that reads a session once, its memory laid out as a follower's."""
    code = "import sys; from tests.bench.follow_many import grown; print(grown(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=True)
    return float(done.stdout)


def grown(path: str) -> float:
    """Read a session, and return by how many megabytes this process grew."""
    map_what_grows()
    library = open_library([path])
    list(library.sessions())
    before = resident(os.getpid())
    view = library.view(path)
    after = resident(os.getpid())
    view.close()
    return after - before


def left_over(home: Path) -> tuple[int, int]:
    """Replace and remove sessions many times while all are followed; return descriptors and threads left over."""
    path = home / ".claude" / "projects" / "-again" / "again.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(record(0))
    with closing(open_library([str(home)]).follow()) as following:
        following.step(0)
        counted: list[tuple[int, int]] = []
        for cycle in range(CYCLES + 10):
            spare = path.with_suffix(".new")
            spare.write_bytes(b"".join(map(record, range(cycle % 7 + 1))))
            if cycle % 2:
                path.unlink()
                following.step(0.01)
            spare.replace(path)
            following.step(0.01)
            if cycle in (9, CYCLES + 9):
                following.step(0.2)
                counted.append((len(os.listdir("/proc/self/fd")), threading.active_count()))
    (files, threads), (files_after, threads_after) = counted
    return files_after - files, threads_after - threads


def main(files: int, seconds: float, lines: int) -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"descriptors and threads left over by {CYCLES} replacements: {left_over(Path(folder))}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        crowd, began = Crowd(home, files), time.monotonic()
        told = Told(home)
        print(f"{files} files; followed after {time.monotonic() - began:.1f} s", flush=True)
        time.sleep(1)
        used, began = told.processor, time.monotonic()
        time.sleep(IDLE_SECONDS)
        idle = (told.processor - used) / (time.monotonic() - began)
        print(f"nobody writes: {idle:.2%} of a processor", flush=True)
        before = told.memory
        crowd.write(seconds, lines)
        stopped, expected = time.monotonic(), crowd.written.total()
        told.until(expected)
        print(f"{expected} records written, {crowd.written['busy']} to one; told {told.heard_at - stopped:.1f} s later")
        twice = sum(times - 1 for times in told.pieces.values())
        print(f"lost {expected - len(told.pieces)}, doubled {twice}", flush=True)
        growth, columns = told.memory - before, held_by_columns(crowd.busy)
        print(
            f"memory grew {growth:.1f} MB, the columns of the busy one take {columns:.1f} MB: {growth - columns:+.1f}"
        )
        print(f"polling: {told.polled or 'no'}")
        told.end()


if __name__ == "__main__":
    given = [int(each) for each in sys.argv[1:]]
    main(*[*given, *(10_000, 60, 10_000)[len(given) :]])
