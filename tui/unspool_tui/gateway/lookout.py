"""Keeping the list of sessions true while it is seen: what appears, vanishes, moves or grows, without a key."""

from __future__ import annotations

import threading
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Final

from unspool.errors import UnspoolError
from unspool.follow.effort import Effort
from unspool.follow.events import AnyEvent, Polling, Unlisted
from unspool.views.filter import Filter
from unspool_tui.gateway.places import places_of
from unspool_tui.messages.failed import Failed
from unspool_tui.messages.listing import RootsPolled, SessionsRelisted

if TYPE_CHECKING:
    from textual.widget import Widget

    from unspool.library.facade import Library
    from unspool.library.summary import SessionSummary

AT_ONCE: Final = 0.2
"""Seconds between two listings when something came or went."""

GROWN_EVERY: Final = 1.0
"""Seconds between two looks at how the sessions grew, at least: ages are told in minutes."""

COST_RATIO: Final = 20
"""A listing that something asked for waits so many times what the last one took."""

NO_PIECES: Final = Filter(ids=frozenset())
"""Of pieces nothing is told: what a list says of a session is in its head and tail."""


class Lookout:
    """Lists sessions for a screen whenever that changes something, until it is stopped."""

    def __init__(
        self, to: Widget, library: Library, finding: threading.Lock, known: tuple[SessionSummary, ...]
    ) -> None:
        self._to = to
        self._library = library
        self._finding = finding
        self._left = threading.Event()
        self._listed = known
        self._at_once = self._in_time = 0.0
        self._thread = threading.Thread(target=self._run, name="unspool-lookout", daemon=True)

    def begin(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Stop looking, and let every watch and file go; nothing is posted any more."""
        self._left.set()

    def _run(self) -> None:
        try:
            self._follow()
        except Exception as error:  # noqa: BLE001 - the thread's border: whatever it was, the person is told
            if not self._left.is_set():
                self._to.post_message(Failed("follow", str(error)))

    def _follow(self) -> None:
        with self._finding:
            following = self._library.follow(filter=NO_PIECES, stop=self._left)
        with closing(following):
            following.step(0)
            self._begin()
            due = False
            while not self._left.is_set():
                due = self._hear(following.step()) or due
                if time.monotonic() >= (self._at_once if due else self._in_time):
                    due = False
                    self._list()

    def _begin(self) -> None:
        """List what came since the screen listed and before it is told what comes: mostly nothing did."""
        effort = Effort()
        with suppress(UnspoolError), self._finding:
            if self._library.is_listed():
                self._rest(effort)
                return
        self._list()

    def _hear(self, events: list[AnyEvent]) -> bool:
        """Say whether something came or went."""
        for event in events:
            if isinstance(event, Polling) and not self._left.is_set():
                self._to.post_message(RootsPolled(event.reason))
        return any(not isinstance(event, Polling | Unlisted) for event in events)

    def _list(self) -> None:
        """List all sessions, and tell when that is not what was listed before."""
        effort = Effort()
        with suppress(UnspoolError), self._finding:
            listed = tuple(self._library.sessions())
            places = places_of(self._library)
            if listed != self._listed and not self._left.is_set():
                self._listed = listed
                self._to.post_message(SessionsRelisted(listed, places))
        self._rest(effort)

    def _rest(self, effort: Effort) -> None:
        now = time.monotonic()
        self._at_once, self._in_time = now + effort.pause(AT_ONCE, COST_RATIO), now + effort.pause(GROWN_EVERY)
