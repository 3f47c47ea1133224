"""The search over all sessions: hits stream in, newest session first, and each opens at its match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical

from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.present import numbers
from unspool_tui.present.bars import WIDE_FROM, Top
from unspool_tui.present.filter_words import SEARCH_HINT, SEARCH_VALUES
from unspool_tui.present.hit_rows import FoundPiece, FoundSession
from unspool_tui.present.session_filter import taken_apart
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.copying import Copying
from unspool_tui.widgets.filter_line import FilterLine
from unspool_tui.widgets.hit_list import HitList
from unspool_tui.widgets.key_bar import KeyBar
from unspool_tui.widgets.prompt_line import PromptLine
from unspool_tui.widgets.record_list import RecordList
from unspool_tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from unspool_tui.gateway import Gateway
    from unspool_tui.messages.failed import Failed
    from unspool_tui.messages.searching import SearchEnded, SessionHitsFound
    from unspool_tui.present.cells import Row
    from unspool_tui.screens.clock import Clock


class SearchScreen(Copying):
    """Asks for words, and lists what holds them."""

    DEFAULT_CSS = """
    SearchScreen { layers: base above; }
    SearchScreen > Vertical { height: 1fr; }
    """
    NAME = "Search"
    PANES = ("hits",)
    BINDINGS = bindings("filter.edit", "copy.reference")

    def __init__(self, gateway: Gateway, clock: Clock) -> None:
        super().__init__()
        self._gateway = gateway
        self._clock = clock
        self._generation = 0
        self._pieces = self._sessions = 0
        self._searched = ""

    def compose(self) -> ComposeResult:
        """Put the words above the hits."""
        yield TopBar()
        with Vertical():
            yield FilterLine(SEARCH_HINT, dict(SEARCH_VALUES))
            yield HitList(id="hits")
        yield PromptLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Begin with the words."""
        self.query_one(TopBar).top = Top(("Search all sessions",))
        self._hits.zone, self._hits.now = self._clock.zone, self._clock.now()
        self._hits.note = "type what to look for"
        self.query_one(FilterLine).edit()
        self.call_after_refresh(self.entered, "hits")  # no list was left for the words

    @on(FilterLine.Changed)
    def _words_changed(self, event: FilterLine.Changed) -> None:
        self._generation += 1
        self._pieces = self._sessions = 0
        self._searched = event.words
        self._hits.note = "searching …" if event.words.strip() else "type what to look for"
        self._hits.clear()
        self._say(())
        self._gateway.search_all(self, event.words, self._generation, self._clock.now())

    def on_session_hits_found(self, event: SessionHitsFound) -> None:
        """Add a session's hits."""
        if event.generation == self._generation:
            self._pieces += event.total
            self._sessions += 1
            found = [FoundPiece(event.summary, hit) for hit in event.hits]
            self._hits.add(FoundSession(event.summary, event.total), found)
            self._say((("  so far", "muted"),))

    def on_search_ended(self, event: SearchEnded) -> None:
        """Say that this was all."""
        if event.generation == self._generation:
            self._hits.note = "nothing found"
            self._hits.redraw()
            self._say((("  more than are shown; narrow the words", "muted"),) if event.cut else ())

    def on_failed(self, event: Failed) -> None:
        """Say what is wrong with the words."""
        if event.generation == self._generation:
            self._hits.note = ""
            self._hits.redraw()
            self.query_one(FilterLine).say(((clean(event.said, newline=False), "error"),))

    @on(FilterLine.Left)
    def _line_left(self, event: FilterLine.Left) -> None:
        if event.kept:
            self.use("hits")
        else:
            self.dismiss()

    @on(RecordList.Opened)
    def _opened(self) -> None:
        found = self._hits.piece
        if found is not None:
            target = f"{found.summary.ref}/{found.hit.evidence.id}"
            _, words = taken_apart(self._searched)
            self.app.push_screen(BrowseScreen(self._gateway, target, found.summary, clock=self._clock, words=words))

    def entered(self, pane: str) -> None:
        """Show the keys of what has the focus."""
        self._hits.wide = self.app.size.width >= WIDE_FROM
        self.query_one(KeyBar).pane = "filter" if self.query_one(FilterLine).typing else "hits"

    def on_descendant_blur(self) -> None:
        """Follow the focus out of the words."""
        self.call_after_refresh(self.entered, self.pane)

    def action_find(self) -> None:
        """Type other words."""
        self.query_one(FilterLine).edit()

    def action_take_reference(self) -> None:
        """Copy where the hit under the cursor is."""
        found = self._hits.piece
        if found is not None:
            piece = f"{found.hit.evidence.id}"
            self.copy_out(f"{found.summary.ref}/{piece}", ((f"…/{piece}", "text"),))

    def action_back(self) -> None:
        """Go back to the sessions."""
        self.dismiss()

    def action_leave(self) -> None:
        """Go back to the sessions."""
        self.dismiss()

    @property
    def _hits(self) -> HitList:
        return self.query_one(HitList)

    def _say(self, more: Row) -> None:
        if self._pieces:
            said = f"{numbers.plural(self._pieces, 'piece')} in {numbers.plural(self._sessions, 'session')}"
            self.query_one(FilterLine).say(((said, "text"), *more))
        else:
            self.query_one(FilterLine).say(())
