"""Print how long keys take to change the screen: `python -m tests.bench.keys FILE ...`.

The app runs on a pseudo-terminal. For each key of a walk over all of them, for a key that is held and for other sizes
of the terminal: milliseconds to the first byte of the changed screen, and to the last one of what the key led to; and
the milliseconds of the processor to the first byte, which a machine that has much else to do changes little. A minimal
Textual app is measured in the same run: what it takes, no app takes less.
"""

from __future__ import annotations

import compileall
import os
import re
import select
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import unspool
import unspool_tui
from tests.bench.processor import rest, seconds
from tests.tui.terminal import Terminal

SIZES: Final = ((80, 24), (120, 36), (160, 48))

NO_CHANGE: Final = 0.4
"""Seconds after which a key that changed nothing is not waited for any longer."""

QUIET: Final = 0.08
"""Seconds without a byte after which all that a key led to is drawn."""

POINTER: Final = re.compile(rb"\x1b\]22;[^\x07]*\x07")
"""The mouse's own shape: who tells it has changed nothing on the screen yet."""

EACH_SECOND: Final = 30
"""Times that a held key comes in a second."""

HELD: Final = 60
"""Times that a key comes that is held."""

GOAL: Final = 50.0
"""Milliseconds that the slowest key of a hundred may take."""

NAMES: Final = {
    "esc": "\x1b[27u", "enter": "\r", "tab": "\t", "back": "\x1b[Z", "space": " ", "right": "\x1b[C", "left": "\x1b[D",
    "end": "\x1b[F", "home": "\x1b[H", "pgdn": "\x1b[6~", "pgup": "\x1b[5~", "^d": "\x04", "^u": "\x15", "^f": "\x06",
    "^b": "\x02", "^t": "\x14", "^p": "\x10", "bsp": "\x7f",
}  # fmt: skip
"""Keys with names; all others are themselves."""

ENVIRON: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "PAGER": "cat"}

WALKS: Final[Mapping[str, str]] = {
    "list": "j j j j k k space space b d u ^f ^b pgdn pgup ^d ^u G g end home j j j",
    "steps": "] ] [ e e e E E p p n : E 1 enter : 1 0 0 enter t t H H z z tab tab tab back back back",
    "facets": "5 5 4 4 6 6 7 7 1 1 0 2 j j 0",
    "filter": "/ t o o l : B a s h enter j j j esc / k i n d : u s e r enter j esc",
    "search": "/ e r r o r enter n n n N j j G g c c c n esc",
    "reader": "e enter space space space b j j k d u G g w right right left w r r m / e r r enter n n N esc y",
    "long": "L enter enter space space space space G b b b g / e r r enter n n N esc esc",
    "lenses": "L j j 2 j 3 j j 1 j esc P j j k enter j esc",
    "cards": "? esc ^p g o esc ^t ^t R x esc y",
}
"""The keys of each part of the app, on an open session; each walk ends in the list without a filter."""


def keys_of(walk: str) -> list[tuple[str, str]]:
    """Return the keys of a walk with their names."""
    return [(name, NAMES.get(name, name)) for name in walk.split()]


Timed = tuple[float, str]
"""Milliseconds, and what they were taken for."""


@dataclass
class Times:
    """Milliseconds to the first and to the last byte, and `work`, those of the processor to the first.

    `still` counts keys that changed nothing.
    """

    first: list[Timed] = field(default_factory=list)
    last: list[Timed] = field(default_factory=list)
    work: list[Timed] = field(default_factory=list)
    still: int = 0

    def add(self, other: Times) -> None:
        """Take over the times of another walk."""
        self.first += other.first
        self.last += other.last
        self.work += other.work
        self.still += other.still

    def note(self, terminal: Terminal, what: str, act: Callable[[], None]) -> None:
        """Do something, wait until all that it leads to is drawn, and note what that took."""
        assert terminal.process is not None
        parts: list[bytes] = []
        worked, began = seconds(terminal.process.pid), time.perf_counter()
        act()
        first = last = spent = 0.0
        while select.select([terminal.master], [], [], QUIET if first else NO_CHANGE)[0]:
            now, work = time.perf_counter(), seconds(terminal.process.pid) - worked
            parts.append(os.read(terminal.master, 1 << 16))
            last = time.perf_counter()
            if not first and POINTER.sub(b"", parts[-1]):
                first, spent = now, work
        terminal.take(b"".join(parts))  # only now: what reads along takes time from what is measured
        if first:
            self.first.append(((first - began) * 1000, what))
            self.last.append(((last - began) * 1000, what))
            self.work.append((spent * 1000, what))
        else:
            self.still += 1


def walked(terminal: Terminal, name: str, keys: Sequence[tuple[str, str]]) -> Times:
    """Press keys one after the other."""
    times = Times()
    for shown, key in keys:
        times.note(terminal, f"{name}: {shown}", partial(terminal.type, key))
    return times


