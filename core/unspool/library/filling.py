"""Completing a summary by reading the session whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from unspool.dataclass import dataclass, replace
from unspool.errors import SourceChanged, Unreadable, UnspoolError
from unspool.formats.piece import ToolPart
from unspool.ids import EvidenceId, SessionRef
from unspool.library.glance import prompt_of
from unspool.library.listing import one_line, project_of
from unspool.views.filter import Filter
from unspool.views.view import SessionView

if TYPE_CHECKING:
    from unspool.library.elders import Elders
    from unspool.library.summary import SessionSummary

Views = Callable[[SessionRef], SessionView]


class Calls:
    """The calls of the sessions that have started others, each read once."""

    def __init__(self, views: Views) -> None:
        self._views = views
        self._known: dict[SessionRef, _OfOne] = {}

    def note(self, summary: SessionSummary, view: SessionView) -> None:
        """Keep the calls of a session that is open, if others will ask for them."""
        if summary.children:
            self._known[summary.ref] = _OfOne.of(view)

    def call_of(self, summary: SessionSummary) -> tuple[EvidenceId | None, str | None]:
        """Return the piece and the id of the call that started a subagent, as its own note or its parent tells."""
        if summary.parent is None:
            return None, summary.call_id
        calls = self._calls(summary.parent)
        joined = calls.joined.get(summary.part or summary.session_id)
        known = [call for call in (summary.call_id, joined) if call is not None and call in calls.pieces]
        return (calls.pieces[known[0]], known[0]) if known else (None, summary.call_id or joined)

    def _calls(self, parent: SessionRef) -> _OfOne:
        if parent not in self._known:
            try:
                view = self._views(parent)
            except UnspoolError:
                return _OfOne({}, {})
            self._known[parent] = _OfOne.of(view)
            view.close()
        return self._known[parent]


@dataclass(frozen=True, slots=True)
class _OfOne:
    """The calls of one session by id, and which of them started whom."""

    pieces: Mapping[str, EvidenceId]
    joined: Mapping[str, str]

    @classmethod
    def of(cls, view: SessionView) -> _OfOne:
        rows = (row for row in reversed(range(view.rows)) if view.tool_part(row) == ToolPart.INPUT)
        return cls({call: view.id(row) for row in rows if (call := view.call_id(row))}, view.facts.joined_calls)


def filled(summary: SessionSummary, views: Views, calls: Calls, elders: Elders) -> SessionSummary:
    """Return the summary with everything that a whole read tells.

    A session that cannot be read stays as it is, but for its `fault`.
    """
    try:
        view = views(summary.ref)
    except Unreadable as error:
        return replace(summary, fault=str(error))
    try:
        facts = view.facts
        calls.note(summary, view)
        call, call_id = calls.call_of(summary)
        explicit = facts.title or facts.generated_title
        return replace(
            summary,
            title=one_line(explicit) or summary.title or one_line(prompt_of(facts, summary.session_id, summary.part)),
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
            forked_from=summary.forked_from or (elders.origin(view) if summary.parent is None else None),
            call=call,
            call_id=call_id,
        )
    except SourceChanged:
        return summary
    finally:
        view.close()


def _spoken(view: SessionView) -> bool:
    counts = view.counts
    return bool(counts.total - counts.system)
