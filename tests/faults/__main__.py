"""`python -m tests.faults`: the campaigns in full, with their figures."""

from __future__ import annotations

import argparse
import errno
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path

from tests.core.follow.stirred import FAULTS, stir
from tests.faults import IN_MEMORY
from tests.faults.blob_failing import ACTS, fail_each_call, total
from tests.faults.blob_power import MISTAKES, RUNS, Act, Run, Tally, explore
from tests.faults.failing import ARMS, CALLS, ERRORS
from tests.faults.file_system import file_system
from tests.faults.ids import JUMPS, STEP, ids_of_processes, ids_while_the_clock_steps
from tests.faults.kill import SIZES, WAITED_FOR, WINDOW, InPlaceOs, campaign
from tests.faults.log_kill import campaign as killed_writers
from tests.faults.log_kill import kill_and_go_on, length_of_last_words
from tests.faults.log_writers import look, write_at_once
from tests.faults.power import RecordingOs
from tests.faults.retention_failing import fail_each_call as fail_each_removal
from tests.faults.retention_swaps import campaign as swap_links
from tests.faults.retention_swaps import follow_paths
from tests.faults.steps import delete, die_at_each_step, store

PLACES = (tempfile.gettempdir(), IN_MEMORY)
"""Where writers are killed: a disk, and a file system in memory where there is one."""


QUICK = IN_MEMORY if os.path.isdir(IN_MEMORY) else None
"""Where what fails or is cut off is made up, and waits for no disk."""

PROCESSES = 8
WRITERS = 8
"""Of one log, at once."""
LOG_KILLS = 500
"""Writers of one log that are killed."""
UNTIL_HARM = 100_000
"""Removals by paths that are tried for comparison; some hundreds do."""
CONTROL = 400
"""Writers in place that are killed for comparison."""


def main() -> int:
    """Run all, or what is named; return 1 when anything was bad."""
    arguments = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    arguments.add_argument("campaigns", nargs="*", metavar="CAMPAIGN", help=f"of {', '.join(CAMPAIGNS)}; all")
    arguments.add_argument("--acknowledged", type=int, default=20_000, help="stores to be acknowledged under kill -9")
    arguments.add_argument("--ids", type=int, default=1_000_000, help="ids to be made by 8 processes")
    arguments.add_argument("--events", type=int, default=2_000, help="events that each writer of a log appends")
    arguments.add_argument("--longest", type=int, default=3, help="runs behind one another before the power is cut")
    arguments.add_argument("--applications", type=int, default=100_000, help="of plans while folders are swapped")
    arguments.add_argument("--followed", type=int, default=500, help="homes that are stirred while they are followed")
    given = arguments.parse_args()
    if unknown := set(given.campaigns) - set(CAMPAIGNS):
        arguments.error(f"no campaign {min(unknown)!r}")
    good = [CAMPAIGNS[name](given) for name in given.campaigns or CAMPAIGNS]
    print("all as promised" if all(good) else "NOT AS PROMISED")
    return 0 if all(good) else 1


def power(given: argparse.Namespace) -> bool:
    """A loss of power after every call of every sequence of so many runs, and of the planted mistakes."""
    sequences = [run for length in range(1, given.longest + 1) for run in itertools.product(RUNS, repeat=length)]
    print(
        f"power: {len(RUNS)} runs ({', '.join(run.__name__ for run in RUNS)}), in sequences of up to {given.longest},"
    )
    print("       cut after every call; flushed data and names stay, of the rest any part may be there, or zeros")
    with timed():
        tally = _explored(RecordingOs, sequences)
        print(f"power: sequences {len(sequences)}, {tally}", end="")
    good = [not tally.bad]
    for mistake, act, fault in MISTAKES:
        planted = _explored(mistake, [(act,)])
        seen = bool(getattr(planted, fault))
        name = act.__name__ if mistake is RecordingOs else f"{mistake.__name__} in {act.__name__}"
        print(f"power, planted mistake {name}: {'caught' if seen else 'MISSED'}, {planted}")
        good.append(seen)
    return all(good)


def _explored(calls: type[RecordingOs], sequences: list[tuple[Act, ...]]) -> Tally:
    tallies = []
    for sequence in sequences:
        with tempfile.TemporaryDirectory(dir=QUICK) as home:
            tallies.append(explore(_one_after_the_other(sequence), calls(), Path(home)))
    return Tally(*(sum(values) for values in zip(*map(astuple, tallies), strict=True)))


def _one_after_the_other(runs: tuple[Act, ...]) -> Callable[[Run], None]:
    def act(run: Run) -> None:
        for each in runs:
            each(run)

    return act


def steps(given: argparse.Namespace) -> bool:
    """A writer that dies before each of its calls."""
    good = []
    for act in (store, delete):
        with tempfile.TemporaryDirectory(dir=QUICK) as home, timed():
            found = die_at_each_step(Path(home), act)
            print(f"death at each step of {act.__name__} on {file_system(home)}: {found}", end="")
        good.append(not found.bad)
    return all(good)


def failing(given: argparse.Namespace) -> bool:
    """Calls that fail: each once, every n-th, and all from the n-th on."""
    errors = " ".join(errno.errorcode[error] for error in ERRORS)
    print(f"failing calls: {errors} from {' '.join(CALLS)}; each {', '.join(ARMS)}, n = 1, 2, ... until none fails")
    good = []
    for act in ACTS:
        with tempfile.TemporaryDirectory(dir=QUICK) as home, timed():
            cases = itertools.product(ERRORS, ARMS)
            harm = total(fail_each_call(Path(home) / f"{error} {arm}", act, error, arm) for error, arm in cases)
            print(f"failing calls, {act.name}, on {file_system(home)}: {harm}", end="")
        good.append(not harm.bad)
    return all(good)


