"""Ways through a session: errors, prompts, matches, counterparts, and straight to a place."""

from __future__ import annotations

from typing import Final

from textual import on

from unspool.errors import UnspoolError
from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.present.cells import Row, joined
from unspool_tui.present.facets import FACETS, switched, toggled, with_facets
from unspool_tui.present.steps import round_step, row_for, step, turned
from unspool_tui.screens.match_walk import MatchWalk
from unspool_tui.widgets.facet_bar import FacetBar
from unspool_tui.widgets.prompt_line import PromptLine
from unspool_tui.widgets.reader import Reader

GO_TO = ":"

OUTSIDE_FILTER: Final = "outside the filter"
"""What is said of a piece that is shown though the filter leaves it out."""


class Walks(MatchWalk):
    """The commands that lead from piece to piece, or choose among pieces."""

    _facet_generation = 0
    """Of the choice that a facet made last."""

    BINDINGS = bindings(
        "filter.edit", "error.next", "error.previous", "turn.next",
        "turn.previous", "piece.peer", "view.goto", "show.reasoning", "show.hidden",
        *(f"facet.{key}" for key in range(8)),
    )  # fmt: skip

    def action_find(self) -> None:
        """Type a filter."""
        self.use_evidence_for_filter()
        self.filter_line.edit()

    def use_evidence_for_filter(self) -> None:
        """Show the pane that the filter line stands in."""
        if self.single and self.pane != "evidence":
            self.use("evidence")

    def action_error(self, by: int) -> None:
        """Go to the next error that the list shows, past an end to the one at the other.

        Where the filter shows none the errors that it leaves out are walked, so that the last failure is never far.
        """
        listing = self.choice.listing if self.choice is not None else None
        row, wrapped = round_step(listing.walked if listing is not None else (), self.row, by)
        if not self.settled and (row is None or wrapped):
            does = f"goes to the {'next error' if by > 0 else 'error before'}"
            self.when_known(does, lambda: self.action_error(by))
        elif row is None:
            self.say((("no error here", "muted"),))
        else:
            self.go(row)
            outside: Row = () if listing is not None and listing.errors else ((OUTSIDE_FILTER, "muted"),)
            self.say(joined((turned(by, "error") if wrapped else (), outside)))

    def action_turn(self, by: int) -> None:
        """Go to the next prompt."""
        if self.view is None:
            does = f"goes to the {'next prompt' if by > 0 else 'prompt before'}"
            self.when_known(does, lambda: self.action_turn(by))
        else:
            self._step(step(self.prompts, self.row, by), "prompt", by)

    def action_peer(self) -> None:
        """Go from call to result, or back."""
        peer = self.view.peer_row(self.row) if self.view is not None and self.row is not None else None
        if peer is None:
            self.say((("no counterpart" if self.view is not None else "still reading", "muted"),))
        else:
            self.go(peer)

    @on(Reader.PeerWanted)
    def _peer_wanted(self) -> None:
        self.action_peer()

    def action_goto(self) -> None:
        """Ask where to go."""
        line = "a line of this text" if self.pane == "reader" else "a line of the file"
        self.ask(GO_TO, f"E128.2, {line}, or 10:42")

    @on(PromptLine.Answered)
    def _answered(self, event: PromptLine.Answered) -> None:
        prompt = self.query_one(PromptLine)
        said = self.go_where(event.answer) if event.answer is not None else ""
        if said:
            prompt.complain(clean(said, newline=False))
        else:
            prompt.close()
            self.use(self.pane or "evidence")

    def go_where(self, said: str) -> str:
        """Go where words lead; return why not when they lead nowhere."""
        if self.view is None:
            return "still reading"
        if self.pane == "reader" and said.isdecimal():
            self.reader.go_to_line(int(said))
            return ""
        try:
            self.go(row_for(self.view, said, self.clock.zone))
        except UnspoolError as error:
            return str(error)
        return ""

    def action_facet(self, key: int) -> None:
        """Choose a facet or give it up; 0 gives up all."""
        words = self.filter_line.words
        if key == 0:
            self.rewrite(with_facets(words, ()))
        else:
            self._toggle(FACETS[key - 1].word)

    @on(FacetBar.Clicked)
    def _facet_clicked(self, event: FacetBar.Clicked) -> None:
        self._toggle(event.word)

    def action_reasoning(self) -> None:
        """Show reasoning, or leave it out again."""
        self._switch("reasoning", on=not self.asked[0].reasoning, none="there is no reasoning here")

    def action_hidden(self) -> None:
        """Show twins, copies and abandoned branches, or leave them out again."""
        self._switch("hidden", on=not self.asked[0].hidden, none="nothing is hidden here")

    def _step(self, row: int | None, what: str, by: int) -> None:
        if row is None:
            self.say(((f"no {what} {'after' if by > 0 else 'before'} this", "muted"),))
        else:
            self.say(())
            self.go(row)

    def settle_on(self, row: int) -> None:
        """Go to the row that a choice left nearest; a facet never leads back: where none follows, the piece stays."""
        if self.view is None or self.row is None or row > self.row or self._facet_generation != self._choice_generation:
            self.go(row, "evidence")
        else:
            self.evidence.go(self.row)
            self.say(((f"nothing of this after {self.view.id(self.row)}", "muted"),))

    def _toggle(self, facet: str) -> None:
        self.rewrite(toggled(self.filter_line.words, self.asked[0], facet))
        self._facet_generation = self._choice_generation

    def _switch(self, state: str, *, on: bool, none: str) -> None:
        if on and self.answered and self.choice is not None and not self.choice.facets.get(state):
            self.say(((none, "muted"),))
            return
        self.rewrite(switched(self.filter_line.words, state, on=on))
