"""Completing a summary by reading the session whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from unspool.errors import SourceChanged, Unreadable, UnspoolError
from unspool.formats.base import ToolPart
from unspool.ids import EvidenceId, SessionRef
from unspool.library.listing import one_line, project_of
from unspool.library.summary import SessionSummary
from unspool.views.filter import Filter
from unspool.views.view import SessionView

Views = Callable[[SessionRef], SessionView]


def filled(summary: SessionSummary, views: Views, parent: SessionRef | None) -> SessionSummary:
    """Return the summary with everything that a whole read tells; `parent` holds the joining call.

    A session that cannot be read stays as it is.
    """
    try:
        view = views(summary.ref)
    except Unreadable:
        return summary
    try:
        facts = view.facts
        explicit = facts.title or facts.generated_title
        return replace(
            summary,
            title=one_line(explicit) or summary.title or one_line(facts.first_prompt),
            project=summary.project or project_of(facts.cwd),
            cwd=summary.cwd or facts.cwd,
            started_at=view.started_at,
            last_activity=view.last_activity,
            entries=view.entries,
            counts=view.counts,
            errors=len(view.select(Filter(errors=True))),
            stored=len(view.select(Filter(stored=True))),
            unreadable=len({line.line for line in view.unreadable}),
            unreadable_lines=view.unreadable,
            model=summary.model or next(reversed(facts.models), None),
            empty=not _spoken(view),
            call=_call(summary.call_id, views, parent),
        )
    except SourceChanged:
        return summary
    finally:
        view.close()


def _spoken(view: SessionView) -> bool:
    counts = view.counts
    return bool(counts.total - counts.system)


def _call(call_id: str | None, views: Views, parent: SessionRef | None) -> EvidenceId | None:
    """Return the piece of the parent that is the call."""
    if call_id is None or parent is None:
        return None
    try:
        view = views(parent)
    except UnspoolError:
        return None
    try:
        rows = (row for row in range(view.rows) if view.call_id(row) == call_id)
        return next((view.id(row) for row in rows if view.tool_part(row) == ToolPart.INPUT), None)
    finally:
        view.close()
