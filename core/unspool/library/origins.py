"""Which sessions hold copies of which, as far as heads and tails tell, and which of them comes first.

Sessions are akin that name one another as their origin, share native ids, or have one id. Of those that are akin the
first in order keeps what was copied: an origin goes before its forks, else the older before the younger.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from unspool.dataclass import dataclass, field
from unspool.ids import SessionRef
from unspool.library.catalogue import Catalogue, Listed

if TYPE_CHECKING:
    from unspool.library.glances import Glances


@dataclass(slots=True)
class Origins:
    """Who comes from whom, `by_fork`; `order` is the place of every session among all: no two have the same."""

    by_fork: dict[SessionRef, SessionRef] = field(default_factory=dict)
    order: dict[SessionRef, int] = field(default_factory=dict)
    _kin: dict[SessionRef, set[SessionRef]] = field(default_factory=lambda: defaultdict(set))

    def elders(self, ref: SessionRef) -> list[SessionRef]:
        """Return the sessions that are akin and go before, the first of all first."""
        found, pending = {ref}, [ref]
        while pending:
            more = self._kin.get(pending.pop(), set()) - found
            found |= more
            pending += more
        return sorted((each for each in found if self.order[each] < self.order[ref]), key=self.order.__getitem__)

    def join(self, ref: SessionRef, other: SessionRef) -> None:
        """Note that two sessions are akin."""
        self._kin[ref].add(other)
        self._kin[other].add(ref)


def find_origins(catalogue: Catalogue, glances: Glances) -> Origins:
    """Look at what the records name, and at the native ids that heads and tails share."""
    found = Origins()
    for listed in catalogue.listed.values():
        named = glances.of(listed.source).forked_from
        if named and named != listed.ref.session_id:
            found.by_fork[listed.ref] = SessionRef(listed.ref.agent, named)
    found.order = _ordered(catalogue, glances, found.by_fork)
    heads: dict[SessionRef, SessionRef] = {}
    for ref, origin in found.by_fork.items():
        found.join(ref, origin if origin in found.order else heads.setdefault(origin, ref))
    for listed in catalogue.repeated:
        found.join(listed.ref, listed.first)
    firsts: dict[SessionRef, set[SessionRef]] = defaultdict(set)
    for sharing in _sharing(catalogue, glances).values():
        first = min(sharing, key=found.order.__getitem__)
        for ref in sharing - {first}:
            found.join(ref, first)
            firsts[ref].add(first)
    for ref, older in firsts.items():
        first = min(older, key=found.order.__getitem__)
        if first.session_id != ref.session_id:
            found.by_fork.setdefault(ref, first)
    return found


def _sharing(catalogue: Catalogue, glances: Glances) -> Mapping[tuple[str, int], set[SessionRef]]:
    """Return the sessions that show an id, by agent and id, of those ids that several show: nearly all stand alone."""
    ids = {
        listed.ref: memoryview(glances.of(listed.source).ids).cast("Q")
        for listed in catalogue.listed.values()
        if listed.ref.part is None and not listed.source.hidden
    }
    seen: dict[str, set[int]] = defaultdict(set)
    several: dict[str, set[int]] = defaultdict(set)
    for ref, shown in ids.items():
        several[ref.agent] |= seen[ref.agent].intersection(shown)
        seen[ref.agent].update(shown)
    sharing: dict[tuple[str, int], set[SessionRef]] = defaultdict(set)
    for ref, shown in ids.items():
        for each in several[ref.agent].intersection(shown):
            sharing[ref.agent, each].add(ref)
    return sharing


def _ordered(catalogue: Catalogue, glances: Glances, origins: Mapping[SessionRef, SessionRef]) -> dict[SessionRef, int]:
    """Return the place of each session: the older go first, and nobody goes before an origin that it names."""
    order: dict[SessionRef, int] = {}
    for listed in sorted(catalogue.listed.values(), key=lambda each: _age(each, glances)):
        above: dict[SessionRef, None] = {}
        ref: SessionRef | None = listed.ref
        while ref in catalogue.listed and ref not in order and ref not in above:
            above[ref] = None
            ref = origins.get(ref)
        for ref in reversed(above):
            order[ref] = len(order)
    return order


def _age(listed: Listed, glances: Glances) -> tuple[int, int, int, int, str, str, str]:
    """Return what orders sessions that name no origin: begun earlier, then not gone on with as late."""
    glance, written = glances.of(listed.source), listed.source.mtime_ns // 1_000_000
    started = written if glance.started_at is None else glance.started_at
    last = written if glance.last_activity is None else glance.last_activity
    ref = listed.ref
    return ref.copy, started, last, written, ref.agent, ref.session_id, ref.part or ""
