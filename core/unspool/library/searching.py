"""Searching many sessions: the newest first, and a copied piece once, in the oldest session that holds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from unspool.errors import SourceChanged, Unreadable
from unspool.formats.base import Flag
from unspool.ids import SessionRef
from unspool.library.summary import SessionSummary
from unspool.search.needle import Case
from unspool.views.filter import Filter
from unspool.views.hits import SearchResult
from unspool.views.view import SEARCH_FILTER, SessionView

Key = tuple[object, ...]
"""What two copies of one piece have in common."""


@dataclass(frozen=True, slots=True)
class SessionHits:
    """The hits of one session; `copies` counts pieces left out because an older session holds them."""

    summary: SessionSummary
    result: SearchResult
    copies: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for, and how."""

    query: str
    filter: Filter = SEARCH_FILTER
    case: Case = "ignore"
    raw: bool = False
    cancelled: Callable[[], bool] | None = None


class Searching:
    """One search over many sessions. `elders` names the older sessions that a session may share pieces with."""

    def __init__(
        self,
        question: Question,
        summaries: Sequence[SessionSummary],
        elders: Callable[[SessionSummary], Sequence[SessionRef]],
        open_view: Callable[[SessionRef], SessionView],
    ) -> None:
        self.question = question
        self.summaries = summaries
        self.elders = elders
        self.open_view = open_view
        self.faults: list[str] = []
        """Sessions that could not be searched, one line each."""
        self._searched = {summary.ref for summary in summaries}
        self._keys: dict[SessionRef, frozenset[Key]] = {}

    def hits(self, limit: int, after: str | None = None) -> Iterator[SessionHits]:
        """Yield session after session; `after` goes on inside the first, `limit` counts hits over all.

        Ends behind the session in which the limit is reached; sessions without hits are yielded too.
        """
        left = limit
        for summary in self.summaries:
            if left <= 0 or (self.question.cancelled is not None and self.question.cancelled()):
                return
            try:
                found = self._session(summary, left, after)
            except (Unreadable, SourceChanged) as error:
                self.faults.append(str(error))
                continue
            after = None
            left -= len(found.result.hits)
            yield found

    def _session(self, summary: SessionSummary, limit: int, after: str | None) -> SessionHits:
        question, filter = self.question, self.question.filter
        view = self.open_view(summary.ref)
        try:
            older = [ref for ref in self.elders(summary) if ref in self._searched and ref != summary.ref]
            copies = 0
            if older:
                filter, copies = self._without_copies(view, older)
            result = view.search(
                question.query,
                filter,
                limit=limit,
                after=after,
                case=question.case,
                raw=question.raw,
                cancelled=question.cancelled,
            )
        finally:
            view.close()
        return SessionHits(summary, result, copies)

    def _without_copies(self, view: SessionView, older: Sequence[SessionRef]) -> tuple[Filter, int]:
        """Return the filter narrowed to matching pieces that no older session holds, and how many these hold."""
        held: set[Key] = set()
        for ref in older:
            held |= self._keys_of(ref)
        matching = [row for row, _ in self._matching(view)]
        own = [row for row in matching if not held & _copied_keys(view, row)]
        if len(own) == len(matching):
            return self.question.filter, 0
        return self.question.filter.with_(ids=frozenset(view.id(row) for row in own)), len(matching) - len(own)

    def _keys_of(self, ref: SessionRef) -> frozenset[Key]:
        """Return what the matching pieces of a session can be told by; read once."""
        if ref not in self._keys:
            try:
                view = self.open_view(ref)
            except Unreadable:
                return frozenset()
            try:
                self._keys[ref] = frozenset(key for row, _ in self._matching(view) for key in _keys(view, row))
            except SourceChanged:
                return frozenset()
            finally:
                view.close()
        return self._keys[ref]

    def _matching(self, view: SessionView) -> Iterator[tuple[int, int]]:
        question = self.question
        return view.search_rows(question.query, question.filter, case=question.case, cancelled=question.cancelled)


def _keys(view: SessionView, row: int) -> set[Key]:
    """Return what a copy of a piece shares with it: the agent's own id where there is one, and its shape."""
    native = view.evidence_at(row).native_id
    shape = (view.kind(row), view.tool_part(row), view.bytes(row), view.call_id(row))
    return {shape} if native is None else {shape, (native, view.id(row).piece)}


def _copied_keys(view: SessionView, row: int) -> set[Key]:
    """Return what tells that a piece is a copy: its id; its shape only where it is known to be copied."""
    native = view.evidence_at(row).native_id
    if native is not None:
        return {(native, view.id(row).piece)}
    copied = Flag.INHERITED in view.flags(row) or view.ref.copy > 1
    return _keys(view, row) if copied else set()
