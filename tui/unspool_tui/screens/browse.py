"""The browse screen: overview, evidence and reader of one session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from unspool.text import clean
from unspool_tui.gateway.left import Left
from unspool_tui.keymap import bindings
from unspool_tui.present.evidence_row import widest_name
from unspool_tui.present.filter_words import HINT, VALUES
from unspool_tui.present.paths import with_short_paths
from unspool_tui.present.tool_names import MostUsed
from unspool_tui.screens.clock import Clock
from unspool_tui.screens.following import Following
from unspool_tui.screens.lenses import Lenses
from unspool_tui.screens.taking import Taking
from unspool_tui.screens.walks import Walks
from unspool_tui.widgets.covered import CoveredColumn, CoveredRow
from unspool_tui.widgets.evidence_list import EvidenceList
from unspool_tui.widgets.facet_bar import FacetBar
from unspool_tui.widgets.filter_line import FilterLine
from unspool_tui.widgets.hints import key_for
from unspool_tui.widgets.key_bar import KeyBar
from unspool_tui.widgets.new_chip import NewChip
from unspool_tui.widgets.overview_rail import OverviewRail, ThreadList
from unspool_tui.widgets.prompt_line import PromptLine
from unspool_tui.widgets.reader import Reader
from unspool_tui.widgets.record_list import RecordList
from unspool_tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from unspool.library.summary import SessionSummary
    from unspool.views.view import SessionView
    from unspool_tui.gateway import Gateway
    from unspool_tui.messages.chosen import Chosen, RowsRead
    from unspool_tui.messages.failed import Failed
    from unspool_tui.messages.reading import WindowRead
    from unspool_tui.messages.session import SessionKnown, SessionOpened, ThreadLaidOut


class BrowseScreen(Walks, Following, Lenses, Taking):
    """Opens a session, unless it was `opened` before, and shows it; with `words`, filtered by them.

    With `follow` it begins at the end, and stays there.
    """

    BINDINGS = bindings("show.unreadable", "part.next", "part.previous", "sessions.search")

    def __init__(
        self,
        gateway: Gateway,
        target: str,
        summary: SessionSummary | None = None,
        *,
        clock: Clock | None = None,
        words: str = "",
        opened: SessionOpened | None = None,
        follow: bool = False,
    ) -> None:
        super().__init__(gateway, target, summary, clock or Clock(), words)
        self._opened = opened
        self._begins_at_end = self._tells = follow

    def compose(self) -> ComposeResult:
        """Put the overview at the left, evidence above the reader at the right."""
        yield TopBar()
        with CoveredRow(id="body"):
            yield OverviewRail()
            with CoveredColumn(id="right"):
                with CoveredColumn(id="upper"):
                    yield FacetBar()
                    yield FilterLine(HINT, dict(VALUES))
                    yield EvidenceList(id="evidence")
                    yield NewChip()
                yield Reader(id="reader")
        yield PromptLine()
        yield KeyBar()

    @property
    def drawn(self) -> bool:
        """Whether list and thread are shown."""
        return super().drawn and self.evidence.told and (self.single or self.rail.shows)

    def on_mount(self) -> None:
        """Open the session."""
        self.evidence.zone = self.rail.thread.zone = self.reader.tz = self.clock.zone
        self.evidence.note = "opening …"
        self.filter_line.write(self.words)
        self.use("evidence")
        self.show_top()
        self.watch(self.evidence, "scroll_y", self.tell_following, init=False)
        if self._opened is None:
            self.gateway.open(self, self.target)
        else:
            self.on_session_opened(self._opened)

    def on_unmount(self) -> None:
        """Let the session go."""
        self.end_following()

    # What comes back.

    def on_session_opened(self, event: SessionOpened) -> None:
        """Show what the session is, and ask for its list and its thread."""
        self.arrived("open")
        self.begin_following(event)
        if self.view is not None and self.view is not event.view:
            self.evidence.listing = None
        self.view, self.prompts = event.view, event.prompts
        self.row = None
        self.filter_line.values["tool:"] = MostUsed(event.view)
        self.evidence.folder = event.view.facts.cwd or ""
        self.evidence.names = widest_name(event.view)
        self._start = (event.row, event.line)
        left = self.gateway.left.get(event.view.ref) if event.row is None and not event.absence else None
        if left is not None and self.filter_line.words in ("", left.words):
            self._start = (event.view.row_of(left.piece), None)
            self.filter_line.write(left.words)
            self.evidence.unseen = left.rows if left.rows < event.view.rows else None
        if event.row is not None and self.narrow:
            self.use("reader")
        self.show_top()
        self.choose(self.filter_line.words)
        self.begin_thread()
        self.tell_lens(event.view)
        if event.absence:
            self.complain(event.absence)

    def on_session_known(self, event: SessionKnown) -> None:
        """Say what the list says about the session: its title, whether it lives."""
        self.summary = event.summary
        self.show_top()

    def on_thread_laid_out(self, event: ThreadLaidOut) -> None:
        """Show a long thread that was wrapped elsewhere."""
        self.rail.thread.take(event.overview, event.width, event.thread)

    @on(ThreadList.Wanted)
    def _layout_wanted(self, event: ThreadList.Wanted) -> None:
        self.gateway.lay_out(self, event.overview, event.width, event.known)

    def on_chosen(self, event: Chosen) -> None:
        """Show the rows that were chosen; the reader follows when all of them are there."""
        if event.generation != self._choice_generation:
            return
        self._answered_generation = event.generation
        searched, choice = self.query_text, event.choice
        self.choice = choice
        if choice.listing.query != searched:
            self.reader.words = choice.listing.query
        row, line = (self.row, None) if self.row is not None else self._start
        if row is None and self._begins_at_end and len(choice.listing):
            row = choice.listing.rows[-1]
        clears = f"nothing fits the filter   {key_for(self.app, 'app.back')} clears it"
        self.evidence.note = clears if choice.words else "nothing was said in it"
        self.evidence.show(choice.listing, row)
        self.show_choice(choice)
        if not choice.listing.complete:
            return
        waiting = self._when_known if self.arrived("known") else None
        self._when_known = None
        if row is not None and self.row is None:
            self.go(row, line=line)
        elif self.evidence.row is not None and self.evidence.row != self.row:
            self.settle_on(self.evidence.row)
        elif self.evidence.row is None and self.row is None:
            self.reader.clear()
        elif choice.listing.matches and self.row is not None:
            self.go(self.row, "evidence", again=True)
        self.go_on_growing()
        if waiting is not None:
            waiting()

    def on_rows_read(self, event: RowsRead) -> None:
        """Let the list draw what was read."""
        if self.view is not None and event.query == self.query_text:
            rows = self.view.rows if event.view is self.view else self.view.common_rows(event.view)
            hits = {row: hit for row, hit in event.hits.items() if row < rows}
            self.evidence.learn((each for each in event.evidence if each.row < rows), hits)
            self.when_seen(self.evidence.look_ahead)

    def on_window_read(self, event: WindowRead) -> None:
        """Give the reader the window that it asked for."""
        self.reader.deliver(event.window, event.generation)

    def on_failed(self, event: Failed) -> None:
        """Say what did not work, where it was asked for."""
        self.arrived(event.question)
        said = clean(event.said, newline=False)
        if event.question == "window":
            self.reader.fail(said, event.generation)
        elif event.question == "choose":
            if event.generation == self._choice_generation:
                self._answered_generation = event.generation
                self.filter_line.say(((said, "error"),))
                self.go_on_growing()
        elif event.question == "open" and self.view is None:
            self.evidence.note = f"{with_short_paths(said)}   {key_for(self.app, 'app.leave')} goes back"
            self.evidence.redraw()
        elif not self.outrun(event):
            self.complain(said)

    def grew(self, view: SessionView) -> None:
        """Let what is open over the session show what has come."""
        self.grow_lens(view)

    # What a person does.

    @on(RecordList.Moved, "#evidence")
    def _evidence_moved(self) -> None:
        self.say(())
        if self.evidence.row is not None:
            self.go(self.evidence.row, "evidence")
        self.tell_following()

    @on(RecordList.Moved, "#overview")
    def _overview_moved(self) -> None:
        self.say(())
        thread = self.rail.thread
        if thread.record_count():  # the thread may be another one since
            self.go(thread.thread.knots[thread.cursor].row, "overview")

    @on(RecordList.Opened, "#evidence")
    def _evidence_opened(self) -> None:
        self.use("reader")

    @on(RecordList.Opened, "#overview")
    def _overview_opened(self) -> None:
        self.use("evidence")

    @on(FilterLine.Changed)
    def _filter_changed(self, event: FilterLine.Changed) -> None:
        self.choose(event.words)

    @on(FilterLine.Left)
    def _filter_left(self) -> None:
        self.use("evidence")

    @on(EvidenceList.Wanted)
    def _rows_wanted(self, event: EvidenceList.Wanted) -> None:
        self.gateway.read_rows(self, event.view, event.rows, event.query, self.case)

    @on(Reader.Wanted)
    def _window_wanted(self, event: Reader.Wanted) -> None:
        if self.view is not None:
            self.gateway.read_window(self, self.view, event.request, event.generation)

    def action_back(self) -> None:
        """Step back: out of the reader, out of the zoom, out of the filter, out of the session."""
        if self.pane == "reader" and self.forget_words():
            return
        if self.pane == "reader":
            self.use("evidence")
        elif self.zoomed and not self.narrow:
            self.action_zoom()
        elif self.filter_line.words:
            self.rewrite("")
        else:
            self.action_leave()

    def action_part(self, by: int) -> None:
        """Go to the part before or behind this one."""
        if self.view is None or self.part is None or self.summary is None:
            self.say((("this session is one whole", "muted"),))
            return
        at = self.part - 1 + by
        if 0 <= at < len(self.summary.parts):
            self.wait_for("open", ((f"opening part {at + 1} …", "muted"),))
            self.target = str(self.summary.parts[at])
            self.gateway.open(self, self.target)
        else:
            self.say((("this is the newest part" if by > 0 else "this is the first part", "muted"),))

    def action_leave(self) -> None:
        """Go back to the sessions; the place is kept."""
        if self.view is not None and self.row is not None:
            self.gateway.left[self.view.ref] = Left(self.view.id(self.row), self.filter_line.words, self.view.rows)
        self.dismiss()

    def action_unreadable(self) -> None:
        """List the lines that could not be read."""
        if self.view is None:
            self.say((("nothing was opened", "muted"),))
        elif self.view.faults:
            from unspool_tui.screens.unreadable import UnreadableScreen

            self.app.push_screen(UnreadableScreen(self.gateway, self.view))
        else:
            self.say((("every line could be read", "muted"),))
