"""What is asked about sessions: which there are, and what a row and the preview say of each."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Final

from unspool.errors import UnspoolError
from unspool_tui.first.frame import NEWEST
from unspool_tui.gateway.places import places_of
from unspool_tui.gateway.questions import Questions
from unspool_tui.messages.listing import DemoBegun, PathsListed, PreviewRead, SessionMeasured, SessionsFound
from unspool_tui.messages.taking import SessionLent
from unspool_tui.worker import Cancelled, ask

if TYPE_CHECKING:
    from textual.message import Message
    from textual.widget import Widget

    from unspool.library.summary import SessionSummary
    from unspool_tui.gateway.lookout import Lookout
    from unspool_tui.present.session_row import Details

BATCH_SECONDS: Final = 0.05
"""How often found sessions are shown while more are looked for."""

PATHS_OFFERED: Final = 50
"""Paths that repeated tabs go through: in a fuller folder a person types on."""


class SessionQuestions(Questions):
    """Questions about sessions, before one is opened."""

    def begin_demo(self, to: Widget) -> None:
        """Let the scripted agent write a session in a folder of its own: `DemoBegun`."""

        def work(_: Cancelled) -> Iterator[Message]:
            from unspool.library.opening import open_library
            from unspool_tui.demo import Stage  # what few need is not loaded for all

            with ExitStack() as held:
                stage = held.enter_context(Stage())
                stage.begin()
                yield DemoBegun(stage, open_library([str(stage.folder)]))
                held.pop_all()  # somebody has it now

        ask(to, "demo", work, lasting=True)

    def list_sessions(self, to: Widget, generation: int) -> None:
        """Look for sessions; `SessionsFound` comes in batches, newest first."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            batch: list[SessionSummary] = []
            shown = time.monotonic()
            with self._finding:
                newest = tuple(self._library.newest(NEWEST, again=False))  # the first frame has listed them
            if newest:
                yield SessionsFound(generation, newest, False)
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

    def look_out(self, to: Widget, known: tuple[SessionSummary, ...]) -> Lookout:
        """List the sessions again, until it is stopped, whenever they are not those `known`: `SessionsRelisted`.

        `RootsPolled` says how they are looked for.
        """
        from unspool_tui.gateway.lookout import Lookout

        lookout = Lookout(to, self._library, self._finding, known)
        lookout.begin()
        return lookout

    def measure(self, to: Widget, summaries: Sequence[SessionSummary]) -> None:
        """Read sessions in full for their rows, one after the other; `SessionMeasured` comes for each."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            for summary in summaries:
                if cancelled():
                    return
                if summary.bytes <= self._limits.measured_bytes:
                    with suppress(UnspoolError):  # the list shows what it knows; opening it says what is wrong
                        yield SessionMeasured(summary.ref, self._measured(summary))

        self._ask(to, "measure", work)

    def preview(self, to: Widget, summary: SessionSummary) -> None:
        """Read a session for the preview: `PreviewRead`."""

        def work(_: Cancelled) -> Iterator[Message]:
            from unspool_tui.present.preview import preview_of

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
            view.close()
            with suppress(UnspoolError):
                yield SessionMeasured(summary.ref, self._measured(summary))

        self._ask(to, "preview", work)

    def lend(self, to: Widget, summary: SessionSummary) -> None:
        """Read a session for what leaves the app: `SessionLent`. Its source is let go with the view."""

        def work(_: Cancelled) -> Iterator[Message]:
            yield SessionLent(summary, self._view(str(summary.ref))[0])

        self._ask(to, "lend", work)

    def list_paths(self, to: Widget, typed: str) -> None:
        """Look for paths that begin as typed: `PathsListed`, folders with a slash at their end."""

        def work(_: Cancelled) -> Iterator[Message]:
            yield PathsListed(typed, paths_like(typed))

        self._ask(to, "paths", work)

    def _measured(self, summary: SessionSummary) -> Details:
        """Read a session, in all its parts, for its row."""
        from unspool_tui.present.preview import details_of
        from unspool_tui.present.session_row import Details

        details = Details(0, 0, 0)
        for ref in summary.parts or (summary.ref,):
            view = self._view(str(ref))[0]
            details += details_of(view)
            view.close()
        return details

    def _next(self, found: Iterator[SessionSummary]) -> SessionSummary | None:
        with self._finding:
            return next(found, None)


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
