"""One session that is followed with others: what of it was told, and what is to be told now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from unspool.errors import SourceChanged
from unspool.follow.events import AnyEvent, EvidenceAdded, Pending, SideFileChanged, WaitingChanged
from unspool.ids import EntryRange

if TYPE_CHECKING:
    from unspool.follow.poll import Known
    from unspool.follow.tail import Tail, Turn
    from unspool.views.filter import Filter


class Teller:
    """The tail of a session, and up to which row its pieces were told."""

    def __init__(self, known: Known, tail: Tail, rows: int) -> None:
        self.known = known
        self.tail = tail
        self._rows = rows
        self._restored: set[int] = set()

    @property
    def behind(self) -> bool:
        """Whether there are rows that could not be read when they were to be told."""
        return self._rows < self.tail.view.rows or bool(self._restored)

    def told(self, turn: Turn, filter: Filter) -> Iterator[AnyEvent]:
        """Tell what a look found."""
        self._rows = min(self._rows, turn.kept)
        self._restored = {row for row in (*self._restored, *turn.restored) if row < self._rows}
        last = [event for event in turn.events if event.event == "pending"]
        yield from (event for event in turn.events if event not in last)
        yield from self.rest(filter)
        yield from last

    def rest(self, filter: Filter) -> Iterator[AnyEvent]:
        """Tell the rows that were not told; where the file changes meanwhile, the next look goes on."""
        try:
            yield from self._saved()
            yield from self._new(filter)
        except (SourceChanged, OSError):
            return

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
        for row in view.narrowed(first).wanted(filter):
            if row >= start:
                yield EvidenceAdded(view.ref, view.evidence_at(row))
                self._rows = row + 1
        self._rows = view.rows

    def standing(self) -> Iterator[AnyEvent]:
        """Tell for what the agent waits, when that is something else than it was; a subagent waits for nobody."""
        view = self.tail.view
        waiting = None if self.known.source.is_subagent or view.facts.parent else view.facts.waiting
        if waiting != self.known.waiting:
            self.known.waiting = waiting
            yield WaitingChanged(view.ref, waiting)

    def pending(self, since: int) -> Iterator[AnyEvent]:
        """Tell that a line is still being written, when that began or went on since then."""
        place = self.tail.view.pending
        if place is not None and place[1] > since:
            yield Pending(self.tail.view.ref, place)
