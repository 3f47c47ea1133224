"""`python -m tests.faults`: the campaigns in full, with their figures."""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults.blob_power import RUNS, Run, Tally, explore
from tests.faults.ids import faults, ids_of_processes
from tests.faults.kill import InPlaceOs, campaign
from tests.faults.power import MISTAKES, RecordingOs

PLACES = (tempfile.gettempdir(), "/dev/shm")
LONGEST = 3
"""Runs that are put behind one another, in every order."""


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    arguments.add_argument("--acknowledged", type=int, default=20_000, help="stores to be acknowledged under kill -9")
    arguments.add_argument("--ids", type=int, default=1_000_000, help="ids to be made by 8 processes")
    given = arguments.parse_args()
    power()
    for place in (place for place in PLACES if os.path.isdir(place)):
        kill(place, given.acknowledged)
    ids(given.ids)


def power() -> None:
    """A loss of power after every call of every sequence of up to `LONGEST` runs, and of the planted mistakes."""
    sequences = [run for length in range(1, LONGEST + 1) for run in itertools.product(RUNS, repeat=length)]
    print(f"power: {_told(RecordingOs, sequences)} (sequences {len(sequences)})")
    for mistake in MISTAKES:
        print(f"power, planted mistake {mistake.__name__}: {_told(mistake, [RUNS[:1]])}")


def _told(calls: type[RecordingOs], sequences: list[tuple[Callable[[Run], None], ...]]) -> str:
    tallies = []
    for sequence in sequences:
        with tempfile.TemporaryDirectory(dir=PLACES[-1] if os.path.isdir(PLACES[-1]) else None) as home:
            tallies.append(explore(_one_after_the_other(sequence), calls(), Path(home)))
    total = Tally(*(sum(values) for values in zip(*map(_values, tallies), strict=True)))
    return (
        f"states {total.states}, torn {total.torn}, lost {total.lost}, dangling {total.dangling}, "
        f"false alarms {total.false_alarms}"
    )


def _one_after_the_other(runs: tuple[Callable[[Run], None], ...]) -> Callable[[Run], None]:
    def act(run: Run) -> None:
        for each in runs:
            each(run)

    return act


def _values(tally: Tally) -> tuple[int, ...]:
    return tally.states, tally.torn, tally.lost, tally.dangling, tally.false_alarms


def kill(place: str, acknowledged: int) -> None:
    """Writers under kill -9, and the control that writes in place."""
    with tempfile.TemporaryDirectory(dir=place) as home:
        started = time.monotonic()
        print(f"kill -9 on {_file_system(place)}: {campaign(Path(home) / 'blobs', acknowledged)}", end="")
        print(f" in {time.monotonic() - started:.0f} s")
        print(f"kill -9, control in place: {campaign(Path(home) / 'control', 0, kills=400, calls=InPlaceOs())}")


def ids(number: int) -> None:
    """Ids from eight processes at once."""
    found = ids_of_processes(8, number // 8)
    repeated, falling = faults(found)
    print(f"ids: {sum(map(len, found))} from {len(found)} processes, repeated {repeated}, not ascending {falling}")


def _file_system(place: str) -> str:
    """Return the name of the file system that a folder lies on, as `stat` tells it."""
    told = subprocess.run(["stat", "-f", "-c", "%T", place], capture_output=True, text=True, check=False)
    return told.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
