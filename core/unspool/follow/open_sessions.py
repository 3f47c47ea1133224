"""The sessions that a follower keeps open: those that were written last."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from unspool.errors import Unreadable
from unspool.follow.events import AnyEvent, LineUnreadable, Replaced
from unspool.follow.tail import Tail, Turn
from unspool.follow.teller import Teller

if TYPE_CHECKING:
    from unspool.follow.poll import Known, Places
    from unspool.ids import SessionRef
    from unspool.views.filter import Filter
    from unspool.views.view import SessionView

OPEN_SESSIONS: Final = 64
"""Sessions that are kept open: more are hardly written at once. One that was let go is read again, or taken from the
cache and read on."""

WATCHED_CLOSELY: Final = 16
"""Sessions, of those that were written last, whose files are looked at with every tick."""


class OpenSessions:
    """The tails of sessions, by reference, the one that was written last at the end."""

    def __init__(self, places: Places, filter: Filter, now: Callable[[], float]) -> None:
        self._places = places
        self._filter = filter
        self._now = now
        self._tellers: OrderedDict[SessionRef, Teller] = OrderedDict()
        self._restless: set[Teller] = set()
        """Those of which the next look may tell more though nothing happens to them."""

    def of(self, ref: SessionRef) -> Teller | None:
        """Return an open session, `None` for one that is not."""
        return self._tellers.get(ref)

    @property
    def has_more(self) -> bool:
        """Whether there is more to tell already."""
        return any(opened.has_more for opened in self._restless)

    def due(self, folders: Collection[str]) -> Iterator[tuple[Teller, bool]]:
        """Yield those to look at with this step, and whether their side files lie in one of the hinted `folders`.

        They are the ones that were written last, and those that are restless or were hinted at.
        """
        closely = {*islice(reversed(self._tellers.values()), WATCHED_CLOSELY), *self._restless}
        for opened in list(self._tellers.values()):
            hinted = not opened.side_folders.isdisjoint(folders)
            if hinted or opened in closely:
                yield opened, hinted

    def open(self, known: Known, events: list[AnyEvent]) -> None:
        """Begin to follow a file; of what was there at the beginning nothing is told, unless it is no longer that."""
        try:
            view = self._places.open(known.source, known.ref)
        except (Unreadable, OSError) as error:
            known.unread = True
            told, known.refused = known.refused, str(error)
            if os.path.lexists(known.path) and known.refused != told:
                events.append(LineUnreadable(known.ref, None, None, known.refused))
            return
        since, anew = (0, True) if known.anew else (known.since, False)
        known.refused, known.anew, known.unread = None, False, False
        tail = Tail(view, partial(self._reopen, known), now=self._now)
        opened = self._tellers[known.ref] = Teller(known, tail, since)
        if anew:
            events.append(Replaced(view.ref, 0, view.entries, view.rows, "replaced"))
        torn = (each for each in view.unreadable if each.offset >= since)
        events += [
            LineUnreadable(view.ref, each.line, (each.offset, each.offset + each.length), each.reason) for each in torn
        ]
        events += opened.rest(self._filter)
        self._note(opened)
        self._let_go()

    def _let_go(self) -> None:
        """Close the sessions that were written first, of those of which all was told."""
        for opened in [each for each in self._tellers.values() if not each.behind]:
            if len(self._tellers) <= OPEN_SESSIONS:
                return
            opened.known.since = opened.tail.view.size
            self.drop(opened.known.ref)

    def _reopen(self, known: Known, path: str) -> SessionView:
        """Read a session again, from where it lies now."""
        found = next(iter(self._places.sources(path, [])), None)
        if found is None:
            raise Unreadable(f"{path} is not there", path=path)
        return self._places.open(found, known.ref)

    def poll(self, opened: Teller, *, side_files: bool = False) -> list[AnyEvent]:
        """Look at one, and tell what became of it."""
        return self._told(opened, opened.tail.poll(side_files=side_files))

    def go_to(self, opened: Teller, path: str) -> list[AnyEvent]:
        """Follow one at the path where it lies now, and tell what became of it."""
        return self._told(opened, opened.tail.go_to(path))

    def _told(self, opened: Teller, turn: Turn | None) -> list[AnyEvent]:
        events: list[AnyEvent] = []
        told = turn is not None or opened.behind
        if turn is not None:
            self._tellers.move_to_end(opened.known.ref)
            events += opened.told(turn, self._filter)
        elif opened.behind:
            events += opened.rest(self._filter)
        self._note(opened, told=told)
        return events

    def _note(self, opened: Teller, *, told: bool = True) -> None:
        """Note how one stands after a look, and let go of what was read when all was told."""
        opened.side_folders = opened.tail.view.side_folders
        if told and not opened.behind:
            opened.tail.release()
        if opened.behind or opened.tail.unsettled:
            self._restless.add(opened)
        else:
            self._restless.discard(opened)

    def drop(self, ref: SessionRef) -> None:
        """Close a session that is gone."""
        opened = self._tellers.pop(ref)
        self._restless.discard(opened)
        opened.tail.close()

    def close(self) -> None:
        """Close all."""
        while self._tellers:
            self.drop(next(iter(self._tellers)))
