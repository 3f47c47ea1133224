"""Writers that append to one log at once, processes with threads in them, and what must be in the log afterwards."""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from unspool.recording import SessionLog, SessionPlace

LARGEST = 2_000_000
"""Characters of the largest events."""
THREADS = 2
"""In every process, at one `SessionLog`."""


@dataclass
class Found:
    """What a log holds: the events of each writer in their order, the lines that are none, the links that are wrong."""

    by_writer: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    torn: int = 0
    unlinked: int = 0
    size: int = 0

    def __str__(self) -> str:
        events = sum(map(len, self.by_writer.values()))
        return f"events {events:,}, torn {self.torn}, not in the chain {self.unlinked}"


def write_at_once(log: Path, writers: int, events: int, *, seed: int = 1) -> None:
    """Let so many writers append so many events each, of all sizes up to the largest."""
    children = [
        forked(partial(_write, log, range(first, first + THREADS), events, seed))
        for first in range(0, writers, THREADS)
    ]
    for child in children:
        assert os.waitpid(child, 0)[1] == 0


def forked(act: Callable[[], None]) -> int:
    """Do something in a child process, and return its number; the child ends with 0 unless that raises."""
    child = os.fork()
    if not child:
        try:
            act()
            os._exit(0)
        finally:
            os._exit(1)
    return child


def look(log: Path) -> Found:
    """Read a log line by line, by no means of ours."""
    found, last = Found(size=log.stat().st_size), None
    with log.open("rb") as lines:
        for line in lines:
            event = _event(line)
            if event is None:
                found.torn += 1
                continue
            found.unlinked += event["parentUuid"] != last
            last = event["uuid"]
            writer, number, length, _ = event["message"]["content"].split(":")
            found.torn += len(event["message"]["content"]) != int(length)
            found.by_writer[int(writer)].append(int(number))
    return found


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        event = orjson.loads(line) if line.endswith(b"\n") else None
    except orjson.JSONDecodeError:
        return None
    return event if isinstance(event, dict) else None


def _write(log: Path, writers: range, events: int, seed: int) -> None:
    session = SessionLog(SessionPlace.at(log), cwd="/work")

    def write(writer: int) -> None:
        chance = random.Random(seed * 1_000 + writer)
        for number in range(events):
            session.append([{"role": "user", "content": content(writer, number, length(chance))}])

    with ThreadPoolExecutor(len(writers)) as pool:
        list(pool.map(write, writers))


def length(chance: random.Random) -> int:
    """Return a length from a hundred characters to the largest, of each order of size some."""
    return int(100 * (LARGEST // 100) ** (chance.random() ** 2))


def content(writer: int, number: int, length: int) -> str:
    """Return a text that tells whose it is, and its own length."""
    head = f"{writer}:{number}:{length}:"
    return head + "x" * (length - len(head))
