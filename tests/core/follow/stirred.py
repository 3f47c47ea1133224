"""A follower of a home whose files change while it looks, and who hears what it tells."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

from tests.core.follow.followed import Clock
from tests.core.follow.home import Home
from tests.core.follow.restless import Account, Restless, known
from tests.core.follow.test_watch import Never, Notices
from tests.core.views.growing import EVERY
from unspool.follow.audit import AUDIT_EVERY
from unspool.follow.events import Polling
from unspool.follow.follower import Follower
from unspool.follow.watch import Watch

STEPS: Final = 24
CHANGES: Final = 6
"""Changes within a few steps."""

FAULTS: Final = 0.02
"""How likely it is that a call fails, where calls do."""


class Following:
    """A follower of a restless home: now and then hints come, and time goes on by leaps."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = Random(seed)
        self.home = Home(folder)
        self.restless = Restless(self.home, self.rng)
        self.clock, self.notices, self.account = Clock(), Notices(), Account()
        watch = Watch(Never(), notify=self.notices, now=self.clock)
        self.follower = Follower(self.home, watch, now=self.clock, filter=EVERY)
        self.step()
        for name in ("a.jsonl", "b.jsonl", "c.jsonl"):
            self.home.write(name, self.restless.lines())

    def step(self, seconds: float = 0) -> int:
        """Let time go on, and hear what is told; return how much that was."""
        self.clock.now += seconds
        events = [event for event in self.follower.step(0) if not isinstance(event, Polling)]
        for event in events:
            self.account.hear(event)
        return len(events)

    def stir(self, faults: float) -> None:
        """Look while files change, and while calls fail."""
        restless = self.restless
        restless.chance, restless.faults = 0.05, faults
        with restless.between_calls():
            for number in range(STEPS):
                restless.left = CHANGES if number % 4 == 0 else restless.left
                hinted = [path for path in restless.paths() if self.rng.random() < 0.4]
                self.notices.told = [{(1, path) for path in hinted}]
                self.step(self.rng.choice((0, 0.1, 0.5, AUDIT_EVERY)))
        restless.rest()

    def settle(self) -> None:
        """Look until there is nothing more to tell."""
        for _ in range(8):
            self.step(AUDIT_EVERY)
        assert self.step(AUDIT_EVERY) == 0

    def check(self) -> None:
        """What is known is what is there."""
        sessions = self.account.sessions
        for source in self.home.sources(None, []):
            with closing(self.home.open(source, self.home.ref(source))) as view:
                there = {str(each.id): known(each) for each in view.evidence(EVERY, limit=None).items}
            assert sessions.pop(source.path) == there, source.path
        assert not any(Path(path).is_file() or not os.path.lexists(path) for path in sessions), "what is gone is told"


def stir(folder: Path, seed: int, faults: float) -> None:
    """Follow a home while it is stirred; raises `AssertionError` when what was told is not what is there."""
    following = Following(folder, seed)
    with closing(following.follower):
        following.stir(faults)
        following.settle()
        following.check()
