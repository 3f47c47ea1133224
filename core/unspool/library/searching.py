"""Searching many sessions: the newest first, and a copied piece once, in the oldest session that holds it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from unspool.errors import NotFound, SourceChanged, Unreadable
from unspool.formats.base import Flag
from unspool.ids import EvidenceId, SessionRef
from unspool.library.elders import Elders
from unspool.library.summary import SessionSummary
from unspool.search.needle import Case
from unspool.views.filter import Filter
from unspool.views.hits import SearchResult
from unspool.views.view import SEARCH_FILTER, SessionView

Key = tuple[object, ...]
"""What a piece and a copy of it have in common."""


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
    """One search over many sessions; `elders` knows the older ones that a session may share pieces with.

    A piece is left out only when an older session that is searched too matches with the same text, kind and id: no hit
    is ever lost.
    """

    def __init__(
        self,
        question: Question,
        summaries: Sequence[SessionSummary],
        elders: Elders | None,
        open_view: Callable[[SessionRef], SessionView],
    ) -> None:
        self.question = question
        self.elders = elders
        self.open_view = open_view
        self.left = deque(summaries)
        """The sessions that are still to be searched; one that was begun is not among them."""
        self.faults: list[Unreadable | SourceChanged | NotFound] = []
        """Why sessions could not be searched."""
        self._among = frozenset(summary.ref for summary in summaries)
        self._keys: dict[SessionRef, Counter[Key]] = {}

    def begin_at(self, ref: str) -> bool:
        """Pass by the sessions before one; say whether it is there."""
        at = next((at for at, summary in enumerate(self.left) if str(summary.ref) == ref), None)
        for _ in range(at or 0):
            self.left.popleft()
        return at is not None

    def hits(self, limit: int, after: str | None = None) -> Iterator[SessionHits]:
        """Yield session after session; `after` goes on inside the first, `limit` counts hits over all.

        Ends behind the session in which the limit is reached; sessions without hits are yielded too.
        """
        wanted = limit
        while wanted > 0 and self.left and not (self.question.cancelled is not None and self.question.cancelled()):
            summary = self.left.popleft()
            try:
                found = self._session(summary, wanted, after)
            except (Unreadable, SourceChanged, NotFound) as error:
                self.faults.append(error)
            else:
                wanted -= len(found.result.hits)
                yield found
            after = None

    def _session(self, summary: SessionSummary, limit: int, after: str | None) -> SessionHits:
        view = self.open_view(summary.ref)
        try:
            result = self._search(view, self.question.filter, limit, after)
            own, copies = self._own(view) if result.total and self.elders is not None else (None, 0)
            if own:
                narrowed = self._search(view, self.question.filter.with_(ids=own), limit, after)
                result = replace(narrowed, searched=result.searched)
            elif own is not None:
                result = replace(result, hits=(), total=0, next=None)
        finally:
            view.close()
        return SessionHits(summary, result, copies)

    def _search(self, view: SessionView, filter: Filter, limit: int, after: str | None) -> SearchResult:
        question = self.question
        return view.search(
            question.query,
            filter,
            limit=limit,
            after=after,
            case=question.case,
            raw=question.raw,
            cancelled=question.cancelled,
        )

    def _own(self, view: SessionView) -> tuple[frozenset[EvidenceId] | None, int]:
        """Return the matching pieces that no older session holds, `None` for all of them, and how many these hold."""
        assert self.elders is not None
        known, contemporaries = self.elders.known(view.ref), self.elders.contemporaries(view)
        if self._among.isdisjoint(known) and self._among.isdisjoint(contemporaries):
            return None, 0
        matching = [row for row, _ in self._matching(view)]
        held: Counter[Key] = Counter()
        for ref in [*known, *self.elders.holding(view, matching, self._among)]:
            if ref in self._among:
                held |= self._keys_of(ref)
        own = frozenset(view.id(row) for row in matching if not _taken(view, row, held))
        copies = len(matching) - len(own)
        return (own if copies else None), copies

    def _keys_of(self, ref: SessionRef) -> Counter[Key]:
        """Count what the matching pieces of a session can be told by; read once."""
        if ref not in self._keys:
            self._keys[ref] = self._read_keys(ref)
        return self._keys[ref]

    def _read_keys(self, ref: SessionRef) -> Counter[Key]:
        try:
            view = self.open_view(ref)
        except (Unreadable, NotFound):
            return Counter()
        try:
            return Counter(key for row, _ in self._matching(view) for key in _keys(view, row))
        except SourceChanged:
            return Counter()
        finally:
            view.close()

    def _matching(self, view: SessionView) -> Iterator[tuple[int, int]]:
        question = self.question
        return view.search_rows(question.query, question.filter, case=question.case, cancelled=question.cancelled)


def _taken(view: SessionView, row: int, held: Counter[Key]) -> bool:
    """Say whether an older session holds a piece, and count it off: what it holds once is no copy of two.

    A piece is told by its id; without one by its time, or by its text alone where it is known to be a copy.
    """
    if not held:
        return False
    by_id, by_time, by_text = keys = _keys(view, row)
    if view.native_id(row) is not None:
        key = by_id
    else:
        key = by_text if Flag.INHERITED in view.flags(row) or view.ref.copy > 1 else by_time
    if held[key] <= 0:
        return False
    held.subtract(keys)
    return True


def _keys(view: SessionView, row: int) -> tuple[Key, Key, Key]:
    """Return what a copy of a piece shares with it: the agent's own id, the time, or else the text alone.

    The text is what the model saw: a copy may have lost the file of its full output.
    """
    said = (view.kind(row), view.tool_part(row), view.call_id(row), view.digest(row, model_view=True))
    native, time = view.native_id(row), view.time(row)
    by_id = ("id", native, view.id(row).piece, *said) if native is not None else ("no id", view.ref, row)
    by_time = ("time", time, *said) if time is not None else ("no time", view.ref, row)
    return by_id, by_time, ("text", *said)
