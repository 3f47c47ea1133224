"""What of a session can be exported, and in which formats."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.ids import EntryRange, EvidenceId
from unspool.views.filter import Filter

if TYPE_CHECKING:
    from unspool.export import ExportFormat
    from unspool.views.view import SessionView

FORMATS: Final[tuple[tuple[ExportFormat, str], ...]] = (("md", "Markdown"), ("html", "HTML"), ("json", "JSON"))
"""Each format, which is also the ending of its files, and its name for people."""


class Scope(Enum):
    """Which pieces."""

    SESSION = "the session"
    LISTED = "as listed"
    RANGE = "a range"
    PIECE = "this piece"


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """What is exported and how: the pieces that `filter` wants, or exactly the `rows` of a list."""

    filter: Filter
    rows: Sequence[int] | None = None
    format: ExportFormat = "md"
    redacted: bool = True
    full: bool = False

    def wanted(self, view: SessionView) -> Filter:
        """Return the filter that wants exactly these pieces."""
        if self.rows is None:
            return self.filter
        ids = [view.id(row) for row in self.rows]
        within = EntryRange(ids[0].entry, ids[-1].entry) if ids else None
        return Filter(ids=frozenset(ids), within=within, reasoning=True, hidden=True)


@dataclass(frozen=True, slots=True, eq=False)
class Offered:
    """What can be exported: of a filtered list its `filter`, or its `rows` when words were searched.

    `turn` is the stretch that a person is likely to mean, `piece` the one under the cursor.
    """

    view: SessionView
    title: str
    filter: Filter | None = None
    rows: Sequence[int] | None = None
    turn: EntryRange | None = None
    piece: EvidenceId | None = None

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes that there are."""
        gone = set()
        if self.filter is None and self.rows is None:
            gone.add(Scope.LISTED)
        if self.piece is None:
            gone.add(Scope.PIECE)
        return tuple(scope for scope in Scope if scope not in gone)

    def order(self, scope: Scope, range_: str) -> Order:
        """Return the order of a scope, `range_` being what was typed for one; raises `BadReference`."""
        if scope is Scope.LISTED:
            return Order(self.filter or Filter(), self.rows)
        if scope is Scope.RANGE:
            return Order(Filter(within=EntryRange.parse(range_)))
        if scope is Scope.PIECE and self.piece is not None:
            return Order(Filter(within=EntryRange.of(self.piece), reasoning=True, hidden=True))
        return Order(Filter())


def turn_of(view: SessionView, prompts: Sequence[int], row: int) -> EntryRange | None:
    """Return the entries from the prompt before a row up to the next prompt; `None` without a prompt before it."""
    before = [prompt for prompt in prompts if prompt <= row]
    if not before:
        return None
    after = next((prompt for prompt in prompts if prompt > row), view.rows)
    return EntryRange(view.id(before[-1]).entry, max(view.id(before[-1]).entry, view.id(after - 1).entry))
