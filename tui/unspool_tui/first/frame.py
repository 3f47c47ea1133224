"""Showing the first frame, whatever the app will begin with; where that cannot be done, the app begins without."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from unspool.errors import UnspoolError
from unspool_tui.first.paint import Look, colours_of, painted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unspool.follow.tail import Tail
    from unspool.library import Library
    from unspool_tui.held import Held
    from unspool_tui.settings.effective import Settings

NEWEST: Final = 100
"""Sessions that are listed before all are known: more than any screen has rows."""

HEAD_BYTES: Final = 262_144
"""Bytes read of a session before it is shown: some screenfuls of its rows, and no time."""


def look_of(settings: Settings, environ: Mapping[str, str]) -> Look:
    """Return how the app will draw."""
    theme = "unspool-dark" if settings.dark else "unspool-light"
    return Look(theme, bool(environ.get("NO_COLOR")), settings.ascii, settings.encoding, colours_of(environ))


class Begun(NamedTuple):
    """A session of which the beginning is shown: its tail, and whether that has only a part of it so far."""

    tail: Tail
    part: bool


def show_list(held: Held, library: Library, look: Look, begin: str) -> None:
    """Show the sessions that were written last, the cursor on `begin` if it is among them.

    The terminal stays untouched where there is none, or none can be looked at: the app says why.
    """
    from unspool_tui.first.session_rows import session_rows

    try:
        newest = library.newest(NEWEST)
        if all(summary.empty for summary in newest):
            return
        here, now = os.getcwd(), time.time_ns() // 1_000_000
        rows = tuple(session_rows(newest, held.size, now, None, here=here, begin=begin))
        held.take()
        held.write(painted(rows, look))
    except (UnspoolError, OSError):
        return


def show_session(held: Held, library: Library, target: str, look: Look) -> Begun | None:
    """Show the beginning of a session, and return the tail that goes on from there.

    `None`, with the terminal untouched, for what has no such beginning or cannot be read: the app says why.
    """
    from unspool_tui.first.browse_rows import browse_rows

    try:
        found = library.resolve_target(target)
        if found.place is not None:
            return None
        tail = library.head(found, HEAD_BYTES)
        if tail is None:
            return None
        rows = tuple(browse_rows(tail.view, held.size, time.time_ns() // 1_000_000, None))
        held.take()
        held.write(painted(rows, look))
    except (UnspoolError, OSError):
        return None
    return Begun(tail, tail.view.size < os.path.getsize(tail.path))
