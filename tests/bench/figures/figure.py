"""A figure: what is measured against what, on which sessions, and what it should be."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, Literal, NamedTuple

from tests.bench.empty_home import EmptyHome
from tests.bench.pairs import Spread, by_turns
from tests.bench.sessions import GB, MB, Density

Unit = Literal["x", "ms", "MB", "%", "bytes a row"]
"""Of a figure: `x` is how many times as much as the yardstick."""

Data = Literal["one", "rollout", "many", "rows", "planted", "own"]
"""One session, one of Codex, a home of many, a session of short pieces, one full of needles, or what the arms write."""

Arms = Mapping[str, Callable[[], float]]
"""What is measured by its name, and its yardstick behind it where there is one; each run gives one value."""

GROWTH: Final = (MB, 10 * MB, 100 * MB, GB)
"""Bytes of the sessions that a figure is taken on, so that its growth shows."""

BOTH: Final[tuple[Density, ...]] = ("heavy", "real")


class Absent(Exception):
    """A yardstick is not installed here, or what is measured is not there yet; says which."""


class Sample(NamedTuple):
    """Where to measure: a file or a home at `path`, and the same of the least size at `least`."""

    density: Density
    size: int
    path: Path
    least: Path
    home: EmptyHome


class Figure(NamedTuple):
    """One row of the results.

    With a yardstick, ours is divided by it where the unit is `x`, else it is taken off. A goal is the most that the
    figure should be at the largest of its sizes, `beside` what it was set for; without one the figure is shown for
    comparison. `quick` is the largest size that a short run takes.
    """

    name: str
    title: str
    beside: str
    arms: Callable[[Sample], AbstractContextManager[Arms]]
    goals: Mapping[Density, float]
    unit: Unit = "x"
    data: Data = "one"
    sizes: tuple[int, ...] = GROWTH
    quick: int = 100 * MB
    densities: tuple[Density, ...] = BOTH

    @property
    def quick_sizes(self) -> tuple[int, ...]:
        """The sizes of a short run: both ends of the growth, as far as it is quick."""
        quick = [each for each in self.sizes if each <= self.quick]
        return tuple(dict.fromkeys((quick[0], quick[-1])))

    def measure(self, sample: Sample, turns: int) -> Reading:
        """Run the arms by turns; raises `Absent`."""
        with self.arms(sample) as arms:
            given = by_turns(turns, *arms.values())
        each = {name: Spread.of(values) for name, values in zip(arms, given, strict=True)}
        return Reading(self, sample.density, sample.size, self._compared(given), each)

    def _compared(self, given: list[list[float]]) -> Spread:
        if len(given) == 1:
            return Spread.of(given[0])
        return (Spread.of_ratios if self.unit == "x" else Spread.of_differences)(*given)


class Reading(NamedTuple):
    """What a figure was on one sample, and what each arm gave."""

    figure: Figure
    density: Density
    size: int
    spread: Spread
    arms: Mapping[str, Spread]

    @property
    def beside(self) -> str:
        """What it was measured beside; empty when it stands alone."""
        return next(iter(list(self.arms)[1:]), "")

    @property
    def goal(self) -> float | None:
        """The most that it should be; `None` without a goal, and beside what merely stands in for the yardstick."""
        return self.figure.goals.get(self.density) if self.beside == self.figure.beside else None

    @property
    def short_by(self) -> float | None:
        """How many times the goal it is, `None` where it holds or there is none."""
        goal = self.goal
        if goal is None or self.spread.median <= goal:
            return None
        return self.spread.median / goal if goal else math.inf


class Missed(NamedTuple):
    """A figure that could not be taken, and why; `broken` when something failed that is there."""

    figure: Figure
    density: Density
    size: int
    why: str
    broken: bool
