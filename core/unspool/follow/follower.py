"""Following everything under some roots, or some sessions there: one step at a time, by whoever has the time for it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from unspool.follow.audit import Audit
from unspool.follow.events import AnyEvent, Gone, Moved, Polling, SessionAppeared, WaitingChanged
from unspool.follow.open_sessions import OpenSessions
from unspool.follow.poll import Census, Known, Places, is_denied, is_gone, stamp_of
from unspool.ids import SessionRef
from unspool.sources.zstd import SUFFIX
from unspool.views.filter import Filter

if TYPE_CHECKING:
    from unspool.follow.tail import Stamp
    from unspool.follow.watch import Watch
    from unspool.stores.base import SourceFile

TICK: Final = 0.1
"""Seconds between two looks at what is open, when nothing tells of a change."""

POLLED_TICK: Final = 0.02
"""The same while the system tells nothing."""


class Follower:
    """What happens to sessions, as typed events. `step` does a piece of the work; nothing happens between two steps.

    `wanted` chooses sessions (`None`: all), `filter` the pieces that are told. With `whole` that
    is also what is there at the beginning. Not for two threads at once.
    """

    def __init__(
        self,
        places: Places,
        watch: Watch,
        *,
        wanted: Callable[[SessionRef, SourceFile], bool] | None = None,
        filter: Filter | None = None,
        whole: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._places = places
        self._watch = watch
        self._wanted = wanted
        self._census = Census()
        self._audit = Audit(places, watch, now)
        self._opened = OpenSessions(places, filter or Filter(), now)
        self._folders: list[str] = []
        self._foreign: set[str] = set()
        self._again: set[str] = set()
        self._told_reason: str | None = None
        self._looked_at_all = False
        self._begun = False
        self._whole = whole

    def step(self, wait: float | None = None) -> list[AnyEvent]:
        """Wait for something to happen, at most `wait` seconds (default: until the next look is due); tell what did.

        The first step only looks at what there is, and tells what is in the way of following it.
        """
        if not self._begun:
            return self._begin()
        self._looked_at_all = False
        tick = TICK if self._watch.reason is None else POLLED_TICK
        at_once = self._again or self._opened.has_more
        hints = self._watch.wait(wait if wait is not None else 0.001 if at_once else tick)
        self._audit.check(hints)
        strange = any(path not in self._census.known for path in hints)
        events = list(self._arm(anew=strange or self._audit.due))
        again, self._again = self._again, set()
        for path in sorted(hints | again):
            events += self._look_at(path, again=path in hints)
        if self._audit.due:
            events += self._scan()
        events += self._look_at_open(hints)
        return events

    def close(self) -> None:
        """Let every file and every handle go."""
        self._watch.close()
        self._opened.close()

    def _begin(self) -> list[AnyEvent]:
        self._begun = True
        events = list(self._arm(anew=True))
        for source in self._audit.files(events):
            known = self._known(source)
            if known is not None:
                known.since = 0 if self._whole else known.stamp[2]
                if self._wanted is not None and self._wants(known):
                    self._opened.open(known, events)
        return [event for event in events if self._whole or not isinstance(event, WaitingChanged)]

    def _arm(self, *, anew: bool) -> Iterator[AnyEvent]:
        """Watch the folders that are there now; what may have been missed is looked for.

        Which they are is asked `anew` when anything may have changed: it takes looking into them.
        """
        self._folders = self._places.folders() if anew else self._folders
        if self._watch.arm(self._folders):
            self._audit.hasten()
        if self._watch.reason != self._told_reason:
            self._told_reason = self._watch.reason
            yield Polling(self._told_reason)

    def _scan(self) -> list[AnyEvent]:
        """Look at everything, at most once in a step."""
        if self._looked_at_all:
            return []
        self._looked_at_all = True
        events: list[AnyEvent] = []
        for source in self._audit.files(events):
            found = self._seen(source)
            if found:
                self._audit.found(source.path)
            events += found
        for known in list(self._census.known.values()):
            if stamp_of(known.path) is None:
                events += self._look(known)
        self._audit.end()
        return events

    def _look_at(self, path: str, *, again: bool) -> list[AnyEvent]:
        """Look where a hint points: at a file that is known, or at what lies there, and once more with the next step.

        What is written while a folder is being added to those that are watched is told by nobody.
        """
        known = self._census.known.get(path)
        if known is not None:
            return self._look(known)
        events: list[AnyEvent] = []
        if os.path.isdir(path):
            if again:
                self._again.add(path)
        elif not os.path.lexists(path):
            for each in self._census.below(path):
                events += self._look(each)
            return events
        for source in self._places.sources(path, []):
            if self._census.covers(source.path, self._folders):
                events += self._seen(source)
            elif source.path not in self._foreign:
                events += self._scan()
                if source.path not in self._census.known:
                    self._foreign.add(source.path)
        return events

    def _seen(self, source: SourceFile) -> list[AnyEvent]:
        known, stamp = self._census.known.get(source.path), stamp_of(source.path)
        if known is not None:
            return self._look(known) if stamp != known.stamp or known.missing or known.unread else []
        if source.compressed and os.path.lexists(source.path.removesuffix(SUFFIX)):
            return []  # it is about to take the place of the file, or has given it back
        for before in self._before(source, stamp):
            if not os.path.lexists(before.path):
                return self._moved(before, source)
        known = self._known(source)
        if known is None or not self._wants(known):
            return []
        known.unread = True
        return [self._appeared(known), *self._look(known)]

    def _before(self, source: SourceFile, stamp: Stamp | None) -> Iterator[Known]:
        """Yield what a file may have been before it lay here: one with its inode, then one that held its session.

        One that was written anew and moved between two looks has nothing else in common with what it was.
        """
        if stamp is None or source.hidden:
            return
        by_inode = self._census.at(stamp[:2])
        if by_inode is not None:
            yield by_inode
        by_ref = self._census.of(self._places.ref(source))
        if by_ref is not None:
            yield by_ref

    def _known(self, source: SourceFile) -> Known | None:
        stamp = stamp_of(source.path)
        if stamp is None or source.hidden:
            return None
        return self._census.add(source, self._places.ref(source), stamp)

    def _wants(self, known: Known) -> bool:
        return self._wanted is None or self._wanted(known.ref, known.source)

    def _appeared(self, known: Known) -> SessionAppeared:
        source, ref = known.source, known.ref
        parent = SessionRef(ref.agent, *source.parent) if source.parent is not None else None
        parent = ref.session if parent is None and source.is_subagent and ref.session != ref else parent
        return SessionAppeared(ref, ref.agent, ref.session_id, ref.part, source.path, known.stamp[2], parent)

    def _moved(self, known: Known, source: SourceFile) -> list[AnyEvent]:
        stamp = stamp_of(source.path)
        if stamp is None:
            return []
        before = known.path
        self._census.move(known, source, stamp)
        if not self._wants(known):
            return []
        opened = self._opened.of(known.ref)
        if opened is not None:
            return self._opened.go_to(opened, source.path)
        events: list[AnyEvent] = [Moved(known.ref, source.path, before)]
        if known.anew:
            self._opened.open(known, events)
        return events

    def _look(self, known: Known) -> list[AnyEvent]:
        """Look at one file, and tell what became of it."""
        stamp = stamp_of(known.path)
        if stamp is None:
            return self._lost(known)
        known.missing = False
        changed = known.unread or stamp != known.stamp
        self._census.stamped(known, stamp)
        if not self._wants(known):
            return []
        events: list[AnyEvent] = []
        opened = self._opened.of(known.ref)
        if opened is not None:
            events += self._opened.poll(opened)
        elif changed:
            self._opened.open(known, events)
        return events

    def _lost(self, known: Known) -> list[AnyEvent]:
        """Tell that a file is gone, at the second look; it may lie elsewhere, or its session go on in another file."""
        if not is_gone(known.path, self._places.root(known.path)):
            opened = self._opened.of(known.ref)
            return self._opened.poll(opened) if opened is not None and is_denied(known.path) else []
        before, events = known.path, self._scan()
        if self._census.known.get(before) is not known or os.path.lexists(before):
            return events
        if not known.missing or before in self._again:
            known.missing = True
            self._again.add(before)
            return events
        self._census.drop(known)
        opened = self._opened.of(known.ref)
        if opened is not None:
            self._opened.drop(known.ref)
            if opened.tail.gone:
                return events
        return [*events, Gone(known.ref, known.path)] if self._wants(known) else events

    def _look_at_open(self, hints: Iterable[str]) -> list[AnyEvent]:
        """Look at the open sessions that are due, and at side files as hinted."""
        events: list[AnyEvent] = []
        for opened, hinted in self._opened.due({os.path.dirname(path) for path in hints}):
            if stamp_of(opened.known.path) is None:
                events += self._lost(opened.known)
            elif self._opened.of(opened.known.ref) is opened:
                events += self._opened.poll(opened, side_files=hinted)
        return events
