"""The room in which one session is read: its panes, kept on the same piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from unspool.errors import BadQuery
from unspool.views.filter import Filter
from unspool_tui.present import marks
from unspool_tui.present.cells import Row
from unspool_tui.screens.copying import Copying
from unspool_tui.widgets.evidence_list import EvidenceList
from unspool_tui.widgets.filter_line import FilterLine
from unspool_tui.widgets.overview_rail import OverviewRail
from unspool_tui.widgets.reader import Reader

if TYPE_CHECKING:
    from textual.widget import Widget

    from unspool.library.summary import SessionSummary
    from unspool.search.needle import Case
    from unspool.views.view import SessionView
    from unspool_tui.gateway import Gateway
    from unspool_tui.present.choosing import Choice
    from unspool_tui.screens.clock import Clock

REST_SECONDS: Final = 0.03
"""How long the cursor rests on a piece before it is read: holding a key down reads the last one only."""

Source = Literal["evidence", "overview", "elsewhere"]


class Room(Copying):
    """Holds what is read, and brings every pane to one piece.

    `row` is the view's row of the piece that the reader shows, `None` before there is one.
    """

    NAME = "Browse"
    BLANK = True  # its panes and bars cover it
    PANES: ClassVar[tuple[str, ...]] = ("overview", "evidence", "reader")
    EDGE: ClassVar[Row] = (
        (marks.ERROR, "error"), (marks.STORED, "stored"), (marks.MATCH, "match"), (marks.COMPACTED, "system")
    )  # fmt: skip

    def __init__(self, gateway: Gateway, target: str, summary: SessionSummary | None, clock: Clock, words: str) -> None:
        super().__init__()
        self.gateway = gateway
        self.target = target
        self.summary = summary
        self.clock = clock
        self.words = words
        self.view: SessionView | None = None
        self.choice: Choice | None = None
        self.prompts: Sequence[int] = ()
        self.case: Case = "smart"
        self.row: int | None = None
        self._start: tuple[int | None, int | None] = (None, None)
        self._piece_generation = 0
        self._renewed_generation = 0  # of the reading that changes nothing but what grew
        self._choice_generation = self._answered_generation = 0
        self._when_known: Callable[[], None] | None = None

    @property
    def part(self) -> int | None:
        """Which part of the session is shown, counted from 1; `None` for a session that is one whole."""
        parts = self.summary.parts if self.summary is not None else ()
        return parts.index(self.view.ref) + 1 if self.view is not None and self.view.ref in parts else None

    @property
    def evidence(self) -> EvidenceList:
        """The list."""
        return self.query_one(EvidenceList)

    @property
    def rail(self) -> OverviewRail:
        """The overview."""
        return self.query_one(OverviewRail)

    @property
    def reader(self) -> Reader:
        """The reader."""
        return self.query_one(Reader)

    @property
    def filter_line(self) -> FilterLine:
        """The filter."""
        return self.query_one(FilterLine)

    def pane_widget(self, pane: str) -> Widget:
        """Return what takes the focus in a pane."""
        return self.reader.body if pane == "reader" else self.query_one(f"#{pane}")

    def go(
        self, row: int, source: Source = "elsewhere", *, line: int | None = None, again: bool = False, landing: int = 0
    ) -> None:
        """Bring all panes to a piece, the reader to a line of it when one is named; `again` reads it once more.

        With a `landing` the reader opens at the first of its matches (1), or the last (-1).
        """
        if source != "evidence":
            self.evidence.go(row)
        if source != "overview":
            self.rail.go(row)
        if row == self.row and line is None and not again:
            return
        self.row = row
        self._piece_generation += 1
        generation = self._piece_generation
        read = partial(self._read, row, generation, line, landing)
        self.set_timer(REST_SECONDS, partial(self.when_seen, read))

    def choose(self, words: str) -> None:
        """Ask for what a filter line chooses."""
        if self.view is not None:
            self._choice_generation += 1
            self.gateway.choose(self, self.view, words, self.case, self._choice_generation)

    def rewrite(self, words: str) -> None:
        """Put other words into the filter line, and apply them."""
        self.filter_line.write(words)
        self.choose(words)

    @property
    def asked(self) -> tuple[Filter, str]:
        """What the filter line says: a filter, and words that are searched; of a bad line what was chosen last."""
        try:
            return Filter.parse(self.filter_line.words)
        except BadQuery:
            return (self.choice.filter, self.query_text) if self.choice is not None else (Filter(), "")

    @property
    def query_text(self) -> str:
        """The free words that are searched, empty without."""
        return self.choice.listing.query if self.choice is not None else ""

    def when_known(self, does: str, act: Callable[[], None]) -> None:
        """Say that the session is still being read, and do it when all that is asked of the list is there."""
        self._when_known = act
        self.wait_for("known", ((f"still reading; {does} when it is known", "muted"),))

    @property
    def answered(self) -> bool:
        """Whether the list is of the words in the filter line, as far as it was searched."""
        return self._answered_generation == self._choice_generation

    @property
    def read_part(self) -> str:
        """What part of the session is shown, in words, as long as not all of it is read; empty from then on."""
        return ""

    @property
    def settled(self) -> bool:
        """Whether the list is all there."""
        return self.choice is not None and self.choice.listing.complete

    def _read(self, row: int, generation: int, line: int | None, landing: int) -> None:
        if generation != self._piece_generation or self.view is None:
            return
        words = self.reader.words
        found = self.choice.listing.matches if self.choice is not None and words == self.query_text else None
        query = words if landing or (found and row in found) else ""
        self.gateway.read_piece(
            self, self.view, row, generation, query=query, case=self.case, line=line, last=landing < 0
        )
