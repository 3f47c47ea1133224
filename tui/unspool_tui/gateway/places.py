"""Where a library looks for sessions, as the screens tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool_tui.present.empty_rows import Place

if TYPE_CHECKING:
    from unspool.library.facade import Library


def places_of(library: Library) -> tuple[Place, ...]:
    """Return where was looked for sessions, and what was found there."""
    places = []
    for report in library.scanned():
        trouble = report.errors[0] if report.errors else None
        agent = report.agent or ", ".join(report.found)
        places.append(
            Place(agent, report.path, sum(report.found.values()), report.exists, trouble.reason if trouble else None)
        )
    return tuple(places)
