"""Resolving a quote wherever its session lies now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool.errors import BadReference, NotFound, Unreadable
from unspool.ids import EntryRange, Reference
from unspool.views.resolving import gone

if TYPE_CHECKING:
    from unspool.library.facade import Library
    from unspool.library.targets import Target
    from unspool.views.anchor import SourceAnchor


def resolve_quote(library: Library, text: str, within: EntryRange | None) -> SourceAnchor:
    """Return the anchor of a target's piece; a well-formed reference whose session is not there is `source gone`.

    What was quoted of a session in parts is looked for in all of them, the newest first.
    """
    try:
        target = library.resolve_target(text)
        view = library.view(target)
    except (NotFound, Unreadable):
        quoted = _reference(text)
        if quoted is None or within is not None:
            raise
        return gone(quoted.session, quoted.target)
    try:
        place = within or library.place(target, view)
        if place is None:
            raise BadReference(f"nothing to resolve is named: write {text}/E12.1 or add --in E1-E9", text=text)
        anchor = view.resolve(Reference(view.ref, place, *_quote_of(target)))
        return anchor if anchor.state in ("intact", "unverified") else _elsewhere(library, target, place) or anchor
    finally:
        view.close()


def _elsewhere(library: Library, target: Target, place: EntryRange) -> SourceAnchor | None:
    """Return the anchor in an older part of the session, `None` when none of them holds what was quoted."""
    for part in reversed(library.parts(target)[:-1]):
        view = library.view(part)
        anchor = view.resolve(Reference(part, place, *_quote_of(target)))
        view.close()
        if anchor.state == "intact":
            return anchor
    return None


def _quote_of(target: Target) -> tuple[tuple[int, int] | None, str | None]:
    place = target.place
    return (place.lines, place.digest) if place is not None else (None, None)


def _reference(text: str) -> Reference | None:
    """Return the reference that a text is, `None` for other targets."""
    try:
        return Reference.parse(text)
    except BadReference:
        return None
