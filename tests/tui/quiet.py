"""Waits until an app has nothing left to do, by looking at what it still has to do and never at a clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Final

from textual._context import visible_screen_stack
from textual.app import App
from textual.message_pump import MessagePump
from textual.pilot import Pilot

PATIENCE: Final = 60
"""Seconds after which something that is still to be done is a fault."""

LOOK: Final = 0.004
"""Seconds that threads and timers get between two looks."""

SOON: Final = 1.0
"""Seconds; a timer that is longer is not waited for: it takes away what was to be read meanwhile."""

LOOKS: Final = 2
"""Looks in a row that must find nothing: what one part posts to the next is seen by the next look."""


async def quiet(pilot: Pilot[int]) -> None:
    """Wait until no question is open, no timer is about to go off, no message waits, and all is drawn."""
    end, calm = time.monotonic() + PATIENCE, 0
    while calm < LOOKS and pilot.app.is_running:
        assert time.monotonic() < end, list(left_to_do(pilot.app))
        pilot.app.screen._on_timer_update()
        if any(left_to_do(pilot.app)):
            calm = 0
            await asyncio.sleep(LOOK)
        else:
            calm += 1
            draw(pilot.app)
            await pilot._wait_for_screen()


def draw(app: App[int]) -> None:
    """Draw all: a row that is drawn for the first time asks for what it does not know; a card lies on what is below."""
    visible_screen_stack.set(app._background_screens)
    app.screen._compositor.render_strips()


def left_to_do(app: App[int]) -> Iterator[str]:
    """Yield what an app still has to do."""
    yield from (f"worker {worker.name}" for worker in app.workers if not worker.is_finished)
    if app.animator._animations or app.animator._scheduled:
        yield "an animation"
    screen = app.screen
    if screen._layout_required or screen._dirty_widgets or screen._callbacks:
        yield "drawing"
    for pump in _pumps(app):
        if pump.message_queue_size or pump._next_callbacks:
            yield f"messages of {pump}"
        for timer in pump._timers:
            once = timer._repeat is not None and timer._interval <= SOON
            if once and timer._task is not None and not timer._task.done():
                yield f"{timer.name} of {pump}"


def _pumps(app: App[int]) -> Iterator[MessagePump]:
    yield app
    for screen in app.screen_stack:
        yield from screen.walk_children(with_self=True)
