"""The only module that calls the library, always off the screen's thread; answers come as messages."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from textual.message import Message
from textual.widget import Widget

from unspool.errors import UnspoolError
from unspool.formats.base import Kind, ToolPart
from unspool.ids import EntryRange, EvidenceId
from unspool.text import size
from unspool.views.bounds import Bounds
from unspool.views.filter import Filter
from unspool_tui.clipboard import COPIED_BYTES
from unspool_tui.messages import (
    Chosen,
    LedgerWeighed,
    MatchFound,
    OverviewRead,
    PathsListed,
    PathsTouched,
    PieceRead,
    PreviewRead,
    RecordRead,
    RowsRead,
    SearchEnded,
    SessionGrown,
    SessionHitsFound,
    SessionKnown,
    SessionMeasured,
    SessionOpened,
    SessionsFound,
    TextTaken,
    ThreadLaidOut,
    WindowRead,
)
from unspool_tui.present.choosing import choose
from unspool_tui.present.empty_rows import Place
from unspool_tui.present.next_match import next_matching
from unspool_tui.present.opening import open_piece
from unspool_tui.present.overview_rows import lay_out
from unspool_tui.present.preview import details_of, preview_of
from unspool_tui.present.shell_call import command_of
from unspool_tui.present.weighing import touch, weigh
from unspool_tui.present.windows import Request, answer
from unspool_tui.settings.limits import Limits
from unspool_tui.worker import Cancelled, Work, ask

if TYPE_CHECKING:
    from unspool.library.facade import Library
    from unspool.library.summary import SessionSummary
    from unspool.library.targets import Target
    from unspool.search.needle import Case
    from unspool.views.evidence import Evidence
    from unspool.views.hits import Hit
    from unspool.views.overview import Overview
    from unspool.views.view import SessionView

BATCH_SECONDS: Final = 0.05
"""How often found sessions are shown while more are looked for."""

OVERVIEW_ITEMS: Final = 20_000
"""Texts of a thread: more than anyone scrolls through; of longer ones some are left out, evenly."""

PATHS_OFFERED: Final = 50
"""Paths that repeated tabs go through: in a fuller folder a person types on."""

RECORD_BYTES: Final = 4_096
"""Beginning of a record that is shown raw: enough to see what broke it."""


class Gateway:
    """Asks a library on behalf of widgets."""

    def __init__(self, library: Library, limits: Limits | None = None) -> None:
        self._library = library
        self._limits = limits or Limits()
        self._finding = threading.Lock()
        self._locks: WeakKeyDictionary[SessionView, threading.Lock] = WeakKeyDictionary()

    def list_sessions(self, to: Widget, generation: int) -> None:
        """Look for sessions; `SessionsFound` comes in batches, newest first."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            batch: list[SessionSummary] = []
            shown = time.monotonic()
            found = self._library.sessions()
            while (summary := self._next(found)) is not None:
                if cancelled():
                    return
                batch.append(summary)
                if time.monotonic() - shown > BATCH_SECONDS:
                    yield SessionsFound(generation, tuple(batch), False)
                    batch, shown = [], time.monotonic()
            yield SessionsFound(generation, tuple(batch), True, places_of(self._library))

        self._ask(to, "sessions", work)

    def measure(self, to: Widget, summaries: Sequence[SessionSummary]) -> None:
        """Read sessions in full for their rows, one after the other; `SessionMeasured` comes for each."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            for summary in summaries:
                if cancelled():
                    return
                if summary.bytes <= self._limits.measured_bytes:
                    with suppress(UnspoolError):  # the list shows what it knows; opening it says what is wrong
                        view = self._view(str(summary.ref))[0]
                        yield SessionMeasured(summary.ref, details_of(view))
                        view.close()

        self._ask(to, "measure", work)

    def preview(self, to: Widget, summary: SessionSummary) -> None:
        """Read a session for the preview: `PreviewRead`."""

        def work(_: Cancelled) -> Iterator[Message]:
            if summary.bytes > self._limits.previewed_bytes:
                yield PreviewRead(summary.ref, None, "large; not read before it is opened")
                return
            try:
                view = self._view(str(summary.ref))[0]
                preview = preview_of(view)
            except UnspoolError as error:
                yield PreviewRead(summary.ref, None, str(error))
                return
            yield PreviewRead(summary.ref, preview)
            yield SessionMeasured(summary.ref, details_of(view))
            view.close()

        self._ask(to, "preview", work)

    def open(self, to: Widget, target: str) -> None:
        """Open a session, at a piece when the target names one: `SessionOpened`, then `SessionKnown`."""

        def work(_: Cancelled) -> Iterator[Message]:
            view, found = self._view(target)
            within = self._library.place(found, view)
            row = next(iter(view.rows_in(within)), None) if within is not None else None
            line = found.place.lines[0] if found.place is not None and found.place.lines else None
            prompts = view.select(Filter(kinds=frozenset({Kind.USER})))
            yield SessionOpened(view, prompts, tuple(view.tool_counts()), row, line)
            with suppress(UnspoolError), self._finding:
                yield SessionKnown(self._library.summary(view.ref))

        self._ask(to, "open", work)

    def list_paths(self, to: Widget, typed: str) -> None:
        """Look for paths that begin as typed: `PathsListed`, folders with a slash at their end."""

        def work(_: Cancelled) -> Iterator[Message]:
            yield PathsListed(typed, paths_like(typed))

        self._ask(to, "paths", work)

    def refresh(self, to: Widget, view: SessionView) -> None:
        """Read what was appended since: `SessionGrown`, with the same view when nothing was."""

        def work(_: Cancelled) -> Iterator[Message]:
            with self._lock(view):
                grown = view.refreshed()
            yield SessionGrown(view, grown, grown.select(Filter(kinds=frozenset({Kind.USER}))))

        self._ask(to, "refresh", work)

    def release(self, view: SessionView) -> None:
        """Let a view's source go, once nobody reads it any more."""

        def run() -> None:
            with self._lock(view):
                view.close()

        threading.Thread(target=run, name="unspool-release", daemon=True).start()

    def choose(self, to: Widget, view: SessionView, words: str, case: Case, generation: int) -> None:
        """Answer a filter line: `Chosen`, several times while a search runs."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            for choice in choose(view, words, case=case, cancelled=cancelled):
                yield Chosen(generation, choice)

        self._ask(to, "choose", work, generation)

    def weigh(self, to: Widget, view: SessionView, words: str, case: Case, generation: int) -> None:
        """Weigh the outputs that a filter line chooses: `LedgerWeighed`, several times while a search runs."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            for weighed in weigh(view, words, case=case, cancelled=cancelled):
                yield LedgerWeighed(generation, weighed)

        self._ask(to, "choose", work, generation)

    def touch(
        self, to: Widget, view: SessionView, rows: Sequence[int], generation: int, *, touched: bool = False
    ) -> None:
        """Look for the paths that rows touch, the heaviest or the most `touched` first.

        `PathsTouched` comes several times while calls are read.
        """

        def work(cancelled: Cancelled) -> Iterator[Message]:
            for found in touch(view, rows, cancelled, touched=touched):
                yield PathsTouched(generation, found)

        self._ask(to, "touch", work, generation)

    def read_rows(self, to: Widget, view: SessionView, rows: Sequence[int], query: str, case: Case) -> None:
        """Read the words of rows, and their first match of a query: `RowsRead`."""

        def work(_: Cancelled) -> Iterator[Message]:
            with self._lock(view):
                evidence = view.evidence_rows(rows)
                calls = view.evidence_rows([call for row in rows if (call := call_of(view, row)) is not None])
                hits = hits_of(view, evidence, query, case) if query else {}
            yield RowsRead(view, query, (*evidence, *calls), hits)

        self._ask(to, "rows", work)

    def read_overview(self, to: Widget, view: SessionView) -> None:
        """Read the thread: `OverviewRead`."""

        def work(_: Cancelled) -> Iterator[Message]:
            with self._lock(view):
                overview = view.overview(OVERVIEW_ITEMS)
            yield OverviewRead(view, overview)

        self._ask(to, "overview", work)

    def lay_out(self, to: Widget, overview: Overview, width: int) -> None:
        """Wrap a long thread for a width: `ThreadLaidOut`."""

        def work(_: Cancelled) -> Iterator[Message]:
            yield ThreadLaidOut(overview, width, lay_out(overview, width))

        self._ask(to, "layout", work)

    def read_piece(
        self, to: Widget, view: SessionView, row: int, generation: int, *, query: str = "", case: Case = "smart",
        line: int | None = None, last: bool = False,
    ) -> None:  # fmt: skip
        """Read a piece for the reader, at its first (or `last`) match of a query or at a line: `PieceRead`."""

        def work(_: Cancelled) -> Iterator[Message]:
            with self._lock(view):
                piece = open_piece(view, row, line=line, query=query, case=case, last=last)
            yield PieceRead(generation, piece)

        self._ask(to, "piece", work, generation)

    def find_match(
        self, to: Widget, view: SessionView, rows: Sequence[int], row: int, words: str, case: Case, by: int,
        generation: int,
    ) -> None:  # fmt: skip
        """Look among rows for the next one behind `row` (before it with a negative `by`) that matches: `MatchFound`."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            found, wrapped = next_matching(view, rows, row, words, by, case=case, cancelled=cancelled)
            yield MatchFound(generation, words, by, found, wrapped)

        self._ask(to, "walk", work, generation)

    def read_window(self, to: Widget, view: SessionView, request: Request, generation: int) -> None:
        """Read the window that the reader wants: `WindowRead`."""

        def work(_: Cancelled) -> Iterator[Message]:
            with self._lock(view):
                window = answer(view, request)
            yield WindowRead(generation, window)

        self._ask(to, "window", work, generation)

    def search_all(self, to: Widget, words: str, generation: int, case: Case = "smart") -> None:
        """Search all sessions: `SessionHitsFound` for each with hits, then `SearchEnded`; nothing for no words."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            wanted, query = Filter.parse(words)
            if not query:
                return
            wanted = wanted.with_(reasoning=True, hidden=True)
            with self._finding:
                searching = self._library.searching(query, filter=wanted, case=case, cancelled=cancelled)
            left = self._limits.hits
            for found in searching.hits(self._limits.hits):
                left -= len(found.result.hits)
                if found.result.hits:
                    shown = found.result.hits[: self._limits.hits_each]
                    yield SessionHitsFound(generation, found.summary, shown, found.result.total)
            yield SearchEnded(generation, left <= 0)

        self._ask(to, "search", work, generation)

    def take_reference(self, to: Widget, view: SessionView, wanted: EvidenceId, lines: tuple[int, int] | None) -> None:
        """Make a reference with its digest: `TextTaken`."""

        def work(_: Cancelled) -> Iterator[Message]:
            with self._lock(view):
                reference = str(view.reference(wanted, lines))
            yield TextTaken("reference", reference, len(reference), wanted)

        self._ask(to, "take", work)

    def take_text(self, to: Widget, view: SessionView, wanted: EvidenceId, *, exact: bool = False) -> None:
        """Read a text to be copied, of a shell call its command; `exact` when it is not to be cleaned: `TextTaken`."""

        def work(_: Cancelled) -> Iterator[Message]:
            with self._lock(view):
                row = view.row(wanted)
                command = command_of(view.tool(row), view.arguments(row))
                window = view.slice(wanted, max_bytes=COPIED_BYTES)
            text = window.text if window.at_end else ""
            if command is not None:
                yield TextTaken("exact" if exact else "command", command, size(command), wanted)
            else:
                yield TextTaken("exact" if exact else "text", text, window.total_bytes, wanted)

        self._ask(to, "take", work)

    def read_record(self, to: Widget, view: SessionView, line: int) -> None:
        """Read the beginning of a line as it is stored: `RecordRead`."""

        def work(_: Cancelled) -> Iterator[Message]:
            with self._lock(view):
                reading = view.read(f"E{line - 1}", raw=True, bounds=Bounds(max_items=1, max_bytes=RECORD_BYTES))
            yield RecordRead(line, "\n".join(piece.text for piece in reading.pieces))

        self._ask(to, "record", work)

    def _view(self, target: str) -> tuple[SessionView, Target]:
        """Take a view; finding it looks into the library's list, reading it does not."""
        with self._finding:
            found = self._library.resolve_target(target)
        return self._library.view(found), found

    def _next(self, found: Iterator[SessionSummary]) -> SessionSummary | None:
        with self._finding:
            return next(found, None)

    def _lock(self, view: SessionView) -> threading.Lock:
        return self._locks.setdefault(view, threading.Lock())

    def _ask(self, to: Widget, group: str, work: Work, generation: int = 0) -> None:
        ask(to, group, work, generation)


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


def paths_like(typed: str) -> tuple[str, ...]:
    """Return the paths that begin as typed, sorted, at most `PATHS_OFFERED`; `~` stays as it is."""
    folder, _, begun = typed.rpartition("/")
    where = os.path.expanduser(f"{folder}/" if "/" in typed else "./")
    before = typed[: len(typed) - len(begun)]
    names: list[str] = []
    with suppress(OSError), os.scandir(where) as entries:
        names += (f"{entry.name}{'/' if entry.is_dir() else ''}" for entry in entries)
    fitting = (name for name in names if name.startswith(begun) and (begun or not name.startswith(".")))
    return tuple(before + name for name in sorted(fitting)[:PATHS_OFFERED])


def places_of(library: Library) -> tuple[Place, ...]:
    """Return where was looked for sessions, and what was found there."""
    places = []
    for report in library.scanned():
        trouble = report.errors[0] if report.errors else None
        agent = report.agent or ", ".join(report.found)
        places.append(
            Place(agent, report.path, sum(report.found.values()), report.exists, trouble.reason if trouble else None)
        )
    return tuple(places)
