"""Following the session that is open: a thread of its own looks at the file, and posts what became of it.

The thread never runs ahead of the screen: what is found before the last answer was taken is told together with it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Final

from unspool.errors import SourceChanged, Unreadable, UnspoolError
from unspool.follow.bell import Bell
from unspool.formats.piece import Kind
from unspool.views.filter import Filter
from unspool_tui.gateway.view_questions import call_of, hits_of
from unspool_tui.messages.session import PartBegun, SessionGrown
from unspool_tui.present.choosing import Choice, grown
from unspool_tui.present.follow_rows import LIVE_SECONDS
from unspool_tui.screen_loop import way_to_make

if TYPE_CHECKING:
    from textual.widget import Widget

    from unspool.follow.events import Event
    from unspool.follow.tail import Tail, Turn
    from unspool.views.evidence import Evidence
    from unspool.views.hits import Hit
    from unspool.views.view import SessionView
    from unspool_tui.gateway.locks import Locks
    from unspool_tui.gateway.parts import NextPart

AT_ONCE: Final = 0.005
"""Seconds between two looks while the session is being written: one look at a file that rests costs microseconds."""

RESTING: Final = 0.1
"""Seconds between two looks at a session at which nobody writes, unless a bell rings."""

LIVELY_SECONDS: Final = 3.0
"""How long after a change the next one is expected at once; then looks become rarer."""

SLOWER: Final = 1.25
"""How much longer each wait is than the one before, once nothing was written for a while."""

PREPARED_AFTER: Final = 1.0
"""Seconds without a change after which a session that is live is made ready for the next one."""

SHOWN_EVERY: Final = 0.03
"""Seconds between two answers while a session is written without pause: as often as an eye tells apart."""

COST_RATIO: Final = 2
"""An answer is followed by a pause of so many times what it took: the screen's thread needs the processor too."""

ROWS_READ: Final = 64
"""New rows whose words are read with the answer: a screenful; others are read when they come into view."""

PROMPTS: Final = Filter(kinds=frozenset({Kind.USER}))


