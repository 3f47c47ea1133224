"""Print what windows of an enormous blob cost: `python -m tests.bench.blobs [--gigabytes N]`.

The blob is made in the folder for temporary files and deleted afterwards. Times are of the wall, the best of three
where nothing is remembered from one to the next; `wc -l` is timed on the whole and counted for its share. Memory is
the peak of a fresh process that does nothing but ask for the windows.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench.memory import peak
from tests.bench.pairs import by_turns, seconds
from unspool import FileBlobStore, Text, inspect

BLOCK: Final = 1 << 24
SPARE: Final = 2
"""Gigabytes of a disk that are left alone."""
TRIES: Final = 3


class Cost(NamedTuple):
    """Seconds that something took: by the wall, and of processors, which no other process makes longer."""

    wall: float
    processor: float


def make(folder: Path, size: int) -> tuple[Path, int]:
    """Write a log of about `size` bytes under a blob's name; return its path and how many lines it has."""
    store = FileBlobStore(folder)
    path = folder / f"{store.store(Text(''))}.txt"
    lines, number = [], 0
    while sum(map(len, lines)) < BLOCK:
        lines += [b"%09d %s\n" % (each, b"x" * (each * 37 % 150)) for each in range(number, number + 1_000)]
        number += 1_000
    block = b"".join(lines)
    with path.open("wb") as file:
        for _ in range(size // len(block)):
            file.write(block)
        file.write(b"the needle\n")
    return path, size // len(block) * number + 1


def timed(ask: Callable[[], object], tries: int = TRIES) -> float:
    """Return the seconds that a question takes, the best of some tries."""
    return min(seconds(ask) for _ in range(tries))


def alternately(one: Callable[[], object], other: Callable[[], object]) -> tuple[Cost, Cost]:
    """Time two by turns; return the least that each of them cost."""
    first, second = by_turns(TRIES, lambda: cost(one), lambda: cost(other))
    return _least(first), _least(second)


def cost(ask: Callable[[], object]) -> Cost:
    """Return what a question costs, whatever process answers it."""
    wall, processor = time.perf_counter(), _processor()
    ask()
    return Cost(time.perf_counter() - wall, _processor() - processor)


def _processor() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _least(costs: list[Cost]) -> Cost:
    return Cost(min(each.wall for each in costs), min(each.processor for each in costs))


def windows(path: Path, lines: int) -> None:
    """Ask for windows of the blob, and print what they cost."""
    blob, size, before = path.stem, path.stat().st_size, peak()

    def fresh(selector: str) -> Callable[[], object]:
        return lambda: inspect(blob, selector, store=FileBlobStore(path.parent))

    for name, selector in {
        "bytes in the middle": f"bytes:{size // 2}..{size}",
        "bytes at the end": f"bytes:{size - 1_000}..{size}",
        "tail:50": "tail:50",
        "tail:100000": "tail:100000",
        "lines:1-1000000000": "lines:1-1000000000",
    }.items():
        print(f"{name:46} {timed(fresh(selector)) * 1000:8.1f} ms")
    for share in (0.5, 1.0):
        line = int(lines * share) - 1
        counting, first = alternately(lambda: _count(path), fresh(f"lines:{line}-{line + 20}"))
        for name, ours, theirs in zip(Cost._fields, first, counting, strict=True):
            what, up_to_it = f"first window at line {line:,}, {name}", theirs * share
            print(f"{what:46} {ours:8.2f} s, wc -l up to it {up_to_it:.2f} s: {ours / up_to_it:.2f} x")
        store = FileBlobStore(path.parent)
        inspect(blob, f"lines:{line}-{line + 20}", store=store)
        earlier = f"lines:{line // 3}-{line // 3 + 20}"
        later = timed(lambda store=store, earlier=earlier: inspect(blob, earlier, store=store))  # type: ignore[misc]
        print(f"{f'later window at line {line // 3:,}':46} {later * 1000:8.1f} ms")
        print(f"{'checkpoints':46} {_checkpoints(store):8,} bytes")
    grep = timed(fresh("grep:THE NEEDLE"), 1)
    print(f"{'grep to the end, case ignored':46} {grep:8.2f} s, {size / grep / 1e9:.1f} GB/s")
    print(f"{'grep, the first lines of many':46} {timed(fresh('grep:xxxx')) * 1000:8.1f} ms")
    print(f"{'memory':46} {before:8.0f} MB before, {peak():.0f} MB at most")


def _checkpoints(store: FileBlobStore) -> int:
    """Return the bytes in which a store remembers where lines start."""
    return sum(known._before.itemsize * len(known._before) for known in store._line_maps.values())


def _count(path: Path) -> None:
    subprocess.run(["wc", "-l", str(path)], stdout=subprocess.DEVNULL, check=True)


def main() -> None:
    """Make the blob and let a process of its own ask for windows."""
    arguments = argparse.ArgumentParser(prog="python -m tests.bench.blobs", description=__doc__)
    arguments.add_argument("--gigabytes", type=int, default=5)
    arguments.add_argument("--ask", nargs=2, metavar=("PATH", "LINES"), help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.ask:
        windows(Path(given.ask[0]), int(given.ask[1]))
        return
    with tempfile.TemporaryDirectory(prefix="unspool-blobs-") as folder:
        free = shutil.disk_usage(folder).free // 10**9
        gigabytes = min(given.gigabytes, max(1, free - SPARE))
        path, lines = make(Path(folder), gigabytes * 10**9)
        print(f"a blob of {path.stat().st_size / 1e9:.1f} GB, {lines:,} lines, {os.cpu_count()} processors")
        command = [sys.executable, "-m", "tests.bench.blobs", "--ask", str(path), str(lines)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
