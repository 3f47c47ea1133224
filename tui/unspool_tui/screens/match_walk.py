"""From match to match: through the windows of a piece, on to the next piece that holds one, and round again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from unspool_tui.keymap import bindings
from unspool_tui.present.steps import round_step, turned
from unspool_tui.screens.chrome import Chrome
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.reader import Reader

if TYPE_CHECKING:
    from unspool_tui.messages.reading import MatchFound, PieceRead


class MatchWalk(Chrome):
    """Repeats the search that was made last: the free words of the filter, or those typed in the reader."""

    BINDINGS = bindings("match.next", "match.previous", "search.case")

    _waiting_step = 0
    """The step that was wished for while a piece was on its way to the reader; 0 for none."""
    _walk_generation = 0

    def action_match(self, by: int) -> None:
        """Go to the next match: in this piece, else in the next one that has some.

        Where the reader is out of sight it comes into sight first, with the match that it stands at.
        """
        subject = self.reader.subject
        hidden = self.single and self.pane != "reader"
        if not self.reader.words:
            key = key_for(self.app, "filter.edit")
            self.say((("nothing is searched   ", "muted"), (key, "text bold"), (" begins", "muted")))
        elif self.row is not None and (subject is None or subject.evidence.row != self.row):
            self._waiting_step = by
        else:
            self.say(())
            if hidden:
                self.use("reader")
            if not hidden or self.reader.body.found.spot is None:
                self.reader.next_match(backward=by < 0)

    def on_piece_read(self, event: PieceRead) -> None:
        """Show a piece in the reader, and take the step that waited for it."""
        if event.generation != self._piece_generation:
            return
        if event.generation == self._renewed_generation:
            self.reader.renew(event.opened)
            self.show_keys()
            return
        self.reader.show(event.opened)
        self.show_keys()
        step, self._waiting_step = self._waiting_step, 0
        if step:
            self.action_match(step)

    def forget_words(self) -> bool:
        """Give up words that were typed in the reader; return whether there were some."""
        if not self.reader.words or self.reader.words == self.query_text:
            return False
        self.reader.words = self.query_text
        self.show_keys()
        return True

    @on(Reader.WordsTyped)
    def _words_typed(self) -> None:
        self.entered(self.pane)

    @on(Reader.SearchEnded)
    def _piece_searched(self, event: Reader.SearchEnded) -> None:
        """Go on behind the piece: the filter's matches are known, others are looked for."""
        by = -1 if event.backward else 1
        choice = self.choice
        if event.words != self.reader.words or choice is None or self.row is None or self.view is None:
            return
        if event.words == self.query_text:
            rows = choice.listing.without_guest().rows
            row, wrapped = round_step(rows, self.row, by)
            if wrapped and not choice.listing.complete:
                self.when_known("goes to the match", lambda: self._piece_searched(event))
            else:
                self._land(row, by, wrapped=wrapped)
        else:
            self._walk_generation += 1
            self.wait_for("walk", (("searching on …", "muted"),))
            rows = choice.listing.without_guest().rows
            self.gateway.find_match(self, self.view, rows, self.row, event.words, self.case, by, self._walk_generation)

    def on_match_found(self, event: MatchFound) -> None:
        """Go to the piece that was found, unless the person went on meanwhile."""
        if event.generation == self._walk_generation and self.arrived("walk"):
            self._land(event.row, event.by, wrapped=event.wrapped)

    def action_case(self) -> None:
        """Search with another case."""
        self.case = {"smart": "exact", "exact": "ignore", "ignore": "smart"}[self.case]  # type: ignore[assignment]
        self.reader.case = self.case
        self.say((("case ", "muted"), (self.case, "text")))
        self.choose(self.filter_line.words)

    def _land(self, row: int | None, by: int, *, wrapped: bool) -> None:
        """Go to a piece, at its first match, or at its last one when walking back."""
        if row is None:
            self.say((("no match", "muted"),))
            return
        self.go(row, again=True, landing=by)
        self.say(turned(by, "match") if wrapped else ())
