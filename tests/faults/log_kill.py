"""Writers of a log that are killed while they append: at a byte of the last event, or at any moment."""

from __future__ import annotations

import os
import random
import signal
from dataclasses import dataclass
from pathlib import Path

from tests.faults.log_writers import content, forked, length, look
from unspool.blobs.calls import Os
from unspool.recording import ActiveLog, SessionLog, SessionPlace
from unspool.recording.event import Event


class KilledAtByte(Os):
    """Dies by kill -9 when so many bytes of its first write are written."""

    def __init__(self, at: int) -> None:
        self.at = at

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        if self.at:
            super().write(descriptor, data[: self.at])
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("unreachable")


def killed_at_byte(log: Path, at: int) -> None:
    """Let a process append an event and be killed when so many bytes of it are written."""
    dying = SessionLog(SessionPlace.at(log), cwd="/work", calls=KilledAtByte(at))
    child = forked(lambda: _say(dying, "the last words"))
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def kill_and_go_on(folder: Path, at: int, length: int) -> None:
    """Let a writer die at a byte of its event: what was said before is there, and what is said next, in one chain."""
    log = folder / "1a2b3c4d.jsonl"
    first = said(log, "the first words")
    killed_at_byte(log, at)
    after = said(log, "the next words")
    texts = [message["content"] for message in ActiveLog.read(log).messages()]
    whole = at >= length - 1  # all but the end of the line
    assert texts == ["the first words", *(["the last words"] if whole else []), "the next words"], at
    assert whole or after["parentUuid"] == first["uuid"]


def length_of_last_words(folder: Path) -> int:
    """Return how many bytes the event is that a writer dies at."""
    log = folder / "1a2b3c4d.jsonl"
    said(log, "the first words")
    before = log.stat().st_size
    said(log, "the last words")
    return log.stat().st_size - before


def said(log: Path, text: str) -> Event:
    """Append what somebody says, and return its event."""
    (event,) = SessionLog(SessionPlace.at(log), cwd="/work").append([{"role": "user", "content": text}])
    return event


@dataclass
class Toll:
    """What was counted over all killed writers; `torn` lines are at most one for each of them."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    torn: int = 0
    unlinked: int = 0


def campaign(log: Path, kills: int, *, writers: int = 3, seed: int = 1) -> Toll:
    """Let writers append at once, kill one after the other at any moment, and count what is left in the end."""
    toll, chance = Toll(), random.Random(seed)
    acknowledged: set[tuple[int, int]] = set()
    running = [_Writer(log, number, chance.random()) for number in range(writers)]
    for number in range(writers, writers + kills):
        victim = running.pop(chance.randrange(writers))
        acknowledged |= victim.killed(chance.randrange(1, 9))
        running.append(_Writer(log, number, chance.random()))
    for writer in running:
        acknowledged |= writer.killed(1)
    found = look(log)
    there = {(writer, number) for writer, numbers in found.by_writer.items() for number in numbers}
    toll.kills, toll.acknowledged = kills + writers, len(acknowledged)
    toll.lost, toll.torn, toll.unlinked = len(acknowledged - there), found.torn, found.unlinked
    return toll


class _Writer:
    """A process that appends until it is killed, and tells of every event that was appended."""

    def __init__(self, log: Path, number: int, seed: float) -> None:
        self.number = number
        reading, writing = os.pipe()
        self._child = forked(lambda: _append_for_ever(log, number, writing, seed))
        os.close(writing)
        self._answers = os.fdopen(reading, "rb")

    def killed(self, after: int) -> set[tuple[int, int]]:
        """Kill it somewhere behind so many events more; return what it had told of."""
        with self._answers as answers:
            lines = [answers.readline() for _ in range(after)]
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            lines += answers.readlines()
        return {(self.number, int(line)) for line in lines if line.endswith(b"\n")}


def _append_for_ever(log: Path, number: int, answers: int, seed: float) -> None:
    session, chance, event = SessionLog(SessionPlace.at(log), cwd="/work"), random.Random(seed), 0
    while True:
        _say(session, content(number, event, length(chance)))
        os.write(answers, f"{event}\n".encode())
        event += 1


def _say(session: SessionLog, text: str) -> None:
    session.append([{"role": "user", "content": text}])
