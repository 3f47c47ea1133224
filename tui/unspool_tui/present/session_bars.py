"""What the bars of the session list say: how many sessions there are, of which agents, and what cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from unspool.text import clean
from unspool_tui.present import marks, numbers
from unspool_tui.present.bars import Top
from unspool_tui.present.facets import Facet
from unspool_tui.present.session_row import agent_counts

if TYPE_CHECKING:
    from unspool.library.summary import SessionSummary
    from unspool_tui.present.cells import Row
    from unspool_tui.present.empty_rows import Place

AGENTS_SHOWN: Final = 6
"""Agents that have a facet of their own."""

LOOKING: Final = Top(lead="looking …")
"""What is said as long as nobody knows how many there are."""


def top_of(found: Iterable[SessionSummary], empty: int) -> Top:
    """Say how many sessions were found, how many of them live, and of how many agents; children are not counted."""
    roots = [summary for summary in found if summary.parent is None]
    live = sum(summary.live for summary in roots)
    agents = len({summary.agent for summary in roots})
    facts = [f"{live} live"] if live else []
    facts += [numbers.plural(agents, "agent")] if agents else []
    facts += [f"{empty} empty"] if empty else []
    return Top(lead=numbers.plural(len(roots), "session") if roots else "no sessions", facts=tuple(facts))


def agent_facets(found: Iterable[SessionSummary], places: Sequence[Place]) -> tuple[tuple[Facet, int], ...]:
    """Return a facet for all, and for the agents with most sessions; those are marked that could not be read whole."""
    counts = agent_counts(found)
    troubled = {place.agent for place in places if place.trouble}
    facets = [(Facet("", "", "all", "text"), sum(counts.values()))]
    for agent, number in islice(counts.items(), AGENTS_SHOWN):
        bad = agent in troubled
        facets.append((Facet("", marks.ERROR if bad else "", agent, "error" if bad else "muted"), number))
    return tuple(facets)


def trouble_row(places: Iterable[Place]) -> Row:
    """Say what could not be read first, and why; nothing where all could be."""
    trouble = next((place.trouble for place in places if place.trouble), None)
    if trouble is None:
        return ()
    path, why = clean(trouble.path, newline=False), clean(trouble.reason, newline=False)
    return ((f"{marks.ERROR} ", "error bold"), (f"cannot read {path}", "text"), (f"  {why}", "muted"))
