"""The evidence list: one row per piece, a million of them if need be."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping
from datetime import tzinfo
from typing import TYPE_CHECKING, Final

from textual.message import Message
from textual.reactive import reactive

from unspool.dataclass import dataclass
from unspool.formats.piece import ToolPart
from unspool_tui.keymap import bindings
from unspool_tui.present import marks
from unspool_tui.present.bars import MAP_CELLS
from unspool_tui.present.cells import BLANK, Cell, Row
from unspool_tui.present.evidence_row import ID_WIDTH, Piece, evidence_row
from unspool_tui.present.follow_rows import seen_row
from unspool_tui.present.known_words import KnownWords
from unspool_tui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence
    from unspool.views.hits import Hit
    from unspool.views.view import SessionView
    from unspool_tui.present.listing import Listing

AHEAD: Final = 24
"""Rows read before and behind those in view, so that scrolling by a few finds them there."""


class EvidenceList(RecordList):
    """Shows a `Listing`. What the columns do not tell it asks for, and draws when it comes."""

    DEFAULT_CSS = f"EvidenceList {{ scrollbar-size-vertical: {MAP_CELLS}; }}"

    BINDINGS = bindings(("list.open", "read"))

    wide: reactive[bool] = reactive(False, repaint=False)
    """Whether there is room for lines."""
    zone: tzinfo | None = None
    folder = ""
    """The folder the session worked in: paths are told from there."""
    names = 0
    """Cells of the longest name of a tool."""

    @dataclass
    class Wanted(Message):
        """Rows came into view whose words (or matches, with a query) are not known."""

        view: SessionView
        rows: tuple[int, ...]
        query: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.listing: Listing | None = None
        self._known = KnownWords()
        self._missing: set[int] = set()
        self._asked = False
        self._ahead = 0
        self._id_width = ID_WIDTH
        self.unseen: int | None = None
        self._seam: int | None = None

    def watch_wide(self) -> None:
        """Draw the rows in their other form."""
        self.redraw()

    def show(self, listing: Listing, row: int | None = None) -> None:
        """Show other rows; the cursor goes to `row`, else stays on its row or the next one that is left."""
        old = self.listing
        if row is None:
            row = self.row
        if old is None or old.view is not listing.view:
            self._known.forget_all()
            self._ahead = 0
        elif old.query != listing.query:
            self._known.hits.clear()
        self._missing.clear()
        self._asked = False
        self.listing = listing
        self._measure_ids()
        self._place_seam()
        self.renew(listing.index_near(row) if row is not None else 0, keep_offset=old is not None)
        if len(listing):
            self._missing.add(listing.rows[self.cursor])  # whether it is drawn, or something stands before it yet
            self._asked = True
            if self.scrollable_content_region.height:
                self._ask()
            else:  # not laid out yet
                self.call_after_refresh(self._ask)

    def grow(
        self,
        listing: Listing,
        kept: int,
        restored: Iterable[int],
        evidence: Iterable[Evidence],
        hits: Mapping[int, Hit],
    ) -> None:
        """Show what came: rows below `kept` but `restored` are those of before, and what is in view stays in view.

        `evidence` and `hits` are the words of the newest rows.
        """
        old, row = self.listing, self.row
        self._known.forget(restored)
        if old is not None and kept < old.view.rows:
            self._known.forget_from(kept)
            self._asked = False  # what was asked of another text is not answered
        self._known.forget_answered(listing.view)
        self._known.learn(evidence, hits)
        if old is not None and old.guest is not None and old.guest < kept:
            listing = listing.with_guest(old.guest)
        self.listing = listing
        self._measure_ids()
        self._place_seam()
        self.extend(listing.index_near(row) if row is not None else 0, stays=row is not None and row < kept)

    def _place_seam(self) -> None:
        """Find the index that the line stands before; without a row before it there is nothing to part."""
        rows = self.listing.rows if self.listing is not None else ()
        index = bisect_left(rows, self.unseen) if self.unseen is not None else 0
        self._seam = index if 0 < index < len(rows) else None

    def _measure_ids(self) -> None:
        view = self.listing.view if self.listing is not None else None
        last = view.rows - 1 if view is not None else -1
        self._id_width = max(ID_WIDTH, len(str(view.id(last))) + 1) if view is not None and last >= 0 else ID_WIDTH

    @property
    def row(self) -> int | None:
        """The view's row under the cursor, `None` when nothing is shown."""
        return self.listing.rows[self.cursor] if self.listing is not None and self.record_count() else None

    @property
    def told(self) -> bool:
        """Whether the words of all rows in view are there."""
        if self.listing is None:
            return False
        top = self.scroll_offset.y
        rows = self.listing.rows[top : top + self.scrollable_content_region.height]
        return all(row in self._known.evidence for row in rows)

    def go(self, row: int) -> None:
        """Put the cursor on a row of the view; one that the filter leaves out comes in as a guest."""
        if self.listing is None:
            return
        listing = self.listing.with_guest(row)
        if listing is not self.listing:
            self.show(listing, row)
        index = listing.index_of(row)
        if index is not None:
            self.move_to(index)

    def learn(self, evidence: Iterable[Evidence], hits: Mapping[int, Hit]) -> None:
        """Take the words of rows that were asked for, and draw them."""
        self._known.learn(evidence, hits)
        self._missing -= self._wanted.keys()
        self._asked = False
        self.redraw()

    def look_ahead(self) -> None:
        """Read ahead of what is in view from now on: of rows that are shown for the first time nothing else is read."""
        if self.listing is not None and self.told and not self._ahead:
            self._ahead = AHEAD
            self._want(self.row)

    def record_count(self) -> int:
        """Return how many rows there are."""
        return len(self.listing.rows) if self.listing is not None else 0

    def line_count(self) -> int:
        """Return how many lines they take, with the one that parts seen from unseen."""
        return self.record_count() + (self._seam is not None)

    def lines_of(self, record: int) -> range:
        """Return the line of a row."""
        line = record + (self._seam is not None and record >= self._seam)
        return range(line, line + 1)

    def record_at(self, line: int) -> int | None:
        """Return the row of a line, `None` for the one that parts seen from unseen."""
        if self._seam is None or line < self._seam:
            return line
        return line - 1 if line > self._seam else None

    def marks(self, height: int) -> Mapping[int, Cell]:
        """Return errors, stored outputs and matches where they lie."""
        return self.listing.marks(height) if self.listing is not None else {}

    def content(self, line: int) -> Hashable:
        """Return the piece and the measures of its row."""
        return self._piece_at(line), self.wide, self.zone, self.folder, self._id_width, self.names

    def paint(self, line: int, width: int, *, here: bool) -> tuple[Row, str]:
        """Return a row."""
        piece = self._piece_at(line)
        if piece is None:
            return seen_row(width), self.ground
        bar = (marks.BAR, "accent" if self.lit else "faint") if here else BLANK
        cells = evidence_row(
            piece, width, bar=bar, here=here, wide=self.wide, zone=self.zone, folder=self.folder,
            id_width=self._id_width, names=self.names,
        )  # fmt: skip
        return cells, self.surface(here)

    @property
    def _searching(self) -> bool:
        return self.listing is not None and self.listing.matches is not None

    @property
    def _wanted(self) -> Mapping[int, Evidence | Hit]:
        """What is to be known of each row in view."""
        return self._known.hits if self._searching else self._known.evidence

    def _piece_at(self, line: int) -> Piece | None:
        """Return the piece of a line, asking for what is not known of it; `None` where seen and unseen are parted."""
        listing, record = self.listing, self.record_at(line)
        assert listing is not None  # lines are only drawn while records are shown
        if record is None:
            return None
        piece = self._piece(listing, listing.rows[record])
        if (piece.hit if self._searching and not piece.guest else piece.evidence) is None:
            self._want(listing.rows[record])
        return piece

    def _piece(self, listing: Listing, row: int) -> Piece:
        view, known = listing.view, self._known.evidence
        guest = row == listing.guest
        matches = None if guest or listing.matches is None else listing.matches.get(row, 0)
        call = view.peer_row(row) if view.tool_part(row) is ToolPart.OUTPUT else None
        return Piece(
            view.id(row), view.kind(row), view.tool_part(row), view.tool(row), view.flags(row), view.time(row),
            view.bytes(row), view.lines(row), matches, guest, known.get(row),
            None if call is None else known.get(call), self._known.hits.get(row), view.is_compaction(row),
            known.get(listing.folded.get(row, -1)),
        )  # fmt: skip

    def _want(self, row: int | None) -> None:
        if row is not None:
            self._missing.add(row)
        if not self._asked:
            self._asked = True
            self.call_after_refresh(self._ask)

    def _ask(self) -> None:
        """Ask for what is missing in view, and a little around it; what was scrolled past is forgotten."""
        listing = self.listing
        if listing is None or not self._missing:
            self._asked = False
            return
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        near = listing.rows[max(0, top - self._ahead) : top + height + self._ahead]
        rows = [row for row in near if row not in self._wanted]
        guest = listing.guest
        if guest is not None and guest in near and guest not in self._known.evidence:
            rows.append(guest)
        rows += [listing.folded[row] for row in rows if row in listing.folded]
        self._missing.clear()
        if rows:
            self.post_message(self.Wanted(listing.view, tuple(dict.fromkeys(rows)), listing.query))
        else:
            self._asked = False
