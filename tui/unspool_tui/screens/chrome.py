"""What stands around the panes of a session: top bar, facets, key bar, and which panes are in sight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual import on

from unspool.text import clean
from unspool_tui.present import numbers
from unspool_tui.present.bars import WIDE_FROM, Top
from unspool_tui.present.facets import FACETS, chosen_of
from unspool_tui.present.filter_words import kept_aside, left_over
from unspool_tui.present.follow_rows import Pulse, pulse_row
from unspool_tui.present.steps import step
from unspool_tui.present.titles import project_of, title_of_view
from unspool_tui.screens.room import Room
from unspool_tui.widgets.facet_bar import FacetBar
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.key_bar import KeyBar
from unspool_tui.widgets.reader import Reader
from unspool_tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from unspool_tui.present.choosing import Choice


class Chrome(Room):
    """Keeps the bars in step with the panes."""

    def entered(self, pane: str) -> None:
        """Show the pane in use, light it, and name its keys."""
        self._show_panes(pane)
        typing = self.filter_line.typing
        self.query_one(FacetBar).lit = pane == "evidence" and not typing
        self.rail.light(lit=pane == "overview")
        self.evidence.wide = self.app.size.width >= WIDE_FROM
        self.show_keys()
        self.show_top()

    def show_keys(self) -> None:
        """Name the keys that do something in the pane in use, on the piece that is read."""
        bar = self.query_one(KeyBar)
        bar.pane = "filter" if self.filter_line.typing else self._keys_of(self.pane)
        bar.idle = self.reader.idle | frozenset(self._leads_nowhere())

    def _leads_nowhere(self) -> Iterator[str]:
        """Yield the walks for which there is nothing to go to, as far as that is known."""
        if self.view is None or self.row is None or self.view.peer_row(self.row) is None:
            yield "piece.peer"
        if not self._part_words():
            yield "part.previous"
        if self.view is not None and step(self.prompts, self.row, 1) is None:
            yield "turn.next"
        if self.choice is not None and self.settled:
            if not self.choice.listing.walked:
                yield "error.next"
            if not self.choice.filter.reasoning and not self.choice.facets.get("reasoning"):
                yield "show.reasoning"

    @on(Reader.Turned)
    def _turned(self) -> None:
        self.show_keys()

    def on_descendant_blur(self) -> None:
        """Follow the focus out of the filter line."""
        self.call_after_refresh(self.entered, self.pane)

    def show_choice(self, choice: Choice) -> None:
        """Bring the facets in step with what was chosen, and say what the filter left."""
        bar = self.query_one(FacetBar)
        bar.title = f"Evidence {numbers.count(choice.total)}"
        bar.facets = tuple((facet, choice.facets.get(facet.word, 0)) for facet in FACETS)
        bar.chosen = chosen_of(choice.filter)
        if choice.words:
            listing = choice.listing
            told = left_over(
                listing.pieces, choice.total, choice.matches, complete=listing.complete, where=self.read_part
            )
            self.filter_line.say(told)
        else:
            self.filter_line.say(self._kept_aside(choice))
        self.entered(self.pane)

    def show_top(self) -> None:
        """Say whose session this is."""
        title = title_of_view(self.view, self.summary) or clean(self.target, newline=False)
        facts: list[str] = []
        if self.view is not None:
            view = self.view
            when = numbers.span(view.started_at, view.last_activity, self.clock.now(), self.clock.zone)
            facts = [view.agent, self._part_words(), project_of(view, self.summary), when, numbers.size(view.size)]
        panes = self.PANES if self.single else ()
        shown = tuple(fact for fact in facts if fact)
        state = pulse_row(self.pulse())
        if panes and self._part_words():  # the panes' names take the room of the facts
            state = ((f"  {self._part_words()}", "muted"), *state)
        self.query_one(TopBar).top = Top((title,), facts=shown, state=state, panes=panes, pane=self.pane)

    def pulse(self) -> Pulse:
        """Say how it goes with the session, as far as the list knew."""
        summary = self.summary
        return Pulse(summary is not None and summary.live, bool(summary is not None and summary.waiting))

    def _part_words(self) -> str:
        """Say which part of a session of several is shown."""
        several = self.part is not None and self.summary is not None and len(self.summary.parts) > 1
        return f"part {self.part} of {len(self.summary.parts)}" if several and self.summary is not None else ""

    def _keys_of(self, pane: str) -> str:
        """Return the name of the key bar: another one where matches can be walked."""
        if pane == "evidence" and self.query_text:
            return "matches"
        if pane != "reader" or not (self.reader.words or self.reader.asking):
            return pane
        if self.reader.asking:
            return "find"
        return "found" if self.reader.words == self.query_text else "sought"

    def _show_panes(self, pane: str) -> None:
        single = self.single
        self.rail.set_class(single, "alone")
        self.rail.display = not single or pane == "overview"
        self.query_one("#right").display = not single or pane != "overview"
        self.query_one("#upper").display = not single or pane != "reader"
        self.reader.display = not single or pane == "reader"

    def _kept_aside(self, choice: Choice) -> tuple[tuple[str, str], ...]:
        unreadable = len(self.view.faults) if self.view is not None else 0
        counts = {word: choice.facets.get(word, 0) for word in ("reasoning", "hidden")} | {"unreadable": unreadable}
        return kept_aside([(key_for(self.app, f"show.{word}"), word, count) for word, count in counts.items()])
