"""What the ledger and the path lens show: read in a worker, a part of it as soon as there is one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.views.ledger import Ledger
from unspool.views.path_uses import PathUse, PathUses
from unspool_tui.present.choosing import choose

if TYPE_CHECKING:
    from unspool.search.needle import Case
    from unspool.views.view import SessionView

FIRST_SECONDS: Final = 0.05
"""When paths are first shown while calls are still read: soon enough for the next key to find rows."""

PARTIAL_SECONDS: Final = 0.3
"""How often they are shown from then on."""


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """The ledger of what a filter line chose; not `complete` while a search still runs."""

    words: str
    ledger: Ledger
    complete: bool


@dataclass(frozen=True, slots=True, eq=False)
class Touched:
    """The paths that some pieces touch, `done` of `total` of them looked at; `others` touches are of more paths."""

    uses: Sequence[PathUse]
    done: int
    total: int
    others: int = 0

    @property
    def complete(self) -> bool:
        """Whether every piece was looked at."""
        return self.done >= self.total


def weigh(view: SessionView, words: str, *, case: Case, cancelled: Callable[[], bool]) -> Iterator[Weighed]:
    """Yield the ledger of the outputs that a filter line chooses. Raises `BadQuery` for a bad line."""
    for choice in choose(view, words, case=case, cancelled=cancelled):
        yield Weighed(words, Ledger.of(view, choice.listing.rows), choice.listing.complete)


def touch(
    view: SessionView, rows: Sequence[int], cancelled: Callable[[], bool], *, touched: bool = False
) -> Iterator[Touched]:
    """Yield the paths that rows touch, ranked by weight or by touches; reads their calls, from a view apart."""
    uses, due = PathUses(view.apart()), time.monotonic() + FIRST_SECONDS
    for done, row in enumerate(sorted(rows)):
        if cancelled():
            return
        uses.take(row)
        if time.monotonic() > due:
            yield Touched(uses.ranked(touched=touched), done + 1, len(rows), uses.others)
            due = time.monotonic() + PARTIAL_SECONDS
    yield Touched(uses.ranked(touched=touched), len(rows), len(rows), uses.others)
