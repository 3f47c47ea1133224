"""The sessions that a follower keeps open: those that were written last."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import islice
from typing import Final

from unspool.errors import Unreadable
from unspool.follow.events import AnyEvent, LineUnreadable, Replaced
from unspool.follow.poll import Census, Known, Places, stamp_of
from unspool.follow.tail import Tail
from unspool.follow.teller import Teller
from unspool.ids import SessionRef
from unspool.views.filter import Filter
from unspool.views.view import SessionView

OPEN_SESSIONS: Final = 256
"""Sessions that are kept open: more are hardly written at once, and one that was let go is only read again."""

WATCHED_CLOSELY: Final = 16
"""Sessions, of those that were written last, whose files are looked at with every tick."""


class OpenSessions:
    """The tails of sessions, by reference, the one that was written last at the end."""

    def __init__(self, places: Places, census: Census, filter: Filter, now: Callable[[], float]) -> None:
        self._places = places
        self._census = census
        self._filter = filter
        self._now = now
        self._tellers: OrderedDict[SessionRef, Teller] = OrderedDict()
        self._lying: dict[tuple[int, int], str] | None = None

    def of(self, ref: SessionRef) -> Teller | None:
        """Return an open session, `None` for one that is not."""
        return self._tellers.get(ref)

    def begin_step(self) -> None:
        """Forget where files lay: they may lie elsewhere by now."""
        self._lying = None

    def due(self, folders: Collection[str]) -> Iterator[tuple[Teller, bool]]:
        """Yield those to look at with this step, and whether their side files lie in one of the hinted `folders`.

        They are the ones that were written last, and those that are not settled or were hinted at.
        """
        newest = {*islice(reversed(self._tellers), WATCHED_CLOSELY)}
        for ref, opened in list(self._tellers.items()):
            hinted = opened.tail.view.side_folder in folders
            if ref in newest or opened.tail.unsettled or hinted:
                yield opened, hinted

    def open(self, known: Known, events: list[AnyEvent], *, shrunk: bool = False) -> None:
        """Begin to follow a file; of what was there at the beginning nothing is told, unless it is no longer that."""
        try:
            view = self._places.open(known.source, known.ref)
        except Unreadable as error:
            if os.path.lexists(known.path):
                events.append(LineUnreadable(known.ref, None, None, str(error)))
            return
        tail = Tail(view, partial(self._reopen, known), partial(self._find, known.ref), now=self._now)
        since = 0 if shrunk else known.since
        opened = self._tellers[known.ref] = Teller(known, tail, view.row_behind(since))
        if shrunk:
            events.append(Replaced(view.ref, 0, view.entries, view.rows, "replaced"))
        torn = (each for each in view.unreadable if each.offset >= since)
        events += [
            LineUnreadable(view.ref, each.line, (each.offset, each.offset + each.length), each.reason) for each in torn
        ]
        events += opened.new(self._filter)
        events += opened.pending(since)
        events += opened.standing()
        tail.release()
        while len(self._tellers) > OPEN_SESSIONS:
            _, oldest = self._tellers.popitem(last=False)
            oldest.known.since = oldest.tail.view.size
            oldest.tail.close()

    def _reopen(self, known: Known, path: str) -> SessionView:
        """Read a session again, from where it lies now."""
        found = next(iter(self._places.sources(path, [])), None)
        if found is None:
            raise Unreadable(f"{path} is not there", path=path)
        return self._places.open(found, known.ref)

    def _find(self, ref: SessionRef, device: int, inode: int) -> str | None:
        """Return where a session's file went: it may lie anywhere under the roots, which are listed once in a step."""
        if self._lying is None:
            paths = [source.path for source in self._places.sources(None, [])]
            self._lying = {stamp[:2]: path for path in paths if (stamp := stamp_of(path)) is not None}
        known = self._census.of(ref)
        return self._lying.get((device, inode)) or (known.path if known is not None else None)

    def poll(self, opened: Teller, *, side_files: bool = False) -> list[AnyEvent]:
        """Look at one, and tell what became of it."""
        turn = opened.tail.poll(side_files=side_files)
        if turn is None:
            return list(opened.new(self._filter)) if opened.behind else []
        self._tellers.move_to_end(opened.known.ref)
        events = [*opened.told(turn, self._filter), *opened.standing()]
        opened.tail.release()
        return events

    def drop(self, ref: SessionRef) -> None:
        """Close a session that is gone."""
        self._tellers.pop(ref).tail.close()

    def close(self) -> None:
        """Close all."""
        while self._tellers:
            self.drop(next(iter(self._tellers)))
