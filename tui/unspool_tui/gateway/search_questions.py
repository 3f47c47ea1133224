"""What is asked with words: which sessions, which rows and which outputs they choose, and the next match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from unspool.errors import BadQuery, UnspoolError
from unspool.views.filter import Filter
from unspool_tui.gateway.questions import Questions
from unspool_tui.messages.chosen import Chosen, LedgerWeighed, PathsTouched
from unspool_tui.messages.reading import MatchFound
from unspool_tui.messages.searching import SearchEnded, SessionHitsFound
from unspool_tui.messages.session import EndOpened
from unspool_tui.present.choosing import choose

if TYPE_CHECKING:
    from textual.message import Message
    from textual.widget import Widget

    from unspool.ids import SessionRef
    from unspool.search.needle import Case
    from unspool.views.view import SessionView
    from unspool_tui.present.session_filter import SessionFilter
    from unspool_tui.worker import Cancelled


class SearchQuestions(Questions):
    """Questions that a line of words asks, of one session or of all."""

    def search_all(self, to: Widget, words: str, generation: int, now: int, case: Case = "smart") -> None:
        """Search all sessions, or those that words of the session list choose; ages are told against `now`.

        `SessionHitsFound` comes for each with hits, then `SearchEnded`; nothing for an empty line.
        """

        def work(cancelled: Cancelled) -> Iterator[Message]:
            from unspool_tui.present.session_filter import BadWord, taken_apart

            if not words.strip():
                return
            try:
                sessions, left_over = taken_apart(words)
            except BadWord as error:
                raise BadQuery(str(error)) from error
            wanted, query = Filter.parse(left_over)
            if not query:
                raise BadQuery("needs words to look for too")
            wanted = wanted.with_(reasoning=True, hidden=True)
            with self._finding:
                refs = self._fitting(sessions, now) if sessions is not None else None
                searching = self._library.searching(query, refs=refs, filter=wanted, case=case, cancelled=cancelled)
            left = self._limits.hits
            for found in searching.hits(self._limits.hits):
                left -= len(found.result.hits)
                if found.result.hits:
                    shown = found.result.hits[: self._limits.hits_each]
                    yield SessionHitsFound(generation, found.summary, shown, found.result.total)
            yield SearchEnded(generation, left <= 0)

        self._ask(to, "search", work, generation)

    def _fitting(self, wanted: SessionFilter, now: int) -> list[SessionRef]:
        return [summary.ref for summary in self._library.sessions() if wanted.fits(summary, now)]

    def open_end(self, to: Widget, target: str) -> None:
        """Open the newest lines of a session that is still being read, to search them: `EndOpened`."""

        def work(_: Cancelled) -> Iterator[Message]:
            view = None
            with suppress(UnspoolError):  # whoever reads all of it is told what is wrong
                with self._finding:
                    found = self._library.resolve_target(target)
                view = self._library.end(found)
            yield EndOpened(view)

        self._ask(to, "end", work)

    def choose(self, to: Widget, view: SessionView, words: str, case: Case, generation: int) -> None:
        """Answer a filter line: `Chosen`, several times while a search runs."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            for choice in choose(view, words, case=case, cancelled=cancelled):
                yield Chosen(generation, choice)

        self._ask(to, "choose", work, generation)

    def weigh(self, to: Widget, view: SessionView, words: str, case: Case, generation: int) -> None:
        """Weigh the outputs that a filter line chooses: `LedgerWeighed`, several times while a search runs."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            from unspool_tui.present.weighing import weigh

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
            from unspool_tui.present.weighing import touch

            for found in touch(view, rows, cancelled, touched=touched):
                yield PathsTouched(generation, found)

        self._ask(to, "touch", work, generation)

    def find_match(
        self, to: Widget, view: SessionView, rows: Sequence[int], row: int, words: str, case: Case, by: int,
        generation: int,
    ) -> None:  # fmt: skip
        """Look among rows for the next one behind `row` (before it with a negative `by`) that matches: `MatchFound`."""

        def work(cancelled: Cancelled) -> Iterator[Message]:
            from unspool_tui.present.next_match import next_matching

            found, wrapped = next_matching(view, rows, row, words, by, case=case, cancelled=cancelled)
            yield MatchFound(generation, words, by, found, wrapped)

        self._ask(to, "walk", work, generation)
