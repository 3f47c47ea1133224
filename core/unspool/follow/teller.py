"""One session that is followed with others: what of it was told, and what is to be told now."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool.errors import SourceChanged, Unreadable
from unspool.follow.events import AnyEvent, EvidenceAdded, Pending, SideFileChanged, WaitingChanged
from unspool.ids import EntryRange

if TYPE_CHECKING:
    from unspool.follow.poll import Known
    from unspool.follow.tail import Tail, Turn
    from unspool.views.filter import Filter

TOLD_AT_ONCE: Final = 1000
"""Pieces that are told of one session with one step, so that whoever hears of them need not hold them all."""


class Teller:
    """The tail of a session, and up to which row its pieces were told.

    Of a line that is being written only what came behind `since` bytes is told.
    """

    def __init__(self, known: Known, tail: Tail, since: int) -> None:
        self.known = known
        self.tail = tail
        self.side_folders = tail.view.side_folders
        """Where its side files are looked for, as of the last look."""
        self._rows = tail.view.row_behind(since)
        self._restored: set[int] = set()
        self._too_much = False
        pending = tail.view.pending
        self._last = [Pending(tail.view.ref, pending)] if pending is not None and pending[1] > since else []

    @property
    def behind(self) -> bool:
        """Whether there are pieces that are still to be told."""
        return self._rows < self.tail.view.rows or bool(self._restored)

    @property
    def has_more(self) -> bool:
        """Whether there was too much to read or to tell at once: it can go on already."""
        return self._too_much or self.tail.has_more

    def told(self, turn: Turn, filter: Filter) -> Iterator[AnyEvent]:
        """Tell what a look found."""
        self._rows = min(self._rows, turn.kept)
        self._restored = {row for row in (*self._restored, *turn.restored) if row < self._rows}
        self._last = [event for event in turn.events if isinstance(event, Pending)]
        yield from (event for event in turn.events if not isinstance(event, Pending))
        yield from self.rest(filter)

    def rest(self, filter: Filter) -> Iterator[AnyEvent]:
        """Tell what was not told; where the file changes meanwhile, or that is too much at once, the next step goes on.

        What is said of its end is said when all before it was told.
        """
        self._too_much = False
        try:
            yield from self._saved()
            yield from self._new(filter)
        except (SourceChanged, Unreadable):
            return
        if not self.behind:
            last, self._last = self._last, []
            yield from last
            yield from self._standing()

    def _saved(self) -> Iterator[AnyEvent]:
        view = self.tail.view
        for row in sorted(self._restored):
            yield SideFileChanged(view.ref, view.evidence_at(row))
            self._restored.discard(row)

    def _new(self, filter: Filter) -> Iterator[AnyEvent]:
        view, start = self.tail.view, self._rows
        if start >= view.rows:
            return
        first = EntryRange(view.id(start).entry, max(view.id(start).entry, view.entries - 1))
        wanted = view.narrowed(first).wanted(filter)
        rows = wanted[bisect_left(wanted, start) :]
        for row in rows[:TOLD_AT_ONCE]:
            yield EvidenceAdded(view.ref, view.evidence_at(row))
            self._rows = row + 1
        self._too_much = len(rows) > TOLD_AT_ONCE
        if not self._too_much:
            self._rows = view.rows

    def _standing(self) -> Iterator[AnyEvent]:
        """Tell for what the agent waits, when that is something else than it was; a subagent waits for nobody."""
        view = self.tail.view
        waiting = None if self.known.source.is_subagent or view.facts.parent else view.facts.waiting
        if waiting != self.known.waiting:
            self.known.waiting = waiting
            yield WaitingChanged(view.ref, waiting)
