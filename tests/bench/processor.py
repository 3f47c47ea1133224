"""What a program on a terminal takes of the processor, seen from outside: the load of the machine changes it little."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

from tests.tui.terminal import PATIENCE, Terminal

TICK: Final = os.sysconf("SC_CLK_TCK")
USER, SYSTEM, GROUP = 11, 12, 2
"""Places in `/proc/PID/stat`, counted behind the name: ticks in both modes, and the group of processes."""

LOOK: Final = 0.3
"""Seconds between two looks."""

BUSY: Final = 0.1
"""The share of a processor that whoever rests stays below: a clock and a look at a file are no work."""


def seconds(process: int) -> float:
    """Return the processor seconds of a process and its threads so far, by the clock that Linux keeps for each."""
    return time.clock_gettime((~process << 3) | 2)


def rest(terminal: Terminal, looks: int = 4) -> None:
    """Wait until what runs on a terminal draws nothing and computes nothing, whoever computes for it included."""
    assert terminal.process is not None
    group, still, end = terminal.process.pid, 0, time.monotonic() + PATIENCE
    while still < looks:
        assert time.monotonic() < end, f"it does not rest:\n{terminal}"
        before = _of_group(group)
        terminal.settle(LOOK)
        still = still + 1 if _of_group(group) - before < BUSY * LOOK else 0


def _of_group(group: int) -> float:
    """Return the processor seconds of all processes of a group that are still there."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            facts = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if int(facts[GROUP]) == group:
            ticks += int(facts[USER]) + int(facts[SYSTEM])
    return ticks / TICK
