"""Searching many sessions: the newest first, and a copied piece once, in the oldest session that holds it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, replace
from unspool.errors import NotFound, SourceChanged, Unreadable
from unspool.formats.piece import Flag
from unspool.views.hits import Searched, SearchResult
from unspool.views.view import SEARCH_FILTER, SessionView

if TYPE_CHECKING:
    from unspool.ids import EvidenceId, SessionRef
    from unspool.library.elders import Elders
    from unspool.library.summary import SessionSummary
    from unspool.search.needle import Case
    from unspool.views.filter import Filter

NEAR_ROWS: Final = 8
"""Pieces looked at on either side of one without an id: what agents write without one stands alone."""

Key = tuple[object, ...]
"""What a piece and a copy of it have in common."""


@dataclass(frozen=True, slots=True)
class SessionHits:
    """The hits of one session; `copies` counts pieces left out because an older session holds them.

    Those that are `early` are of its newest lines alone, told before all of it is read; all of its hits follow.
    """

    summary: SessionSummary
    result: SearchResult
    copies: int = 0
    early: bool = False


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

    `excluded` returns the bytes of a session in which nothing can match, `None` for those that have to be opened;
    `open_end` a view of the newest lines of one that takes long to be opened, `None` for others. `ended` is called when
    nobody asks for more.
    A piece is left out only when an older session that is searched too matches with the same text, kind and id: no hit
    is ever lost.
    """

    def __init__(
        self,
        question: Question,
        summaries: Sequence[SessionSummary],
        elders: Elders | None,
        open_view: Callable[[SessionRef], SessionView],
        excluded: Callable[[SessionRef], int | None] = lambda ref: None,
        open_end: Callable[[SessionRef], SessionView | None] = lambda ref: None,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        self.question = question
        self.elders = elders
        self.open_view = open_view
        self.excluded = excluded
        self.open_end = open_end
        self.ended = ended
        self.left = deque(summaries)
        """The sessions that are still to be searched; one that was begun is not among them."""
        self.faults: list[Unreadable | SourceChanged | NotFound] = []
        """Why sessions could not be searched."""
        self._among = frozenset(summary.ref for summary in summaries)
        self._keys: dict[SessionRef, Counter[Key]] = {}

    def begin_at(self, ref: str, time: int | None) -> bool:
        """Pass by the sessions before one whose last activity was at a time; say whether there is something left of it.

        One that is no longer there or has changed since does not stand where it stood: then the sessions up to that
        time are passed by, and it comes first.
        """
        at = next((at for at, summary in enumerate(self.left) if str(summary.ref) == ref), None)
        here = None if at is None else self.left[at]
        if time is not None and (here is None or here.last_activity != time):
            at = self._place_of(time)
        if at is None:
            return False
        self.left = deque(summary for summary in islice(self.left, at, None) if summary is not here)
        if here is not None:
            self.left.appendleft(here)
        return True

    def _place_of(self, time: int) -> int:
        """Return how many sessions, with those that they called, were at work after a time; the newest stand first."""
        begun, newest = 0, 0
        for at, summary in enumerate(self.left):
            if summary.parent not in self._among:
                if at and newest <= time:
                    return begun
                begun, newest = at, 0
            newest = max(newest, summary.last_activity or 0)
        return begun if newest <= time else len(self.left)

    def hits(self, limit: int, after: str | None = None, *, hurried: bool = False) -> Iterator[SessionHits]:
        """Yield session after session; `after` goes on inside the first, `limit` counts hits over all.

        Ends behind the session in which the limit is reached; sessions without hits are yielded too. When `hurried`,
        what the newest lines of a long session hold is yielded before it is read; these hits count for nothing else.
        """
        try:
            yield from self._hits(limit, after, hurried)
        finally:
            self.ended()

    def _hits(self, limit: int, after: str | None, hurried: bool) -> Iterator[SessionHits]:
        wanted = limit
        while wanted > 0 and self.left and not self._is_cancelled():
            summary = self.left.popleft()
            try:
                found = self._excluded(summary) if after is None else None
                if found is None and self._is_cancelled():
                    self.left.appendleft(summary)
                    return
                early = self._early(summary, wanted) if hurried and found is None and after is None else None
                if early is not None:
                    yield early
                found = found or self._session(summary, wanted, after)
            except (Unreadable, SourceChanged, NotFound) as error:
                self.faults.append(error)
            else:
                wanted -= len(found.result.hits)
                yield found
            after = None

    def _is_cancelled(self) -> bool:
        return self.question.cancelled is not None and self.question.cancelled()

    def _excluded(self, summary: SessionSummary) -> SessionHits | None:
        """Return that nothing matches in a session, without reading it; `None` where only reading it tells."""
        size = self.excluded(summary.ref) if summary.fault is None else None
        return None if size is None else SessionHits(summary, SearchResult((), 0, True, None, Searched(0, size), {}))

    def _early(self, summary: SessionSummary, limit: int) -> SessionHits | None:
        """Search the newest lines of a session that takes long to be opened; what hinders that is told when it is."""
        try:
            view = self.open_end(summary.ref)
            if view is None:
                return None
            with closing(view):
                return SessionHits(summary, self._search(view, self.question.filter, limit, None), early=True)
        except (Unreadable, SourceChanged, NotFound):
            return None

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
        older = [*(ref for ref in known if ref in self._among), *self.elders.holding(view, matching, self._among)]
        held = _Held(partial(self.elders.mentioned, older))
        for ref in older:
            held.add(self._keys_of(ref), doubled=ref.session_id == view.ref.session_id)
        own = frozenset(view.id(row) for row in matching if not held.takes(view, row))
        copies = len(matching) - len(own)
        return (own if copies else None), copies

    def _keys_of(self, ref: SessionRef) -> Counter[Key]:
        """Count what the matching pieces of a session can be told by; read once."""
        if ref not in self._keys:
            self._keys[ref] = self._read_keys(ref)
        return self._keys[ref]

    def _read_keys(self, ref: SessionRef) -> Counter[Key]:
        try:
            if self.excluded(ref) is not None:
                return Counter()
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


class _Held:
    """What older sessions hold, as often as the one of them that holds it most; `doubled`: those with the same id."""

    def __init__(self, mentioned: Callable[[str], bool]) -> None:
        self.mentioned = mentioned
        self.all: Counter[Key] = Counter()
        self.doubled: Counter[Key] = Counter()

    def add(self, keys: Counter[Key], *, doubled: bool) -> None:
        """Add what one session holds."""
        self.all |= keys
        if doubled:
            self.doubled |= keys

    def takes(self, view: SessionView, row: int) -> bool:
        """Say whether a piece is held, and count it off: what is held once is no copy of two.

        A piece is told by its id; without one by its text alone where it is known to be a copy, else by its text and
        its time, if it stands among copies.
        """
        if not self.all:
            return False
        by_id, by_time, by_text = keys = _keys(view, row)
        if view.native_id(row) is not None:
            found = self.all[by_id] > 0
        elif Flag.INHERITED in view.flags(row):
            found = self.all[by_text] > 0
        else:
            found = self.doubled[by_text] > 0 or (self.all[by_time] > 0 and self._is_among_copies(view, row))
        if found:
            self.all.subtract(keys)
            self.doubled.subtract(keys)
        return found

    def _is_among_copies(self, view: SessionView, row: int) -> bool:
        """Say whether the next piece before or behind that has an id is a copy."""
        near = [*range(row - 1, max(-1, row - NEAR_ROWS), -1), *range(row + 1, min(view.rows, row + NEAR_ROWS))]
        named = next((native for each in near if (native := view.native_id(each)) is not None), None)
        return named is not None and self.mentioned(named)


def _keys(view: SessionView, row: int) -> tuple[Key, Key, Key]:
    """Return what a copy of a piece shares with it: the agent's own id, the time, or else the text alone.

    The text is what the model saw: a copy may have lost the file of its full output.
    """
    said = (view.kind(row), view.tool_part(row), view.call_id(row), view.digest(row, model_view=True))
    native, time = view.native_id(row), view.time(row)
    by_id = ("id", native, view.id(row).piece, *said) if native is not None else ("no id", view.ref, row)
    by_time = ("time", time, *said) if time is not None else ("no time", view.ref, row)
    return by_id, by_time, ("text", *said)
