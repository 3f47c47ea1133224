"""What one filter line chooses from a view: rows, counts for the facets, marks for the map."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.formats.piece import Flag
from unspool.views.filter import Filter
from unspool_tui.present import marks
from unspool_tui.present.facets import STORED_FLAGS, count_matches, fits
from unspool_tui.present.folding import folded
from unspool_tui.present.listing import Listing, Marked, holds

if TYPE_CHECKING:
    from unspool.search.needle import Case
    from unspool.views.view import SessionView
    from unspool_tui.present.cells import Cell

NEVER: Final = float("inf")
"""Seconds after which a search shows what it has so far, where only all of it counts."""

PARTIAL_SECONDS: Final = 0.15
"""How often a running search shows what it has so far: fast enough to see it work, seldom enough to read."""

ERROR_SPOT: Final[Cell] = (marks.ERROR, "error")
STORED_SPOT: Final[Cell] = (marks.STORED, "stored")
MATCH_SPOT: Final[Cell] = (marks.MATCH, "match")
COMPACTED_SPOT: Final[Cell] = (marks.COMPACTED, "system")


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The answer to one filter line.

    `facets` counts what each facet would give with the rest of the filter, `reasoning` and `hidden` among them what
    those switches would add. `total` counts what a list shows without the filter, but with those switches as they are,
    and with what a search found beyond it.
    """

    words: str
    filter: Filter
    listing: Listing
    facets: Mapping[str, int]
    total: int
    case: Case = "smart"

    @property
    def matches(self) -> int | None:
        """How many matches the rows hold together, `None` when nothing was searched."""
        found = self.listing.matches
        return None if found is None else sum(found[row] for row in self.listing.rows)


def choose(
    view: SessionView, words: str, *, case: Case, cancelled: Callable[[], bool], hurry: float = PARTIAL_SECONDS
) -> Iterator[Choice]:
    """Yield the choice; of a search that takes longer, what it has so far. Raises `BadQuery` for a bad line."""
    filter, query = Filter.parse(words)
    if query:
        yield from _searched(view, words, filter, query, case, cancelled, hurry)
    elif filter.path is not None:
        rows = view.wanted(_unfaceted(filter))
        yield _found(view, words, filter, rows, None, "", case, complete=True)
    else:
        yield _selected(view, words, filter, case)


def grown(
    choice: Choice, view: SessionView, kept: int, restored: Iterable[int] = (), *, cancelled: Callable[[], bool]
) -> Choice:
    """Return the choice for a newer view of the session, whose rows below `kept` are the same but for `restored`.

    Of a search only what is new is searched. Raises what a search raises.
    """
    listing, filter, case = choice.listing, choice.filter, choice.case
    if listing.matches is None or filter.path is not None:
        *_, newest = choose(view, choice.words, case=case, cancelled=cancelled, hurry=NEVER)
        return newest
    wanted = view.selection(_unfaceted(filter).with_(reasoning=True, hidden=True, twins=False))
    renewed = set(restored)
    rows = [row for row in wanted if row >= kept or row in renewed]
    found = {row: number for row, number in listing.matches.items() if row < kept and row not in renewed}
    found |= dict(view.search_rows(listing.query, case=case, cancelled=cancelled, rows=rows))
    found = {row: found[row] for row in sorted(found) if holds(wanted, row)}
    return _found(view, choice.words, filter, array("I", found), found, listing.query, case, complete=True)


def _selected(view: SessionView, words: str, filter: Filter, case: Case) -> Choice:
    rows, folds = folded(view, view.selection(filter))
    errors = view.selection(filter.with_(errors=True))
    stored = view.selection(filter.with_(stored=True))
    marked = _marked(view, rows, errors, stored)
    beyond = errors if filter == _only_switches(filter) else _every_error(view, filter)
    listing = Listing(view, rows, errors=errors, errors_beyond=beyond, marked=marked, folded=folds)
    return Choice(words, filter, listing, view.facets(filter), _total(view, filter), case)


def _searched(
    view: SessionView, words: str, filter: Filter, query: str, case: Case, cancelled: Callable[[], bool], hurry: float
) -> Iterator[Choice]:
    base = _unfaceted(filter).with_(reasoning=True, hidden=True)
    found: dict[int, int] = {}
    shown = time.monotonic()
    for row, number in view.search_rows(query, filter=base, case=case, cancelled=cancelled):
        if cancelled():
            return
        found[row] = number
        if time.monotonic() - shown > hurry:
            yield _found(view, words, filter, array("I", found), found, query, case, complete=False)
            shown = time.monotonic()
    if not cancelled():
        yield _found(view, words, filter, array("I", found), found, query, case, complete=True)


def _found(
    view: SessionView, words: str, filter: Filter, rows: Sequence[int], matches: dict[int, int] | None, query: str,
    case: Case, *, complete: bool,
) -> Choice:  # fmt: skip
    shown = array("I", (row for row in rows if fits(view, row, filter)))
    errors = array("I", (row for row in shown if view.flags(row) & Flag.ERROR))
    stored = array("I", (row for row in shown if view.flags(row) & STORED_FLAGS))
    marked = _marked(view, shown, errors, stored, () if matches is None else shown)
    listing = Listing(
        view, shown, None if matches is None else dict(matches), query, errors=errors,
        errors_beyond=_every_error(view, filter), marked=marked, complete=complete,
    )  # fmt: skip
    facets = {**view.facets(filter), **count_matches(view, rows, filter)}
    return Choice(words, filter, listing, facets, _total(view, filter, shown if query else ()), case)


def _total(view: SessionView, filter: Filter, found: Sequence[int] = ()) -> int:
    """Count the rows of a list without filter, and those that were found though it would not show them."""
    shown = _only_switches(filter)
    plain = view.selection(shown) if found else ()
    return view.count(shown) + sum(not holds(plain, row) for row in found)


def _every_error(view: SessionView, filter: Filter) -> Sequence[int]:
    return view.selection(_only_switches(filter).with_(errors=True))


def _only_switches(filter: Filter) -> Filter:
    """Return what a list without filter shows, with the switches as they are."""
    return Filter(reasoning=filter.reasoning, hidden=filter.hidden, twins=filter.twins)


def _marked(
    view: SessionView, rows: Sequence[int], errors: Sequence[int], stored: Sequence[int], matching: Sequence[int] = ()
) -> Marked:
    """Return the marks of the map, the weightiest first."""
    compacted = [row for row in view.compactions if holds(rows, row)]
    return ((ERROR_SPOT, errors), (STORED_SPOT, stored), (MATCH_SPOT, matching), (COMPACTED_SPOT, compacted))


def _unfaceted(filter: Filter) -> Filter:
    """Return the filter without facets, so that one pass over the source can count them all."""
    return filter.with_(kinds=frozenset(), tool_part=None, errors=False, stored=False)
