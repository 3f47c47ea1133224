"""`unspool follow` where the system allows too few watches: from the beginning, or once folders are added."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest

from tests.core.views.growing import said
from unspool.follow.open_sessions import WATCHED_CLOSELY

SECONDS: Final = 60.0
"""How long an event may take on a busy machine before it counts as lost."""

_LIMITED: Final = 'echo "$0" > /proc/sys/user/max_inotify_watches && exec "$@"'
"""Lowers the limit in a user namespace of its own, and runs a program there."""


class Limited:
    """A follower that may watch so many folders, and what it has told."""

    def __init__(self, home: Path, watches: int) -> None:
        self.projects = home / ".claude" / "projects"
        self.written = 0
        self.write("-first/a.jsonl")
        command = [sys.executable, "-m", "unspool_tui", "follow", "--json", "--root", str(home)]
        self.process = subprocess.Popen(
            ["unshare", "-Ur", "/bin/sh", "-c", _LIMITED, str(watches), *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config")},
        )
        assert self.process.stderr is not None
        assert b"following" in (line := self.process.stderr.readline()), line
        self.told: list[dict[str, Any]] = []
        self.reading = Thread(target=self._read, daemon=True)
        self.reading.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.told.append(json.loads(line))

    def write(self, name: str) -> None:
        path = self.projects / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.written += 1
        with path.open("ab") as file:
            file.write(said(self.written, "go") + b"\n")

    def until(self, found: Callable[[dict[str, Any]], bool]) -> None:
        """Wait until something was told."""
        until = time.monotonic() + SECONDS
        while not any(map(found, self.told)):
            assert time.monotonic() < until, self.told
            self.reading.join(0.01)

    def polling(self) -> list[str]:
        """Why it said that it polls."""
        return [each["reason"] for each in self.told if each["event"] == "polling"]

    def close(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(SECONDS)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        self.reading.join(SECONDS)


@pytest.fixture(params=[0, 4])
def limited(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Limited]:
    """A follower without any watch, and one that has enough of them until folders are added."""
    running = Limited(tmp_path, request.param)
    yield running
    running.close()


def test_where_watches_run_out_everything_is_told_all_the_same_and_polling_is_said_once(limited: Limited) -> None:
    for entry in ("E0.0", "E1.0"):
        for number in range(WATCHED_CLOSELY + 4):  # so that the first ones are looked at for no other reason
            wanted = {"event": "evidence", "ref": f"claude:b{number}", "id": entry}
            limited.write(f"-new{number}/b{number}.jsonl")
            limited.until(lambda each, wanted=wanted: wanted.items() <= each.items())
    limited.until(lambda each: each["event"] == "polling")
    assert len(limited.polling()) == 1
    assert limited.polling()[0]
