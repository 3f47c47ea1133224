"""The writer of the sample cases says at each step what must be visible, and `unspool follow` tells just that."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from tests.tui.test_command_follow import SECONDS, Followed

VARIABLE: Final = "UNSPOOL_LIVE_PAUSES"
"""Seconds between the steps, with commas between them: `1.0,0.1,0.01` is the long form."""

PAUSES: Final = [float(each) for each in os.environ.get(VARIABLE, "0.1,0.01").split(",")]

PATIENT: Final = 1.0
"""Seconds between steps from which each has an event of its own; with less, a busy machine sees several at once."""


@dataclass
class Seen:
    """What a reader knows who follows from the beginning, after each event."""

    pieces: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    sessions: list[str] = field(default_factory=list)
    pending: bool = False
    unreadable: int = 0
    last: str = ""
    told: set[str] = field(default_factory=set)

    def take(self, event: dict[str, Any]) -> None:
        self.last, ref = event["event"], event["ref"]
        self.told.add(self.last)
        known = self.pieces.setdefault(ref, {})
        self.pending = self.last == "pending"
        if self.last == "session":
            self.sessions.append(ref)
        elif self.last in ("truncated", "replaced"):
            self.unreadable = 0
            for piece in [piece for piece in known if int(re.findall(r"\d+", piece)[0]) >= event["from_entry"]]:
                del known[piece]
        elif self.last == "unreadable":
            self.unreadable += 1
        elif self.last == "evidence":
            assert event["id"] not in known, "told twice"
            known[event["id"]] = event
        elif self.last == "side_file":
            known[event["id"]] = event

    @property
    def first(self) -> dict[str, dict[str, Any]]:
        """The pieces of the first session."""
        return self.pieces.get(self.sessions[0], {}) if self.sessions else {}

    def shows(self, words: str) -> bool:
        return any(words in piece["summary"] for known in self.pieces.values() for piece in known.values())


STEPS: Final = (
    lambda seen: not seen.sessions,
    lambda seen: len(seen.sessions) == 1 and not seen.first,
    lambda seen: len(seen.first) == 1,
    lambda seen: len(seen.first) == 1 and seen.pending,
    lambda seen: len(seen.first) == 1 and seen.pending,
    lambda seen: len(seen.first) == 2 and seen.shows("half line 日本語 tail"),
    lambda seen: len(seen.first) == 3 and seen.first["E2.0"]["bytes"] == 300_013,
    lambda seen: len(seen.first) == 203,
    lambda seen: len(seen.first) == 203 and seen.pending,
    lambda seen: len(seen.first) == 204 and seen.unreadable == 1,
    lambda seen: len(seen.first) == 2 and seen.shows("rewritten two"),
    lambda seen: len(seen.first) == 3 and seen.shows("after replace"),
    lambda seen: len(seen.first) == 1,
    lambda seen: len(seen.sessions) == 2 and seen.shows("live-sub"),
    lambda seen: len(seen.first) == 2 and seen.shows("blob first half"),
    lambda seen: seen.shows("live-blob-tail"),
    lambda seen: len(seen.sessions) == 3 and seen.shows("second project"),
    lambda seen: seen.last == "moved" and len(seen.sessions) == 3,
    lambda seen: seen.last == "gone" and len(seen.first) == 2,
)
"""What must be visible, step by step."""

LASTING: Final = (
    lambda seen: len(set(seen.sessions)) == len(seen.sessions) == 3,
    lambda seen: seen.shows("live-sub"),
    lambda seen: seen.shows("second project"),
    lambda seen: "gone" in seen.told,
)
"""What must have been seen in the end, however fast the steps came: the rest was over before anybody could look."""


def is_over(events: list[dict[str, Any]]) -> bool:
    """Whether all that lasts was told; it may come in any order."""
    seen = Seen()
    for event in events:
        seen.take(event)
    return all(lasts(seen) for lasts in LASTING)


@pytest.fixture(params=PAUSES)
def written(request: pytest.FixtureRequest, shared: Path, tmp_path: Path) -> Iterator[tuple[float, Followed]]:
    """The command, after a writer with a pause between its steps has come to its end before its eyes."""
    pause: float = request.param
    following = Followed(tmp_path, "--json")
    try:
        writer = [sys.executable, str(shared / "cases" / "tools" / "live_writer.py"), str(following.root), str(pause)]
        subprocess.run(writer, check=True, stdout=subprocess.DEVNULL, timeout=SECONDS + 40 * pause)
        yield pause, following
    finally:
        following.close()


def test_every_step_of_the_writer_is_told(written: tuple[float, Followed]) -> None:
    pause, following = written
    until = time.monotonic() + SECONDS
    while not is_over(following.events()):
        assert time.monotonic() < until, following.lines[-5:]
        following.reading.join(0.01)
    seen, left = Seen(), list(enumerate(STEPS, 1))
    for event in [None, *following.events()]:
        if event is not None:
            seen.take(event)
        if left and left[0][1](seen):
            left.pop(0)
    assert not left or pause < PATIENT, f"step {left[0][0]} was not seen"
