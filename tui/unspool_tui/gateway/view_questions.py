"""What is asked about one session as a whole: to open it, to read on, its thread and its rows."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from unspool.dataclass import replace
from unspool.errors import UnspoolError
from unspool.formats.piece import Kind, ToolPart
from unspool.ids import EntryRange
from unspool.views.filter import Filter
from unspool_tui.gateway.questions import Questions
from unspool_tui.messages.chosen import RowsRead
from unspool_tui.messages.session import OverviewBegun, OverviewRead, SessionKnown, SessionOpened, ThreadLaidOut
from unspool_tui.present.overview_rows import OVERVIEW_ITEMS, Thread, lay_out

if TYPE_CHECKING:
    from textual.message import Message
    from textual.widget import Widget

    from unspool.follow.tail import Tail
    from unspool.ids import SessionRef
    from unspool.search.needle import Case
    from unspool.views.evidence import Evidence
    from unspool.views.hits import Hit
    from unspool.views.overview import Overview
    from unspool.views.view import SessionView
    from unspool_tui.gateway.tailing import Tailer
    from unspool_tui.worker import Cancelled

LINES_A_TEXT: Final = 3
"""Lines that a text of a thread takes at least, mostly, with what lies between it and the next."""


LONG: Final = 4 << 20
"""Bytes of a session from which on more of its beginning is worth to be shown before all of it is read."""

BEGINNING_BYTES: Final = 256 << 10
"""Bytes that are read for that."""


class ViewQuestions(Questions):
    """Questions about an opened session: its view, its thread, its rows."""

    def open(self, to: Widget, target: str, begun: SessionView | None = None) -> None:
        """Open a session, at a piece when the target names one: `SessionOpened`, then `SessionKnown`.

        Of a long one whose beginning is shown, as far as it was `begun`, more of that comes first, without a tail.
        """

        def work(_: Cancelled) -> Iterator[Message]:
            if begun is not None:
                yield from self._longer(begun)
            tail, found = self._tail(target)
            view = tail.view
            within = self._library.place(found, view)
            row = next(iter(view.rows_in(within)), None) if within is not None else None
            line = found.place.lines[0] if found.place is not None and found.place.lines else None
            absence = view.absence(within) if within is not None and row is None else ""
            yield replace(opened_of(view, tail), row=row, line=line, absence=absence)
            with suppress(UnspoolError), self._finding:
                yield SessionKnown(self._library.summary(self._library.session_of(view.ref)))

        self._ask(to, "open", work)

    def _longer(self, begun: SessionView) -> Iterator[Message]:
        """Read on in the beginning of a session that takes long to be read."""
        with suppress(OSError, UnspoolError):
            if os.path.getsize(begun.source_path) >= LONG:
                with self._lock(begun):
                    longer = begun.refreshed(BEGINNING_BYTES)
                self._locks.share(begun, longer)
                yield opened_of(longer)

    def know(self, to: Widget, ref: SessionRef) -> None:
        """Look up what the list knows of an opened session: `SessionKnown`."""

        def work(_: Cancelled) -> Iterator[Message]:
            with suppress(UnspoolError), self._finding:
                yield SessionKnown(self._library.summary(self._library.session_of(ref)))

        self._ask(to, "know", work)

    def follow(self, to: Widget, tail: Tail) -> Tailer:
        """Follow an opened session until the tailer is stopped: `SessionGrown` whenever something happened to it.

        `PartBegun` comes once, when it goes on in another part.
        """
        from unspool_tui.gateway.parts import NextPart
        from unspool_tui.gateway.tailing import Tailer

        tailer = Tailer(to, tail, self._locks, NextPart(self._library, self._finding, tail.view.ref, tail.path))
        tailer.begin()
        return tailer

    def look(self, to: Widget, tailer: Tailer) -> None:
        """Look at a session that is followed now: `SessionGrown`, also when nothing happened."""

        def work(_: Cancelled) -> Iterator[Message]:
            tailer.look()
            yield from ()

        self._ask(to, "look", work)

    def release(self, view: SessionView) -> None:
        """Let a view's source go, once nobody reads it any more."""

        def run() -> None:
            with self._lock(view):
                view.close()

        threading.Thread(target=run, name="unspool-release", daemon=True).start()

    def begin_overview(self, to: Widget, view: SessionView, lines: int) -> None:
        """Read how the thread begins, as far as a screen of so many lines shows it: `OverviewBegun`."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            begun = view.apart().overview(OVERVIEW_ITEMS, first=lines // LINES_A_TEXT + 2, cancelled=cancelled)
            yield OverviewBegun(view, begun)

        self._ask(to, "overview", work)

    def read_overview(self, to: Widget, view: SessionView, known: Overview | None = None) -> None:
        """Read the thread, but for the texts that are `known` from an earlier view: `OverviewRead`."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            began, apart = time.monotonic(), view.apart()  # a long one keeps nobody else waiting
            overview = apart.overview(OVERVIEW_ITEMS, known=known, cancelled=cancelled)
            yield OverviewRead(view, overview, time.monotonic() - began)

        self._ask(to, "overview", work)

    def lay_out(self, to: Widget, overview: Overview, width: int, known: Thread) -> None:
        """Wrap a long thread for a width, but for what is `known` of it: `ThreadLaidOut`."""

        def work(_: Cancelled) -> Iterator[Message]:
            yield ThreadLaidOut(overview, width, lay_out(overview, width, known=known))

        self._ask(to, "layout", work)

    def read_rows(self, to: Widget, view: SessionView, rows: Sequence[int], query: str, case: Case) -> None:
        """Read the words of rows, and their first match of a query: `RowsRead`."""

        def work(_: Cancelled) -> Iterator[Message]:
            with self._lock(view):
                evidence = view.evidence_rows(rows)
                calls = view.evidence_rows([call for row in rows if (call := call_of(view, row)) is not None])
                hits = hits_of(view, evidence, query, case) if query else {}
            yield RowsRead(view, query, (*evidence, *calls), hits)

        self._ask(to, "rows", work)


def opened_of(view: SessionView, tail: Tail | None = None) -> SessionOpened:
    """Return what tells a screen of a session that is open, and followed by a tail."""
    prompts = view.selection(Filter(kinds=frozenset({Kind.USER})))
    return SessionOpened(view, prompts, tail=tail)


def call_of(view: SessionView, row: int) -> int | None:
    """Return the row of the call that a row is the result of."""
    return view.peer_row(row) if view.tool_part(row) is ToolPart.OUTPUT else None


def hits_of(view: SessionView, evidence: Sequence[Evidence], query: str, case: Case) -> dict[int, Hit]:
    """Return the first match of each of some rows, by row."""
    found: dict[int, Hit] = {}
    for each in evidence:
        wanted = Filter(reasoning=True, hidden=True, within=EntryRange.of(each.id))
        for hit in view.search(query, wanted, limit=1, case=case).hits:
            found[each.row] = hit
    return found