class Tailer:
    """Follows one session for a screen, until it is stopped.

    The screen says with `taken` that an answer was shown, and as which choice.
    """

    def __init__(self, to: Widget, tail: Tail, locks: Locks, next_part: NextPart) -> None:
        self._to = to
        self._tail = tail
        self._locks = locks
        self._next_part = next_part
        self._shown = tail.view
        self._choice: Choice | None = None
        self._kept: int | None = None
        self._restored: set[int] = set()
        self._events: list[Event] = []
        self._free = True
        self._looking = threading.Lock()
        self._left = threading.Event()
        self._bell: Bell | None = None
        self._make_way = way_to_make()
        self._changed_at = time.monotonic()
        self._next_at = 0.0
        self._prepared = False
        self._thread = threading.Thread(target=self._run, name="unspool-tail", daemon=True)

    def begin(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Stop looking, and let the file go; nothing is posted any more."""
        self._left.set()
        if self._bell is not None:
            self._bell.wake()

    def taken(self, choice: Choice | None) -> None:
        """Take note that the screen shows the newest answer, as this choice; the next one may come."""
        self._choice = choice
        self._free = True

    def look(self) -> None:
        """Look now, at side files too, and answer even when nothing happened. Off the screen's thread."""
        with self._looking:
            self._poll(side_files=True)
            self._tell(asked=True)

    # The thread.

    def _run(self) -> None:
        try:
            self._follow()
        except Exception as error:  # noqa: BLE001 - else the screen would call live what nobody looks at any more
            self._to.call_later(_raise, error)

    def _follow(self) -> None:
        with closing(Bell(self._left)) as self._bell:
            wait = AT_ONCE
            while not self._left.is_set():
                self._bell.hang(self._tail.path)
                if self._look_once() or self._kept is not None:
                    self._left.wait(AT_ONCE)  # what is written without pause is told together
                    continue
                self._prepare()
                lively = self._tail.unsettled or time.monotonic() - self._changed_at < LIVELY_SECONDS
                wait = AT_ONCE if lively else min(RESTING, wait * SLOWER)
                self._bell.wait(wait)
        with self._locks.of(self._tail.view):
            self._tail.close()

    def _prepare(self) -> None:
        """Get ready for the first append, once, where one is expected: it is to be seen as soon as every other one."""
        if self._prepared or time.monotonic() - self._changed_at < PREPARED_AFTER:
            return
        view = self._tail.view
        if time.time() - view.identity.mtime_ns / 1e9 < LIVE_SECONDS:
            self._make_way()
            with self._locks.of(view):
                view.prepare()
        self._prepared = True

    def _look_once(self) -> bool:
        """Say whether something happened; tell it when the screen is free, and tell when another part began."""
        self._make_way()
        with self._looking:
            found = self._poll()
            if self._is_due():
                self._tell()
        part = self._next_part.look()
        if part is not None and not self._left.is_set():
            self._to.post_message(PartBegun(self._tail.view.ref, part))
        return found

    def _poll(self, *, side_files: bool = False) -> bool:
        """Look at the file; keep what happened until it is told."""
        before = self._tail.view
        with self._locks.of(before):
            turn = self._tail.poll(side_files=side_files)
        self._locks.share(before, self._tail.view)
        if turn is None and self._tail.view is before:
            return False
        self._changed_at = time.monotonic()
        self._keep(turn)
        return True

    def _keep(self, turn: Turn | None) -> None:
        rows = self._tail.view.rows
        kept = turn.kept if turn is not None else rows
        self._kept = min(kept, self._shown.rows if self._kept is None else self._kept)
        if turn is not None:
            self._restored = {row for row in (*self._restored, *turn.restored) if row < kept}
            self._events += turn.events

    def _is_due(self) -> bool:
        return self._kept is not None and self._free and time.monotonic() >= self._next_at

    def _tell(self, *, asked: bool = False) -> None:
        """Post what happened since the last answer was taken, with the rows that the screen now shows."""
        if self._left.is_set() or (asked and self._kept is None and not self._free):
            return
        began = time.monotonic()
        shown, view = self._shown, self._tail.view
        kept = shown.rows if self._kept is None else self._kept
        restored, events = tuple(sorted(self._restored)), tuple(self._events)
        choice = self._grown(view, kept, restored)
        evidence, hits = self._words(choice, kept)
        self._tail.release()
        self._shown, self._kept, self._restored, self._events = view, None, set(), []
        self._free = False
        self._to.post_message(
            SessionGrown(
                shown, view, kept, restored, events, view.select(PROMPTS), choice, evidence, hits,
                gone=self._tail.gone, asked=asked,
            )
        )  # fmt: skip
        now = time.monotonic()
        self._next_at = now + max(SHOWN_EVERY, COST_RATIO * (now - began))

    def _grown(self, view: SessionView, kept: int, restored: Sequence[int]) -> Choice | None:
        choice = self._choice
        if choice is None or not choice.listing.complete or choice.listing.view is not self._shown:
            return None
        try:
            return grown(choice, view, kept, restored, cancelled=self._given_up)
        except UnspoolError:  # the screen asks again, and tells what is in the way
            return None

    def _given_up(self) -> bool:
        self._make_way()
        return self._left.is_set()

    def _words(self, choice: Choice | None, kept: int) -> tuple[tuple[Evidence, ...], Mapping[int, Hit]]:
        """Read the words of the newest rows while what was appended is at hand."""
        if choice is None:
            return (), {}
        view, listing = choice.listing.view, choice.listing
        rows = [row for row in listing.rows[-ROWS_READ:] if row >= kept]
        calls = [call for row in rows if (call := call_of(view, row)) is not None]
        try:
            with self._locks.of(view):
                evidence = view.evidence_rows(rows)
                hits = hits_of(view, evidence, listing.query, choice.case) if listing.query else {}
                return (*evidence, *view.evidence_rows(calls)), hits
        except (SourceChanged, Unreadable):  # the next look tells what became of the file
            return (), {}


def _raise(error: Exception) -> None:
    raise error
