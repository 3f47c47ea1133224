"""The sessions screen: everything that was found, newest first, and what the one under the cursor is about."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on

from unspool.text import clean
from unspool_tui.keymap import bindings
from unspool_tui.present import marks
from unspool_tui.present.filter_words import SESSION_VALUES, SESSIONS_HINT, left_over
from unspool_tui.present.help_rows import SESSION_WORDS
from unspool_tui.present.session_bars import LOOKING, agent_facets, top_of, trouble_row
from unspool_tui.present.session_filter import BadWord, SessionFilter, with_word
from unspool_tui.present.session_row import agent_counts, arranged
from unspool_tui.screens.looking_out import LookingOut
from unspool_tui.screens.newest_first import NewestFirstScreen
from unspool_tui.screens.previewing import Previewing
from unspool_tui.widgets.covered import CoveredColumn, CoveredRow
from unspool_tui.widgets.empty_state import EmptyState
from unspool_tui.widgets.facet_bar import FacetBar
from unspool_tui.widgets.filter_line import FilterLine
from unspool_tui.widgets.key_bar import KeyBar
from unspool_tui.widgets.prompt_line import PromptLine
from unspool_tui.widgets.record_list import RecordList
from unspool_tui.widgets.session_list import ColumnNames, SessionList
from unspool_tui.widgets.session_preview import SessionPreview
from unspool_tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.widget import Widget

    from unspool.library.summary import SessionSummary
    from unspool_tui.gateway import Gateway
    from unspool_tui.messages.listing import DemoBegun, SessionMeasured, SessionsFound, SessionsRelisted
    from unspool_tui.present.empty_rows import Place
    from unspool_tui.screens.clock import Clock


class SessionsScreen(LookingOut, Previewing):
    """Lists sessions; opens one.

    The cursor begins on the one whose reference `read_last` returns, where that is listed, and goes there when another
    was read since the list was last seen.
    """

    NAME = "Sessions"
    WORDS = SESSION_WORDS
    PANES = ("sessions",)
    EDGE = ((marks.LIVE, "live"), (marks.WAITING, "user"))
    BINDINGS = bindings(
        "filter.edit", "sessions.search", "sessions.live", "sessions.again", "sessions.demo", ("app.leave", "quit")
    )  # fmt: skip

    def __init__(self, gateway: Gateway, clock: Clock, read_last: Callable[[], str] = str) -> None:
        super().__init__(gateway, clock)
        self._read_last = read_last
        self._began: str | None = None
        self._generation = 0
        self._found: dict[str, SessionSummary] = {}
        self._places: tuple[Place, ...] = ()
        self._done = False

    def compose(self) -> ComposeResult:
        """Put the list beside the preview."""
        yield TopBar()
        with CoveredRow(id="body"):
            with CoveredColumn(id="list"):
                yield FacetBar()
                yield FilterLine(SESSIONS_HINT, dict(SESSION_VALUES))
                yield ColumnNames()
                yield SessionList(id="sessions")
            yield SessionPreview()
        yield EmptyState()
        yield PromptLine()
        yield KeyBar()

    def on_screen_resume(self) -> None:
        """Begin to look for sessions the first time the screen is seen, and tell ages anew each time."""
        before, self._began = self._began, self._read_last()
        here = str(self.summary.ref) if self.summary is not None else ""
        if before is None:
            self._list.begin = self._began
            self.use("sessions")
            self.look()
        elif self._began not in (before, here):
            self._list.begin = self._began
            self._show()
        self._tell_ages()
        if self._done:
            self.look_out(tuple(self._found.values()))

    def look(self) -> None:
        """Look for sessions, from the beginning."""
        self._generation += 1
        self._done = False
        self._found = {}
        self._take_turns(False)
        self._list.begin_anew()
        self.gateway.list_sessions(self, self._generation)
        self._show()

    @property
    def drawn(self) -> bool:
        """Whether sessions are shown, or that there are none."""
        return super().drawn and not self.looking

    @property
    def looking(self) -> bool:
        """Whether nothing was found yet, and there may be something."""
        return not self._done and not self._found

    def on_sessions_found(self, event: SessionsFound) -> None:
        """Show what was found so far."""
        if event.generation != self._generation:
            return
        self._found |= {str(summary.ref): summary for summary in event.summaries}
        self._done = event.done
        self._places = event.places or self._places
        self._show()
        if event.done and self.is_current:
            self.look_out(tuple(self._found.values()))

    def on_sessions_relisted(self, event: SessionsRelisted) -> None:
        """Show what came, went, moved or grew by itself; the cursor stays on its session."""
        if not self.looks_out or not self._done:
            return
        before, self._places = self._found, event.places
        self._found = {str(summary.ref): summary for summary in event.summaries}
        self._list.grow(event.summaries, before)
        self._show(again=True)

    def on_session_measured(self, event: SessionMeasured) -> None:
        """Fill in a row."""
        self._list.learn(event.ref, event.details)

    def on_session_list_wanted(self, event: SessionList.Wanted) -> None:
        """Measure the sessions in view."""
        self.gateway.measure(self, event.summaries)

    @on(SessionList.ProjectsMeasured)
    def _projects_measured(self, event: SessionList.ProjectsMeasured) -> None:
        self.query_one(ColumnNames).projects = event.width

    @on(RecordList.Moved)
    def _moved(self) -> None:
        self.preview()

    @on(RecordList.Opened)
    def _opened(self) -> None:
        summary = self._list.summary
        if summary is not None:
            self.app.push_screen(NewestFirstScreen(self.gateway, str(summary.ref), summary, clock=self.clock))

    @on(FilterLine.Changed)
    def _filtered(self) -> None:
        self._show()

    @on(FilterLine.Left)
    def _filter_left(self) -> None:
        self.use("sessions")

    @on(FacetBar.Clicked)
    def _agent_clicked(self, event: FacetBar.Clicked) -> None:
        line = self.query_one(FilterLine)
        line.write(with_word(line.words, "agent", None if event.word == "all" else event.word))
        self._show()

    def entered(self, pane: str) -> None:
        """Show the keys of what has the focus."""
        typing = self.query_one(FilterLine).typing
        self.query_one(FacetBar).lit = not typing
        self.query_one(KeyBar).pane = "filter" if typing else "empty" if self.has_class("empty") else "sessions"

    def on_descendant_blur(self) -> None:
        """Follow the focus out of the filter line."""
        self.call_after_refresh(self.entered, self.pane)

    def action_find(self) -> None:
        """Type a filter."""
        self.query_one(FilterLine).edit()

    def action_live(self) -> None:
        """Show live sessions only, or all again."""
        line = self.query_one(FilterLine)
        live = SessionFilter.parse(line.words).live
        line.write(with_word(line.words, "is", None if live else "live"))
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say whether an action does something here: the demo is for who has no session."""
        return self.has_class("empty") if action == "demo" else super().check_action(action, parameters)

    def action_demo(self) -> None:
        """Let the scripted agent begin."""
        self.wait_for("demo", (("an agent begins …", "muted"),))
        self.gateway.begin_demo(self)

    def on_demo_begun(self, event: DemoBegun) -> None:
        """Let the app show it, unless the person went on meanwhile."""
        if not self.arrived("demo"):
            event.stop()
            event.stage.remove()

    def action_again(self) -> None:
        """Look again."""
        self.look()

    def action_back(self) -> None:
        """Clear the filter."""
        if self.query_one(FilterLine).words:
            self.query_one(FilterLine).write("")
            self._show()

    def action_leave(self) -> None:
        """Quit."""
        self.app.exit(0)

    @property
    def summary(self) -> SessionSummary | None:
        """The session under the cursor."""
        return self._list.summary

    @property
    def _list(self) -> SessionList:
        return self.query_one(SessionList)

    def _show(self, *, again: bool = False) -> None:
        """Bring list, facets, bars and preview in step with what was found and what is filtered.

        With `again` it is the same list, in which some things are others now.
        """
        line = self.query_one(FilterLine)
        try:
            wanted = SessionFilter.parse(line.words)
        except BadWord as error:
            line.say(((clean(str(error), newline=False), "error"),))
            return
        now = self.clock.now()
        everything = list(self._found.values())
        line.values |= _values(everything)
        found = [summary for summary in everything if summary.empty is wanted.empty]
        shown = [summary for summary in found if wanted.fits(summary, now)]
        self._tell_ages()
        self._list.show(arranged(shown, here=_here(), now=now, zone=self.clock.zone), again=again)
        line.say(left_over(_families(shown), _families(found), None) if line.words else ())
        self._show_bars(wanted, found, sum(summary.empty for summary in everything))
        self._take_turns(self._done and not everything)
        self.query_one(EmptyState).places = self._places
        self.entered(self.pane)
        self.preview()

    def _take_turns(self, empty: bool) -> None:
        """Show the list, or what stands in its place, and let the keys go there."""
        if empty is not self.has_class("empty"):
            self.set_class(empty, "empty")
            self.use("sessions")  # now: the next key may be meant for what is about to be drawn

    def pane_widget(self, pane: str) -> Widget:
        """Return the list, or what stands in its place."""
        return self.query_one(EmptyState) if self.has_class("empty") else super().pane_widget(pane)

    def _show_bars(self, wanted: SessionFilter, found: list[SessionSummary], empty: int) -> None:
        bar = self.query_one(FacetBar)
        bar.facets = agent_facets(found, self._places)
        bar.chosen = frozenset({wanted.agent} if wanted.agent else {"all"})
        bar.title = "Sessions"
        self.query_one(TopBar).top = top_of(found, empty) if self._done else LOOKING
        live = wanted.live or any(summary.live for summary in found)
        self.query_one(KeyBar).idle = frozenset() if live else frozenset({"sessions.live"})
        trouble = trouble_row(self._places) if self._done and found else ()  # without sessions the pane itself says so
        if trouble:
            self.say(trouble, loud=True, stays=True)

    def _tell_ages(self) -> None:
        for each in (self._list, self.query_one(SessionPreview)):
            each.zone, each.now = self.clock.zone, self.clock.now()


def _values(summaries: list[SessionSummary]) -> dict[str, tuple[str, ...]]:
    """Return what the filter line completes to: the agents and projects that there are."""
    projects = {clean(summary.project, newline=False) for summary in summaries if summary.project}
    return {"agent:": tuple(agent_counts(summaries)), "project:": tuple(sorted(projects))}


def _families(summaries: list[SessionSummary]) -> int:
    """Count sessions without their children."""
    return sum(summary.parent is None for summary in summaries)


def _here() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None
