"""What lies under the roots: the last listing of it and what follows from that, looked at again when asked to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from unspool.library.catalogue import SHORTEST, Catalogue, make_catalogue, named
from unspool.library.listing import Listing
from unspool.library.nesting import Callers
from unspool.library.relations import Relations, relate
from unspool.library.roots import Root, homes_of
from unspool.stores import by_agent

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library.glances import Glances
    from unspool.stores.base import Alive, LiveState, SourceFile


class Shelf:
    """The sessions under some roots as they were when they were last listed."""

    def __init__(
        self, roots: Sequence[Root], glances: Glances, callers: Callers, *, now: Callable[[], int], alive: Alive
    ) -> None:
        self._roots = roots
        self._glances = glances
        self._now = now
        self._alive = alive
        self._callers = callers
        self._catalogue: Catalogue | None = None
        self._around: dict[tuple[str, ...], Catalogue] = {}
        """What was listed of files whose paths hold one of some words, until all are."""
        self._relations: tuple[Catalogue, Relations] | None = None
        self._newest: tuple[int, Listing] | None = None
        """How many sessions were asked for that were written last, and their list."""

    def catalogue(self, *, again: bool = False) -> Catalogue:
        """Return which files there are; with `again` the roots are looked at anew."""
        if self._catalogue is None or again:
            catalogue = self._catalogue = make_catalogue(self._roots, self._glances)
            self._newest = None
            return catalogue
        return self._catalogue

    def around(self, ref: SessionRef, *, again: bool = False) -> Catalogue:
        """Return files among which are all that have the id of a reference, or one that begins like it.

        As long as nobody has asked for all of them, only names are looked at of those that cannot be meant. With
        `again` the roots are looked at anew.
        """
        if self._catalogue is not None:
            return self.catalogue(again=again)
        words = tuple(word[:SHORTEST] for word in (ref.session_id, ref.part) if word)
        if again or words not in self._around:
            self._around[words] = make_catalogue(
                self._roots, self._glances, lambda path: any(word in path for word in words)
            )
        return self._around[words]

    def is_listed(self) -> bool:
        """Say whether the roots hold the files of the last listing, of the same sizes and times, and no others."""
        if self._catalogue is None:
            return False
        found = {source.path: source for root in self._roots for source in root.sources([])}
        return all(found.pop(source.path, None) == source for source in self.sources()) and not found

    def sources(self) -> Iterator[SourceFile]:
        """Yield every listed file."""
        return (each.source for each in self.catalogue().listed.values())

    def relations(self, catalogue: Catalogue) -> Relations:
        """Return which session comes from which."""
        known = self._relations
        if known is None or known[0] is not catalogue:
            known = self._relations = catalogue, self._relate(catalogue, every=True)
        return known[1]

    def _relate(self, catalogue: Catalogue, *, every: bool = False) -> Relations:
        """Find the relations, and remember what was learned on the way; of `every` file, forget those that are gone."""
        relations = relate(catalogue, self._glances, self._callers)
        if every:
            self._glances.forget_gone()
        for learned in (self._glances, self._callers):
            learned.keep(self._now())
        return relations

    def listing(self, *, again: bool = False) -> Listing:
        """Return the list of sessions with what is known of them."""
        catalogue = self.catalogue(again=again)
        return self._listing(catalogue, self.relations(catalogue))

    def alone(self, ref: SessionRef) -> Listing:
        """Return a list in which one session stands, and nobody is known to come from it."""
        return self._listing(self.around(ref), Relations())

    def newest(self, number: int, *, again: bool) -> Listing:
        """Return the list of so many sessions whose files were written last, and their subagents.

        Of all others only names and sizes are looked at, so that this takes no longer the more there are. With `again`
        the roots are looked at anew.
        """
        if again or self._newest is None or self._newest[0] != number:
            self._newest = number, self._written_last(number)
        return self._newest[1]

    def _written_last(self, number: int) -> Listing:
        every = {source.path: source for root in self._roots for source in root.sources([])}
        catalogue = Catalogue()
        for listed in named(_written_last(every.values(), number), self._glances):
            catalogue.add(listed)
        return self._listing(catalogue, self._relate(catalogue))

    def _listing(self, catalogue: Catalogue, relations: Relations) -> Listing:
        live: dict[tuple[str, str], LiveState] = {}
        titles: dict[tuple[str, str], str] = {}
        for agent, homes in homes_of([each.source for each in catalogue.listed.values()]).items():
            store = by_agent(agent)
            assert store is not None, agent
            for home in sorted(homes):
                states = store.live(home, alive=self._alive)
                live.update({(agent, session): state for session, state in states.items()})
                names = store.titles(home)
                titles.update({(agent, session): name for session, name in names.items()})
        return Listing(catalogue, relations, self._glances, live, titles, self._now())


def _written_last(sources: Iterable[SourceFile], number: int) -> list[SourceFile]:
    """Return so many sessions that were written last, with the subagents that their layout tells of."""
    from heapq import nlargest

    every = list(sources)
    own = (source for source in every if not source.hidden and not source.is_subagent)
    chosen = nlargest(number, own, key=lambda source: (source.mtime_ns, source.path))
    known = {(source.agent, source.session_id) for source in chosen}
    return chosen + [each for each in every if each.is_subagent and (each.agent, each.session_id) in known]
