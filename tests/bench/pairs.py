"""Taking turns: A B A B …, so that what else the machine does hits all that is compared."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Self, TypeVar

_Figure = TypeVar("_Figure")


class Spread(NamedTuple):
    """The median of some figures, between the least and the most of them."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, figures: Sequence[float]) -> Self:
        """Return the spread of one arm's figures, at least one."""
        return cls(statistics.median(figures), min(figures), max(figures))

    @classmethod
    def of_ratios(cls, ours: Sequence[float], theirs: Sequence[float]) -> Self:
        """Return the spread of one arm's figures by another's, turn by turn."""
        return cls.of([one / other for one, other in zip(ours, theirs, strict=True)])

    @classmethod
    def of_differences(cls, ours: Sequence[float], theirs: Sequence[float]) -> Self:
        """Return the spread of what one arm's figures are above another's, turn by turn."""
        return cls.of([one - other for one, other in zip(ours, theirs, strict=True)])


def by_turns(turns: int, *arms: Callable[[], _Figure]) -> list[list[_Figure]]:
    """Run each arm once a turn; return what each of them gave."""
    given = [[arm() for arm in arms] for _ in range(turns)]
    return [list(figures) for figures in zip(*given, strict=True)]


def seconds(ask: Callable[[], object]) -> float:
    """Return the seconds of the wall that a question takes."""
    began = time.perf_counter()
    ask()
    return time.perf_counter() - began