def held(terminal: Terminal, key: str) -> Times:
    """Hold a key: it comes again whether or not the screen has changed; of each that it was waited for, how long."""
    times, asked, began = Times(), 0.0, time.perf_counter()
    parts: list[bytes] = []
    for number in range(1, HELD + 1):
        terminal.type(key)
        asked = asked or time.perf_counter()
        while (left := began + number / EACH_SECOND - time.perf_counter()) > 0:
            if select.select([terminal.master], [], [], left)[0]:
                parts.append(os.read(terminal.master, 1 << 16))
                if asked:
                    times.first.append(((time.perf_counter() - asked) * 1000, f"held: {key}"))
                    asked = 0.0
    terminal.take(b"".join(parts))
    terminal.settle()
    return times


def resized(terminal: Terminal) -> Times:
    """Give the terminal other sizes, and its own again."""
    times, (width, height) = Times(), terminal.size
    for size in ((width - 1, height), (width, height - 1), (width * 2 // 3, height), (width, height)):
        times.note(terminal, f"size: {size[0]}x{size[1]}", partial(terminal.resize, size))
    return times


def share(times: Iterable[Timed], of: float) -> float:
    """Return the time that a share of the keys stays below."""
    ordered = sorted(each for each, _ in times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * of))] if ordered else 0.0


def line(name: str, times: Sequence[Timed]) -> str:
    """Return the figures of some keys as a line."""
    worst = max(times, default=(0.0, ""))
    return (
        f"{name:28} {len(times):5} keys   p50 {share(times, 0.5):6.1f}   p90 {share(times, 0.9):6.1f}   "
        f"p99 {share(times, 0.99):6.1f}   max {worst[0]:7.1f} ms  ({worst[1]})"
    )


def slowest(times: Sequence[Timed], most: int = 12) -> str:
    """Return the keys that took longest, each by its slowest time."""
    by_key: dict[str, float] = defaultdict(float)
    for took, key in times:
        by_key[key] = max(by_key[key], took)
    return ", ".join(f"{key} {took:.0f}" for key, took in sorted(by_key.items(), key=lambda each: -each[1])[:most])


def minimal(size: tuple[int, int]) -> Times:
    """Measure the minimal app."""
    with Terminal(size) as terminal:
        terminal.start("-m", "tests.bench.minimal", environ=ENVIRON)
        terminal.wait_for("row 9")
        terminal.settle()
        times = walked(terminal, "minimal", keys_of(" ".join(["j j j j k k space"] * 30)))
        terminal.type("\x11")
        terminal.ended()
    return times


def measured(path: Path, size: tuple[int, int], rounds: int) -> Iterator[tuple[str, Times]]:
    """Walk through a session, and yield the times of each part of the app."""
    with tempfile.TemporaryDirectory() as home, Terminal(size) as terminal:
        began = time.perf_counter()
        terminal.start("-m", "unspool_tui", "open", str(path), environ={**ENVIRON, "HOME": home})
        terminal.wait_for("Evidence ")
        rest(terminal)
        print(f"    open, and all of it read and drawn: {time.perf_counter() - began:.1f} s")
        for _ in range(rounds):
            for name, walk in WALKS.items():
                yield name, walked(terminal, name, keys_of(walk))
            for key in "jk":
                yield "held", held(terminal, key)
            yield "sizes", resized(terminal)
        terminal.type("\x03")
        terminal.ended()


def main(paths: Sequence[str]) -> int:
    """Measure each file at each size, with compiled modules, as an installed program has them."""
    failed = False
    for package in (unspool, unspool_tui):
        compileall.compile_dir(package.__path__[0], quiet=1)
    for size in SIZES:
        floor = minimal(size)
        for path in map(Path, paths):
            print(f"\n{path.name}  {path.stat().st_size / 1e6:.1f} MB  at {size[0]}x{size[1]}")
            parts: dict[str, Times] = defaultdict(Times)
            every = Times()
            for name, times in measured(path, size, 3):
                parts[name].add(times)
                every.add(times)
            for name, times in parts.items():
                print("  " + line(name, times.first))
            pressed = [each for name in WALKS for each in parts[name].first]
            print("  " + line("keys pressed once", pressed))
            print("  " + line("all: screen changed", every.first))
            print("  " + line("all: all of it drawn", every.last))
            print("  " + line("all: processor", every.work))
            print("  " + line("minimal Textual app", floor.first))
            print("  " + line("minimal: processor", floor.work))
            print(f"  slowest: {slowest(every.first)}")
            print(f"  most work: {slowest(every.work)}")
            print(f"  {every.still} keys changed nothing")
            failed |= share(pressed, 0.99) > GOAL or share(parts["held"].first, 0.99) > GOAL
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
