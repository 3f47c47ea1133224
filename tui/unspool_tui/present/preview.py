"""What a full read tells about a session before it is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool.formats.piece import ToolPart
from unspool.views.filter import Filter
from unspool_tui.present.preview_rows import Preview
from unspool_tui.present.session_row import Details

if TYPE_CHECKING:
    from unspool.views.view import SessionView

ITEMS: Final = 80
"""Texts of the thread that are read: more than any preview has lines for."""


def details_of(view: SessionView) -> Details:
    """Return what the session's row shows."""
    errors = len(view.select(Filter(errors=True)))
    return Details(view.counts.visible, errors, len(view.unreadable))


def preview_of(view: SessionView) -> Preview:
    """Return what the preview shows; reads the thread's beginning and the largest output."""
    outputs = view.select(Filter(tool_part=ToolPart.OUTPUT))
    worst = max(outputs, key=view.bytes, default=None)
    call = None if worst is None else view.peer_row(worst)
    details = details_of(view)
    facts = view.facts
    usage = facts.usage
    return Preview(
        pieces=details.pieces,
        errors=details.errors,
        stored=len(view.select(Filter(stored=True))),
        unreadable=details.unreadable,
        overview=view.overview(ITEMS),
        worst=None if worst is None else view.evidence_at(worst),
        worst_call=None if call is None else view.evidence_at(call),
        models=tuple(sorted(facts.models, key=lambda model: -facts.models[model]))[:1],
        tokens=None if usage is None else usage.input + usage.output + usage.cache_read + usage.cache_write,
        context=_context(facts.context_tokens, facts.context_window),
    )


def _context(used: int | None, window: int | None) -> tuple[int, int] | None:
    return None if used is None else (used, window or 0)
