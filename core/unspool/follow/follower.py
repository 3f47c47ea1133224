"""Following everything under some roots, or some sessions there: one step at a time, by whoever has the time for it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from unspool.follow.events import (
    AnyEvent,
    Gone,
    Moved,
    Polling,
    SessionAppeared,
    Unlisted,
    WaitingChanged,
)
from unspool.follow.open_sessions import OpenSessions
from unspool.follow.poll import Census, Known, Places, is_gone, stamp_of
from unspool.follow.tail import COST_RATIO, Stamp
from unspool.follow.teller import Teller
from unspool.follow.watch import Watch
from unspool.ids import SessionRef
from unspool.stores.base import ScanError, SourceFile
from unspool.views.filter import Filter

TICK: Final = 0.1
"""Seconds between two looks at what is open, when nothing tells of a change."""

POLLED_TICK: Final = 0.02
"""The same while the system tells nothing."""

AUDIT_EVERY: Final = 2.0
"""Seconds between two full looks at what there is, at least: hints can be lost."""

HINTS_LATE: Final = 1.0
"""Seconds after which a change that a full look found should have been told."""

POLL_EVERY: Final = 0.5
POLL_AT_MOST: Final = 2.0
"""Seconds between two full looks when nothing tells of changes, twenty times what a look costs within these bounds."""


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
        self._now = now
        self._census = Census()
        self._opened = OpenSessions(places, self._census, filter or Filter(), now)
        self._folders: list[str] = []
        self._untold: dict[str, float] = {}
        self._foreign: set[str] = set()
        self._catching_up = False
        self._again: set[str] = set()
        self._unlisted: set[ScanError] = set()
        self._told_reason: str | None = None
        self._scan_at = 0.0
        self._begun = False
        self._whole = whole

    def step(self, wait: float | None = None) -> list[AnyEvent]:
        """Wait for something to happen, at most `wait` seconds (default: until the next look is due); tell what did.

        The first step only looks at what there is, and tells what is in the way of following it.
        """
        if not self._begun:
            return self._begin()
        tick = TICK if self._watch.reason is None else POLLED_TICK
        self._opened.begin_step()
        self._check_hints(
            hints := self._watch.wait(min(tick, 0.001 if self._again else tick) if wait is None else wait)
        )
        strange = any(path not in self._census.known for path in hints)
        events = list(self._arm(anew=strange or self._now() >= self._scan_at))
        again, self._again = self._again, set()
        for path in sorted(hints | again):
            events += self._look_at(path, again=path in hints)
        if self._now() >= self._scan_at:
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
        for source in self._listed(None, events):
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
            self._scan_at, self._catching_up = 0.0, True
        if self._watch.reason != self._told_reason:
            self._told_reason = self._watch.reason
            yield Polling(self._told_reason)

    def _listed(self, below: str | None, events: list[AnyEvent]) -> list[SourceFile]:
        """List files; tell once what cannot be listed."""
        began, errors = self._now(), list[ScanError]()
        found = list(self._places.sources(below, errors))
        if below is None:
            cost = self._now() - began
            polled = self._watch.reason is not None
            pause = min(max(POLL_EVERY, 20 * cost), POLL_AT_MOST) if polled else max(AUDIT_EVERY, COST_RATIO * cost)
            self._scan_at = self._now() + pause
            new = [error for error in errors if error not in self._unlisted]
            self._unlisted = set(errors)
            events += [Unlisted(error.path, error.reason) for error in new]
        return found

    def _scan(self) -> list[AnyEvent]:
        """Look at everything."""
        events: list[AnyEvent] = []
        for source in self._listed(None, events):
            found = self._seen(source)
            if found and not self._catching_up:
                self._untold.setdefault(source.path, self._now())
            events += found
        for known in list(self._census.known.values()):
            if stamp_of(known.path) is None:
                events += self._look(known)
        self._catching_up = False
        return events

    def _check_hints(self, hints: Iterable[str]) -> None:
        """Ask for hints anew when a change that was found without one is not told later either."""
        if self._untold:
            for path in hints:
                self._untold.pop(path, None)
            late = [path for path, found_at in self._untold.items() if self._now() - found_at > HINTS_LATE]
            if late:
                self._untold.clear()
                self._watch.distrust(f"nothing told that {late[0]} changed")

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
        for source in self._listed(path, events):
            if self._census.covers(source.path, self._folders):
                events += self._seen(source)
            elif source.path not in self._foreign:
                events += self._scan()
                if source.path not in self._census.known:
                    self._foreign.add(source.path)
        return events

    def _seen(self, source: SourceFile) -> list[AnyEvent]:
        known = self._census.known.get(source.path)
        if known is not None:
            return self._look(known) if stamp_of(source.path) != known.stamp or known.missing else []
        stamp = stamp_of(source.path)
        for before in self._before(source, stamp):
            if not os.path.lexists(before.path):
                return self._moved(before, source)
        known = self._known(source)
        if known is None or not self._wants(known):
            return []
        events: list[AnyEvent] = [self._appeared(known)]
        return events + self._look(known, appeared=True)

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

    def _moved(self, before: Known, source: SourceFile) -> list[AnyEvent]:
        stamp = stamp_of(source.path)
        if stamp is None:
            return []
        known = self._census.move(before, source, stamp)
        if not self._wants(known):
            return []
        if self._opened.of(known.ref) is not None:
            return self._look(known)
        events: list[AnyEvent] = [Moved(known.ref, source.path, before.path)]
        if stamp[:2] != before.stamp[:2]:
            self._opened.open(known, events, shrunk=True)
        return events

    def _look(self, known: Known, *, appeared: bool = False) -> list[AnyEvent]:
        """Look at one file, and tell what became of it."""
        stamp = stamp_of(known.path)
        if stamp is None:
            return self._lost(known)
        known.missing = False
        changed = appeared or stamp != known.stamp
        shrunk = stamp[:2] != known.stamp[:2] or stamp[2] < known.since
        self._census.stamped(known, stamp)
        if not self._wants(known):
            return []
        events: list[AnyEvent] = []
        opened = self._opened.of(known.ref)
        if opened is not None:
            events += self._opened.poll(opened)
        elif changed:
            self._opened.open(known, events, shrunk=shrunk)
        return events

    def _lost(self, known: Known) -> list[AnyEvent]:
        """Tell that a file is gone, at the second look; its session may have gone on in another."""
        if not is_gone(known.path, self._places.root(known.path)):
            return []
        opened = self._opened.of(known.ref)
        if opened is not None:
            events = self._opened.poll(opened)
            if opened.tail.gone or opened.tail.path != known.path:
                self._forget(known, opened)
            return events
        if not known.missing:
            known.missing = True
            self._again.add(known.path)
            return []
        self._census.drop(known)
        return [Gone(known.ref, known.path)] if self._wants(known) else []

    def _forget(self, known: Known, opened: Teller) -> None:
        """Note where a session that is open went, or close it when it is gone for good."""
        if not opened.tail.gone:
            for source in self._places.sources(opened.tail.path, []):
                stamp = stamp_of(source.path)
                if stamp is not None:
                    opened.known = self._census.move(known, source, stamp)
            return
        self._census.drop(known)
        self._opened.drop(known.ref)

    def _look_at_open(self, hints: Iterable[str]) -> list[AnyEvent]:
        """Look at the open sessions that are due, and at side files as hinted."""
        events: list[AnyEvent] = []
        for opened, hinted in self._opened.due({os.path.dirname(path) for path in hints}):
            if stamp_of(opened.known.path) is None:
                events += self._lost(opened.known)
            else:
                events += self._opened.poll(opened, side_files=hinted)
        return events
