"""The sessions that a search looks into: the files of one session, those of several, or all that were listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unspool.ids import SessionRef
from unspool.library.summary import SessionSummary

if TYPE_CHECKING:
    from unspool.library.finding import Finder
    from unspool.library.listing import Listing


def files_of(ref: SessionRef, finder: Finder) -> list[SessionSummary]:
    """Return what the paths alone tell of a session's files: looking at all others would take longer than the search.

    Raises `NotFound`.
    """
    return [_known(part, finder) for part in _parts(ref, finder)]


def listed_files(
    refs: Sequence[SessionRef] | None, finder: Finder, listing: Listing, *, raw: bool
) -> list[SessionSummary]:
    """Return the files of some listed sessions, or of all in which pieces are, or (`raw`) any lines.

    Raises `NotFound`.
    """
    wanted = None if refs is None else {part for ref in refs for part in _parts(ref, finder)}
    return [
        each
        for summary in listing.summaries()
        for each in listing.parts_of(summary)
        if (raw or not each.empty if wanted is None else each.ref in wanted)
    ]


def _parts(ref: SessionRef, finder: Finder) -> list[SessionRef]:
    return [each.ref for each in finder.file(ref).each]


def _known(ref: SessionRef, finder: Finder) -> SessionSummary:
    source = finder.file(ref).source
    parent = SessionRef(ref.agent, *source.parent, copy=ref.copy) if source.parent else None
    return SessionSummary(ref, ref.agent, ref.session_id, ref.part, source.path, source.size, parent=parent)
