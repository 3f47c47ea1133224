"""Hits over all sessions: a line for each session, and one for each piece that matches in it."""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING

from unspool.dataclass import dataclass
from unspool.text import clean
from unspool_tui.present import numbers
from unspool_tui.present.cells import BLANK, GAP, Cell, Row, spread
from unspool_tui.present.evidence_row import Piece, evidence_row
from unspool_tui.present.session_row import state, title_of

if TYPE_CHECKING:
    from unspool.library.summary import SessionSummary
    from unspool.views.hits import Hit


@dataclass(frozen=True, slots=True, eq=False)
class FoundSession:
    """A session with hits; `total` counts the pieces that match, shown or not."""

    summary: SessionSummary
    total: int


@dataclass(frozen=True, slots=True, eq=False)
class FoundPiece:
    """A hit, and the session that holds it."""

    summary: SessionSummary
    hit: Hit


def found_session_row(found: FoundSession, width: int, *, now: int, zone: tzinfo | None) -> Row:
    """Return the heading of a session's hits."""
    summary = found.summary
    left: list[Cell] = [BLANK, state(summary), BLANK, (title_of(summary), "muted bold")]
    age = numbers.age(summary.last_activity, now, zone, year=True)
    names = (summary.agent, summary.project or "", age)
    said = "  ".join(clean(name, newline=False) for name in names if name)
    return spread(left, [GAP, (said, "faint"), GAP, (numbers.plural(found.total, "piece"), "muted"), BLANK], width)


def found_piece_row(found: FoundPiece, width: int, *, bar: Cell, here: bool, wide: bool, zone: tzinfo | None) -> Row:
    """Return the row of a hit, as the evidence list shows it."""
    hit, row = found.hit, found.hit.evidence
    piece = Piece(
        row.id, row.kind, row.tool_part, row.tool, row.flags, row.time, row.bytes, row.lines, hit.matches,
        evidence=row, hit=hit,
    )  # fmt: skip
    return evidence_row(piece, width, bar=bar, here=here, wide=wide, zone=zone)
