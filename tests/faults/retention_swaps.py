"""Retention while somebody puts links in the place of its folders: nothing that they lead to may be touched.

What the links lead to looks as the home does, name by name, so that whoever follows one finds something to remove.
"""

from __future__ import annotations

import os
import random
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path

from tests.core.retention.aging import MONTH, OLD, YOUNG, Home, aged, contents
from unspool.errors import UnspoolError
from unspool.retention import RetentionPlan, apply_retention, plan_retention

SWAPPED = (
    "projects", "projects/p", "projects/p/aaaa0000", "projects/p/aaaa0000/tool-results", "projects/p/aaaa0000.jsonl",
    ".unspool-trash", ".unspool-trash/20200101T000000Z", "tool-results", "tool-results/run-1",
)  # fmt: skip
"""What links are put in the place of."""
LONGEST = 0.001
"""Seconds for which a link, or the folder itself, stays at most."""
CHECKED = 25
"""Applications after which what the links lead to is looked at: nothing puts back what is lost of it."""


@dataclass
class Toll:
    """What was counted. `harmed` says how often something outside of the home, or a session that stays, was touched."""

    applied: int = 0
    swaps: int = 0
    gone: int = 0
    emptied: int = 0
    left: int = 0
    held_back: int = 0
    harmed: int = 0

    def __str__(self) -> str:
        return ", ".join(f"{each.name} {getattr(self, each.name):,}" for each in fields(self))


def follow_paths(plan: RetentionPlan, toll: Toll) -> None:
    """The control: each path is looked at, and what is under it is removed, as is usual."""
    for item in plan.going:
        path = item.path(plan.home).removesuffix(".jsonl")
        with suppress(OSError):
            if os.path.realpath(path).startswith(plan.home):
                shutil.rmtree(path)
                toll.gone += 1


def by_handles(plan: RetentionPlan, toll: Toll) -> None:
    """What is promised to be safe."""
    try:
        applied = apply_retention(plan, environ={})
    except UnspoolError:
        toll.held_back += 1
        return
    toll.gone += len(applied.gone)
    toll.emptied += len(applied.emptied)
    toll.left += len(applied.left)
    toll.held_back += bool(applied.held_back)


def campaign(
    place: Path, applications: int, remove: Callable[[RetentionPlan, Toll], None] = by_handles, *, seed: int = 1
) -> Toll:
    """Apply so many plans while a thread swaps folders for links and back."""
    toll, home = Toll(), place / "home"
    outside = _built(place / "outside").path
    before = contents(outside)
    swapper = _Swapper(home / ".mini-code", outside, random.Random(seed))
    swapper.start()
    try:
        while toll.applied < applications and not toll.harmed:
            with swapper.paused:
                built = _built(home)
                plan = plan_retention(built.path, MONTH, environ={})
                stays = _found(built)
            assert plan.going
            remove(plan, toll)
            toll.applied += 1
            with swapper.paused:
                toll.harmed += _found(built) != stays
                if toll.applied % CHECKED == 0 or toll.applied == applications:
                    toll.harmed += contents(outside) != before
    finally:
        swapper.stop()
    toll.swaps = swapper.swaps
    return toll


def _found(home: Home) -> set[str]:
    """Return what there is of the session that stays, wherever an interrupted swap has left it."""
    return {told for path, told in contents(home.path).items() if "dddd0000" in path}


def _built(above: Path) -> Home:
    """Build a home anew: with a session, outputs and a batch of the trash that go, and a session that stays."""
    shutil.rmtree(above, ignore_errors=True)
    home = Home(above)
    home.session("aaaa0000", saved=["t1.txt"])
    home.run("run-1", OLD)
    home.session("dddd0000", YOUNG, saved=["t1.txt"], project="q")
    over = home.trash / "20200101T000000Z" / "projects" / "p"
    over.mkdir(parents=True)
    aged(_written(over / "eeee0000.jsonl"), OLD)
    return home


def _written(path: Path) -> Path:
    path.write_text("over")
    return path


class _Swapper(threading.Thread):
    """Puts a link in the place of a folder, and the folder back, over and over; while `paused` is held, all is back."""

    def __init__(self, home: Path, outside: Path, chance: random.Random) -> None:
        super().__init__(daemon=True)
        self.paused = threading.Lock()
        self.swaps = 0
        self._home, self._outside, self._chance = home, outside, chance
        self._ending = threading.Event()

    def run(self) -> None:
        while not self._ending.is_set():
            with self.paused:
                self._swap(self._chance.choice(SWAPPED))
            self._ending.wait(self._chance.random() * LONGEST)

    def stop(self) -> None:
        self._ending.set()
        self.join()

    def _swap(self, name: str) -> None:
        path, aside = self._home / name, self._home / "aside"
        with suppress(OSError):
            os.rename(path, aside)
            try:
                os.symlink(self._outside / name, path)
                self.swaps += 1
                self._ending.wait(self._chance.random() * LONGEST)
                os.unlink(path)
            finally:
                os.rename(aside, path)
