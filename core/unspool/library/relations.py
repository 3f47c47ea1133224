"""Who belongs to whom: subagents to those who started them, forks and resumed copies to their origins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from unspool.errors import SourceChanged, Unreadable
from unspool.formats import by_agent
from unspool.formats.base import ToolPart
from unspool.ids import SessionRef
from unspool.library.catalogue import Catalogue, Listed, glance_of
from unspool.library.glance import Glances
from unspool.sources.jsonl import JsonLines
from unspool.stores import by_agent as store_of

CALLER_BYTES: Final = 64 << 20
"""Bytes of one subagent's file looked through for the calls that started others: subagents are short sessions."""

_BLOCK: Final = 1 << 20


@dataclass(slots=True)
class Relations:
    """`parents` and `calls` (ids of the joining calls) by child; `origins` by fork; `titles` that lie beside a file."""

    parents: dict[SessionRef, SessionRef] = field(default_factory=dict)
    calls: dict[SessionRef, str] = field(default_factory=dict)
    origins: dict[SessionRef, SessionRef] = field(default_factory=dict)
    elders: dict[SessionRef, tuple[SessionRef, ...]] = field(default_factory=dict)
    """For a session that shares its beginning with others: those of them that are older, the oldest first."""
    titles: dict[SessionRef, str] = field(default_factory=dict)

    def children(self) -> dict[SessionRef, list[SessionRef]]:
        """Return the children by parent."""
        result: dict[SessionRef, list[SessionRef]] = defaultdict(list)
        for child, parent in self.parents.items():
            result[parent].append(child)
        return result


def relate(catalogue: Catalogue, glances: Glances) -> Relations:
    """Find the relations of all listed sessions."""
    relations = Relations()
    for listed in catalogue.listed.values():
        parent = _parent(listed, catalogue, glances)
        if parent is not None and parent != listed.ref:
            relations.parents[listed.ref] = parent
        if listed.source.part is not None:
            _note_spawn(listed, relations)
    _nest(catalogue, glances, relations)
    _drop_circles(relations.parents)
    _note_origins(catalogue, glances, relations)
    return relations


def _parent(listed: Listed, catalogue: Catalogue, glances: Glances) -> SessionRef | None:
    """Return the parent that the layout or the records name, if it is there."""
    source, ref = listed.source, listed.ref
    if source.parent is not None:
        return _present(SessionRef(ref.agent, *source.parent, copy=ref.copy), catalogue)
    if source.part is not None:
        return _present(SessionRef(ref.agent, ref.session_id, copy=ref.copy), catalogue)
    named = glance_of(source, glances).facts.parent
    return _present(SessionRef(ref.agent, named), catalogue) if named else None


def _present(ref: SessionRef, catalogue: Catalogue) -> SessionRef | None:
    first = SessionRef(ref.agent, ref.session_id, ref.part)
    return next((each for each in (ref, first) if each in catalogue.listed), None)


def _note_spawn(listed: Listed, relations: Relations) -> None:
    store = store_of(listed.source.agent)
    spawn = store.spawn(listed.source) if store is not None else None
    if spawn is None:
        return
    if spawn.call_id:
        relations.calls[listed.ref] = spawn.call_id
    if spawn.description:
        relations.titles[listed.ref] = spawn.description


def _nest(catalogue: Catalogue, glances: Glances, relations: Relations) -> None:
    """Put subagents that other subagents of the same session started below those."""
    siblings: dict[SessionRef, list[Listed]] = defaultdict(list)
    for child, parent in relations.parents.items():
        if child.part is not None:
            siblings[parent].append(catalogue.listed[child])
    for group in siblings.values():
        if len(group) > 1:
            _nest_group(group, glances, relations)


def _nest_group(group: list[Listed], glances: Glances, relations: Relations) -> None:
    wanted = {relations.calls[each.ref]: each.ref for each in group if each.ref in relations.calls}
    parts = {each.ref.part: each.ref for each in group}
    for caller in group:
        for part, call in glance_of(caller.source, glances).facts.joined_calls.items():
            child = parts.get(part)
            if child is not None and child != caller.ref:
                relations.parents[child] = caller.ref
                relations.calls.setdefault(child, call)
        for call in _calls_made(caller, wanted):
            if wanted[call] != caller.ref:
                relations.parents[wanted[call]] = caller.ref


def _calls_made(caller: Listed, wanted: Mapping[str, SessionRef]) -> Iterator[str]:
    """Yield the wanted calls that a file holds as calls: by a look at the bytes, then by decoding."""
    others = [call for call, ref in wanted.items() if ref != caller.ref]
    if not others or caller.source.size > CALLER_BYTES or not _mentions(caller.source.path, others):
        return
    format = by_agent(caller.source.agent)
    if format is None:
        return
    try:
        with JsonLines.open(caller.source.path) as lines:
            for entry in lines.entries():
                for record in entry.records:
                    for piece in format.decode(record.value).pieces:
                        call = piece.call_id
                        if piece.tool_part == ToolPart.INPUT and call is not None and call in wanted:
                            yield call
    except (Unreadable, SourceChanged):
        return


def holds_call(path: str, call: str) -> bool:
    """Say whether a session's file holds a call id."""
    return _mentions(path, [call])


def _mentions(path: str, calls: list[str]) -> bool:
    """Say whether a file holds one of the ids, each a whole JSON string."""
    whole = {b'"' + call.encode(errors="replace") + b'"' for call in calls}
    longest = max(map(len, whole))
    try:
        with open(path, "rb", buffering=0) as file:
            kept = b""
            while block := file.read(_BLOCK):
                data = kept + block
                if any(data.find(each) >= 0 for each in whole):
                    return True
                kept = data[-longest:]
    except OSError:
        return False
    return False


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


def _note_origins(catalogue: Catalogue, glances: Glances, relations: Relations) -> None:
    """Find forks: those whose records name an origin, and those that begin with the ids of an older session."""
    sharing: dict[tuple[str, str], set[SessionRef]] = defaultdict(set)
    for listed in catalogue.listed.values():
        glance = glance_of(listed.source, glances)
        named = glance.facts.forked_from
        if named and named != listed.ref.session_id:
            relations.origins[listed.ref] = SessionRef(listed.ref.agent, named)
        if listed.ref.part is None and not listed.source.hidden:
            for native_id in glance.first_ids:
                sharing[listed.ref.agent, native_id].add(listed.ref)
    elders: dict[SessionRef, set[SessionRef]] = defaultdict(set)
    for group in sharing.values():
        ordered = sorted(group, key=lambda ref: _age(catalogue.listed[ref], glances)) if len(group) > 1 else []
        for position, ref in enumerate(ordered):
            elders[ref].update(ordered[:position])
    for ref, older in elders.items():
        if older:
            ordered = sorted(older, key=lambda each: _age(catalogue.listed[each], glances))
            relations.elders[ref] = tuple(ordered)
            if ref.session_id != ordered[0].session_id:
                relations.origins.setdefault(ref, ordered[0])


def _age(listed: Listed, glances: Glances) -> tuple[int, int, int, str]:
    """Return what orders sessions that share records, the original first: nothing was added to it as late."""
    written = listed.source.mtime_ns // 1_000_000
    last = glance_of(listed.source, glances).last_activity
    return listed.ref.copy, written if last is None else last, written, str(listed.ref)
