"""Driving the app: press keys, wait until all is quiet, read the screen as text and as styled cells."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rich.style import Style
from textual.app import App
from textual.pilot import Pilot
from textual.strip import Strip

QUIET = 0.15
"""Seconds without a running worker before the screen counts as settled: longer than every delay of the app's own."""

PATIENCE = 60
"""Seconds after which a worker that still runs is a fault."""

LOOK = 0.03
"""Seconds between two looks."""


async def settle(pilot: Pilot[int]) -> None:
    """Wait until nothing is asked for and nothing is left to draw."""
    quiet, end = 0.0, time.monotonic() + PATIENCE
    while quiet < QUIET:
        assert time.monotonic() < end, [worker.name for worker in pilot.app.workers if worker.is_running]
        await pilot.pause(LOOK)
        quiet = 0.0 if any(worker.is_running for worker in pilot.app.workers) else quiet + LOOK
    await pilot.pause()


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys, and wait until what they lead to is drawn."""
    await pilot.press(*keys)
    await settle(pilot)


@dataclass(frozen=True)
class Cell:
    """One cell of the screen."""

    text: str
    style: Style


class Grid:
    """What the screen shows: `grid[y]` is a row as text, `cells(y)` the cells of it."""

    def __init__(self, app: App[int]) -> None:
        self._strips: list[Strip] = app.screen._compositor.render_strips()

    def __getitem__(self, y: int) -> str:
        return self._strips[y].text if self._strips else ""  # a screen that is not laid out yet shows nothing

    def __iter__(self) -> Iterator[str]:
        return (strip.text for strip in self._strips)

    def __str__(self) -> str:
        return "\n".join(self)

    def cells(self, y: int) -> list[Cell]:
        """Return the characters of a row with their styles."""
        return [Cell(sign, style or Style()) for text, style, _ in self._strips[y] for sign in text]

    def row_of(self, words: str) -> int:
        """Return the first row that holds the words."""
        return next(y for y, text in enumerate(self) if words in text)

    def has(self, words: str) -> bool:
        """Say whether the words stand somewhere on the screen."""
        return any(words in text for text in self)


async def until(pilot: Pilot[int], seen: Callable[[Grid], object]) -> Grid:
    """Wait until the screen shows something; return it."""
    end = time.monotonic() + PATIENCE
    while not seen(grid := Grid(pilot.app)):
        assert time.monotonic() < end, f"not seen on:\n{grid}"
        await pilot.pause(LOOK)
    return grid