def kill(given: argparse.Namespace) -> bool:
    """Writers under kill -9, and the control that writes in place."""
    sizes = ", ".join(f"{size:,}" for size in SIZES)
    print(f"kill -9: texts of {sizes} bytes, one after the other; killed 0 to {WINDOW:g} ms", end=" ")
    print(f"after one of the first {WAITED_FOR} answers")
    good = []
    for place in filter(os.path.isdir, PLACES):
        with tempfile.TemporaryDirectory(dir=place) as home, timed():
            toll = campaign(Path(home) / "blobs", given.acknowledged)
            print(f"kill -9 on {file_system(home)}: {toll}", end="")
        with tempfile.TemporaryDirectory(dir=place) as home, timed():
            control = campaign(Path(home) / "blobs", 0, kills=CONTROL, calls=InPlaceOs())
            print(f"kill -9 on {file_system(home)}, control in place: {control}", end="")
        good.append(not (toll.lost or toll.torn or toll.unnoted) and bool(control.torn))
    return all(good)


def ids(given: argparse.Namespace) -> bool:
    """Ids from several processes at once, on a clock that goes on and on one that steps."""
    with timed():
        steady = ids_of_processes(PROCESSES, given.ids // PROCESSES)
        print(f"ids: {steady}", end="")
    with timed():
        stepping = ids_while_the_clock_steps(PROCESSES, given.ids // PROCESSES)
        jumps = f"clock off by {' '.join(JUMPS)}, a step every {STEP * 1_000:g} ms"
        told = "libfaketime is not here (Debian: faketime), so this is left out" if stepping is None else stepping
        print(f"ids, {jumps}: {told}", end="")
    made = [steady] if stepping is None else [steady, stepping]
    return not any(figures.repeated or figures.not_ascending for figures in made)


def log(given: argparse.Namespace) -> bool:
    """Writers of a session's log: many at once, killed at each byte of an event, and at any moment."""
    good = []
    with tempfile.TemporaryDirectory() as home, timed():
        path = Path(home) / "1a2b3c4d.jsonl"
        write_at_once(path, WRITERS, given.events)
        found = look(path)
        whole = found.by_writer == {writer: list(range(given.events)) for writer in range(WRITERS)}
        good.append(whole and not found.torn and not found.unlinked)
        print(f"log: {WRITERS} writers at once, {given.events:,} events each, {found.size / 1e9:.2f} GB", end=" ")
        print(f"on {file_system(home)}: {found}", end="")
    with tempfile.TemporaryDirectory() as home, timed():
        length = length_of_last_words(Path(home) / "whole")
        for at in range(length + 1):
            kill_and_go_on(Path(home) / str(at), at, length)
        print(f"log: killed at each of {length} bytes of an event, and gone on with", end="")
    for place in filter(os.path.isdir, PLACES):
        with tempfile.TemporaryDirectory(dir=place) as home, timed():
            toll = killed_writers(Path(home) / "1a2b3c4d.jsonl", LOG_KILLS)
            print(f"log: kill -9 on {file_system(home)}: {toll}", end="")
        good.append(not (toll.lost or toll.unlinked) and toll.torn <= toll.kills)
    return all(good)


def retention(given: argparse.Namespace) -> bool:
    """Retention whose calls fail, and retention while folders are swapped for links."""
    good = []
    with tempfile.TemporaryDirectory(dir=QUICK) as home:
        for arm in ARMS:
            with timed():
                failed = fail_each_removal(Path(home) / arm, errno.EIO, arm)
                print(f"retention, calls fail {arm}: {failed}", end="")
            good.append(not failed.bad)
        with timed():
            control = swap_links(Path(home) / "control", UNTIL_HARM, follow_paths)
            print(f"retention, links put in its way, control by paths: {control}", end="")
        with timed():
            found = swap_links(Path(home) / "swaps", given.applications)
            print(f"retention, links put in its way: {found}", end="")
        good.append(bool(control.harmed) and not found.harmed and found.gone > 0)
    return all(good)


def follow(given: argparse.Namespace) -> bool:
    """Homes whose files change between the calls of a follower, and whose calls fail."""
    good = []
    for faults in (0, FAULTS):
        with timed():
            wrong = [seed for seed in range(given.followed) if not _followed(seed, faults)]
            print(f"follow: {given.followed:,} homes stirred, {faults:.0%} of the calls fail,", end=" ")
            print(f"wrong {len(wrong)}{f' (seeds {wrong[:8]})' if wrong else ''}", end="")
        good.append(not wrong)
    return all(good)


def _followed(seed: int, faults: float) -> bool:
    with tempfile.TemporaryDirectory(dir=QUICK) as home:
        try:
            stir(Path(home), seed, faults)
        except Exception as error:  # noqa: BLE001 - whatever it was, it is counted
            print(f"follow, seed {seed}: {type(error).__name__} {error}".rstrip())
            return False
    return True


CAMPAIGNS: dict[str, Callable[[argparse.Namespace], bool]] = {
    "power": power,
    "steps": steps,
    "failing": failing,
    "kill": kill,
    "ids": ids,
    "log": log,
    "retention": retention,
    "follow": follow,
}


@contextmanager
def timed() -> Iterator[None]:
    """End a line with the seconds that it took."""
    started = time.monotonic()
    yield
    print(f", in {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
