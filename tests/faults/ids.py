"""Blob ids from several processes at once: unique in all, ascending in each, while the clock steps to and fro too.

`python -m tests.faults.ids PROCESSES EACH` makes them and prints figures as JSON; run below a faked clock, it tells
what the clock did.
"""

from __future__ import annotations

import glob
import itertools
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from unspool.blobs.store import new_id

LIBRARIES = (
    "/usr/lib/*/faketime/libfaketimeMT.so.1",
    "/usr/lib*/faketime/libfaketimeMT.so.1",
    "/usr/local/lib/faketime/libfaketimeMT.so.1",
)
"""Where libfaketime lies, which makes processes see another clock. (macOS keeps its own programs from it.)"""

JUMPS = ("-1h", "+1d", "+0", "-20y", "+3s", "-1s", "+400d")
"""What the clock is off by, one after the other."""

STEP = 0.02
"""Seconds until the clock steps again."""

MADE = struct.Struct(">QQq")
"""An id in two halves, and the nanoseconds that the clock told beside it."""

DAY = 86_400 * 10**9


@dataclass
class Figures:
    """What became of some ids. `steps_back` counts how often processes saw the clock set back, `days` how far."""

    ids: int
    processes: int
    repeated: int
    not_ascending: int
    steps_back: int
    days: float

    def __str__(self) -> str:
        made = f"{self.ids:,} from {self.processes} forked processes"
        clock = f"the clock was seen to step back {self.steps_back:,} times, over {self.days:,.0f} days"
        return f"{made}: repeated {self.repeated}, not ascending {self.not_ascending}; {clock}"


def ids_of_processes(processes: int, each: int) -> Figures:
    """Let forked processes make ids at the same time, and count.

    The parent makes some before it forks, so that a generator which children share by accident would repeat itself.
    """
    new_id()
    pipes = []
    for _ in range(processes):
        reading, writing = os.pipe()
        if not os.fork():
            os.close(reading)
            with os.fdopen(writing, "wb") as out:
                for _ in range(each):
                    made = int(new_id().text.replace("-", ""), 16)
                    out.write(MADE.pack(made >> 64, made & (1 << 64) - 1, time.time_ns()))
            os._exit(0)
        os.close(writing)
        pipes.append(reading)
    found = []
    for reading in pipes:
        with os.fdopen(reading, "rb") as answers:
            found.append([(high << 64 | low, clock) for high, low, clock in MADE.iter_unpack(answers.read())])
    for _ in pipes:
        os.wait()
    return _figures(found)


def _figures(found: list[list[tuple[int, int]]]) -> Figures:
    """Count over what each process made: ids and the clock beside them, in the order made."""
    every = [number for made in found for number, _ in made]
    clocks = [clock for made in found for _, clock in made]
    pairs = [pair for made in found for pair in pairwise(made)]
    return Figures(
        ids=len(every),
        processes=len(found),
        repeated=len(every) - len(set(every)),
        not_ascending=sum(second[0] <= first[0] for first, second in pairs),
        steps_back=sum(second[1] < first[1] for first, second in pairs),
        days=(max(clocks) - min(clocks)) / DAY,
    )


def ids_while_the_clock_steps(processes: int, each: int) -> Figures | None:
    """Do the same while the clock jumps forth and back every `STEP` seconds; `None` where there is no libfaketime."""
    library = next((path for pattern in LIBRARIES for path in glob.glob(pattern)), None)
    if library is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        offset = Path(folder) / "offset"
        faked = {"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1"}
        jumps = itertools.cycle(JUMPS)
        _jump(offset, next(jumps))
        command = [sys.executable, "-m", "tests.faults.ids", str(processes), str(each)]
        with subprocess.Popen(command, env=os.environ | faked, stdout=subprocess.PIPE, text=True) as running:
            while True:
                try:
                    told, _ = running.communicate(timeout=STEP)
                except subprocess.TimeoutExpired:
                    _jump(offset, next(jumps))
                else:
                    return Figures(**json.loads(told))


def _jump(offset: Path, to: str) -> None:
    """Set the clock, at once for whoever reads it."""
    new = offset.with_suffix(".new")
    new.write_text(f"{to}\n")
    new.rename(offset)


if __name__ == "__main__":
    print(json.dumps(asdict(ids_of_processes(*map(int, sys.argv[1:])))))
