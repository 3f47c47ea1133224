"""Where a library looks for sessions, as the screens tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool.stores.discovery import UNKNOWN
from unspool_tui.present.empty_rows import Place

if TYPE_CHECKING:
    from unspool.library.facade import Library


def places_of(library: Library) -> tuple[Place, ...]:
    """Return where was looked for sessions, and what was found there.

    Files that no agent is known to write are no trouble where sessions lie beside them.
    """
    places = []
    for report in library.scanned():
        found = sum(report.found.values())
        told = (error for error in report.errors if not found or error.reason != UNKNOWN)
        agent = report.agent or ", ".join(report.found)
        places.append(Place(agent, report.path, found, report.exists, next(told, None)))
    return tuple(places)
