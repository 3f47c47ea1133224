"""Showing the first frame, whatever the app will begin with; where that cannot be done, the app begins without."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from unspool.named_tuple import NamedTuple
from unspool_tui.first.paint import Look, Patch, colours_of, painted
from unspool_tui.settings.looks import foreign_encoding, is_ascii, is_dark
from unspool_tui.settings.memory import recall
from unspool_tui.settings.place import home_of, settings_path, state_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unspool.follow.tail import Tail
    from unspool.library import Library
    from unspool.views.view import SessionView
    from unspool_tui.held import Held
    from unspool_tui.settings.effective import Settings

NEWEST: Final = 100
"""Sessions that are listed before all are known: more than any screen has rows."""

HEAD_BYTES: Final = 262_144
"""Bytes read of a session before it is shown: some screenfuls of its rows, and no time."""

LINES_A_ROW: Final = 2
"""Lines read of a file for each row of the list before anything is shown: agents keep books between what is listed."""

SMALLEST: Final = (20, 8)
"""Columns and rows below which nothing is laid out before the app does it."""


class Begun(NamedTuple):
    """A session of which the beginning is shown: its tail, and whether that has only a part of it so far."""

    tail: Tail
    part: bool


def look_of(settings: Settings, environ: Mapping[str, str]) -> Look:
    """Return how the app will draw."""
    return _look(environ, dark=settings.dark, twins=settings.ascii, encoding=settings.encoding)


def look_at_once(environ: Mapping[str, str], encoding: str | None) -> Look | None:
    """Return how the app will draw where nobody has set anything, `None` where a file or a variable may say otherwise.

    `encoding` is that of the terminal.
    """
    home = home_of(environ)
    if environ.get("UNSPOOL_THEME") or environ.get("UNSPOOL_MARKS") or os.path.lexists(settings_path(environ, home)):
        return None
    foreign = foreign_encoding(encoding)
    dark = is_dark(recall(state_path(environ, home)).theme or "auto", environ)
    return _look(environ, dark=dark, twins=is_ascii("auto", foreign, environ), encoding=foreign)


def show_file(held: Held, path: str, look: Look) -> SessionView | None:
    """Show the beginning of the session in a file, before anything else is imported or looked at; return it.

    The terminal stays untouched for a file that has no such beginning.
    """
    view: SessionView | None = None

    def begun() -> Iterable[Patch] | None:
        from unspool.views.glimpse import glimpse
        from unspool_tui.first.browse_rows import browse_rows, listed

        nonlocal view
        view = glimpse(path, HEAD_BYTES, LINES_A_ROW * listed(held.size))
        return None if view is None else browse_rows(view, held.size, _now(), None)

    return view if _show(held, look, begun) else None


def show_list(held: Held, library: Library, look: Look, begin: str) -> None:
    """Show the sessions that were written last, the cursor on `begin` if it is among them.

    The terminal stays untouched where there is none, or none can be looked at: the app says why.
    """

    def begun() -> Iterable[Patch] | None:
        from unspool_tui.first.session_rows import session_rows

        newest = library.newest(NEWEST)
        if all(summary.empty for summary in newest):
            return None
        return session_rows(newest, held.size, _now(), None, here=os.getcwd(), begin=begin)

    _show(held, look, begun)


def show_session(
    held: Held, library: Library, target: str, look: Look, seen: SessionView | None = None
) -> Begun | None:
    """Show the beginning of a session, unless it was `seen` already, and return the tail that goes on from there.

    `None`, with the terminal untouched, for what has no such beginning or cannot be read: the app says why.
    """
    tail: Tail | None = None

    def begun() -> Iterable[Patch] | None:
        from unspool_tui.first.browse_rows import browse_rows

        nonlocal tail
        found = library.resolve_target(target)
        tail = library.head(found, HEAD_BYTES, seen) if found.place is None else None
        return None if tail is None else browse_rows(tail.view, held.size, _now(), None)

    if not _show(held, look, begun) or tail is None:
        return None
    return Begun(tail, tail.view.size < os.stat(tail.path).st_size)


def _show(held: Held, look: Look, begin: Callable[[], Iterable[Patch] | None]) -> bool:
    """Show some rows, if there are any and none are shown yet; say whether there are any."""
    try:
        width, height = held.size
        rows = begin() if width >= SMALLEST[0] and height >= SMALLEST[1] else None
        if rows is None:
            return False
        if not held.taken:
            drawn = painted(rows, look)
            held.take()
            held.write(drawn, look.encoding)
    except Exception:  # noqa: BLE001 - the first frame's border: whatever it was, the app meets it too and tells it
        return False
    return True


def _look(environ: Mapping[str, str], *, dark: bool, twins: bool, encoding: str | None) -> Look:
    theme = "unspool-dark" if dark else "unspool-light"
    return Look(theme, bool(environ.get("NO_COLOR")), twins, encoding, colours_of(environ))


def _now() -> int:
    return time.time_ns() // 1_000_000
