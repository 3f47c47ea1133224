"""Who belongs to whom: subagents to those who started them, forks and resumed copies to their origins."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from unspool.dataclass import dataclass, field
from unspool.library.catalogue import Catalogue, Listed
from unspool.library.nesting import Callers, nest
from unspool.library.origins import Origins, find_origins
from unspool.stores import by_agent as store_of

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library.glances import Glances


@dataclass(slots=True)
class Relations:
    """`parents` and `calls` (ids of the joining calls) by child; `titles` that lie beside a file; who copied whom."""

    parents: dict[SessionRef, SessionRef] = field(default_factory=dict)
    calls: dict[SessionRef, str] = field(default_factory=dict)
    titles: dict[SessionRef, str] = field(default_factory=dict)
    origins: Origins = field(default_factory=Origins)

    def children(self) -> dict[SessionRef, list[SessionRef]]:
        """Return the children by parent."""
        result: dict[SessionRef, list[SessionRef]] = defaultdict(list)
        for child, parent in self.parents.items():
            result[parent].append(child)
        return result


def relate(catalogue: Catalogue, glances: Glances, callers: Callers) -> Relations:
    """Find the relations of all listed sessions."""
    relations = Relations(origins=find_origins(catalogue, glances))
    alike: dict[tuple[str, str, str | None], list[Listed]] = defaultdict(list)
    for listed in catalogue.listed.values():
        alike[listed.ref.agent, listed.ref.session_id, listed.ref.part].append(listed)
    for listed in catalogue.listed.values():
        named = _parent(listed, glances)
        if named in alike:
            relations.parents[listed.ref] = _nearest(listed, alike[named]).ref
        if listed.source.is_subagent:
            _note_spawn(listed, relations)
    nest(catalogue, glances, relations, callers)
    _drop_circles(relations.parents)
    return relations


def _parent(listed: Listed, glances: Glances) -> tuple[str, str, str | None] | None:
    """Return agent, session id and part of the parent that the layout or the records name."""
    source, ref = listed.source, listed.ref
    if source.parent is not None:
        return ref.agent, *source.parent
    if source.is_subagent:
        return ref.agent, ref.session_id, None
    if source.ordered:
        return None
    named = glances.of(source).parent
    return (ref.agent, named, None) if named and named != ref.session_id else None


def _nearest(listed: Listed, found: Sequence[Listed]) -> Listed:
    """Return the one whose file lies nearest: the same id may stand in several roots, each with its own subagents."""
    if len(found) == 1:
        return found[0]
    path = listed.source.path
    return max(found, key=lambda each: (len(os.path.commonpath([path, each.source.path])), -each.ref.copy))


def _note_spawn(listed: Listed, relations: Relations) -> None:
    store = store_of(listed.source.agent)
    spawn = store.spawn(listed.source) if store is not None else None
    if spawn is None:
        return
    if spawn.call_id:
        relations.calls[listed.ref] = spawn.call_id
    if spawn.description:
        relations.titles[listed.ref] = spawn.description


def _drop_circles(parents: dict[SessionRef, SessionRef]) -> None:
    """Take the parent from whoever is its own ancestor."""
    for child in list(parents):
        seen = {child}
        above = parents.get(child)
        while above is not None and above not in seen:
            seen.add(above)
            above = parents.get(above)
        if above == child:
            del parents[child]
