"""Subagents that other subagents of the same session started: whose call it was, as far as their files tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from unspool.dataclass import dataclass, field
from unspool.errors import SourceChanged, Unreadable
from unspool.formats import by_agent
from unspool.formats.key import key_of
from unspool.formats.piece import ToolPart
from unspool.library.catalogue import Catalogue, Listed
from unspool.library.mentions import mentions
from unspool.library.remembered import Remembered, same

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library.glances import Glances
    from unspool.stores.base import SourceFile

NAME: Final = "callers"
"""Of the file in the cache folder."""

CALLER_BYTES: Final = 64 << 20
"""Bytes of one file looked through for the calls that started others: subagents are short sessions."""

LISTED_BYTES: Final = 256 << 20
"""Bytes looked through for one listing; who is not reached by then stays below the session. About half a second."""


@dataclass(frozen=True, slots=True)
class Started:
    """What one file tells: the ids of its calls, and the call that started a subagent by the subagent's id."""

    calls: frozenset[str] = frozenset()
    joined: Mapping[str, str] = field(default_factory=dict)

    def of(self, ids: frozenset[str]) -> Started:
        """Return what it tells of some calls and subagents."""
        return Started(self.calls & ids, {child: call for child, call in self.joined.items() if child in ids})


class Family(Protocol):
    """Parents, and the calls that started their children, by child."""

    parents: dict[SessionRef, SessionRef]
    calls: dict[SessionRef, str]


class Callers:
    """What files told about those they started; one that has not changed is not looked through again."""

    def __init__(self, folder: str | None = None) -> None:
        self._known: dict[str, tuple[SourceFile, int, Started]] = {}
        self._remembered = Remembered(folder, NAME)
        self._left = 0

    def begin(self) -> None:
        """Begin a listing: it may look through `LISTED_BYTES` of files that are not known yet."""
        self._left = LISTED_BYTES

    def keep(self, now: int) -> None:
        """Remember what was told; `now` is in milliseconds since 1970."""
        self._remembered.keep(now)

    def started(self, caller: Listed, ids: frozenset[str], own: Collection[str], glances: Glances) -> Started:
        """Return what a file tells of some ids of calls and subagents, if it mentions one that is not its `own`."""
        source, key = caller.source, key_of(*sorted(ids))
        known = self._known.get(source.path)
        if known is not None and known[1] == key and same(known[0], source):
            return known[2]
        told = self._remembered.find(source)
        if told is not None and told[0] == key:
            started = Started(frozenset(told[1]), told[2])
        elif source.size > min(CALLER_BYTES, self._left):
            return Started(joined=glances.of(source).joined_calls)
        else:
            self._left -= source.size
            started = _read(caller).of(ids) if mentions(source.path, ids.difference(own)) else Started()
            self._remembered.note(source, [key, [*started.calls], started.joined])
        self._known[source.path] = source, key, started
        return started


def nest(catalogue: Catalogue, glances: Glances, relations: Family, callers: Callers) -> None:
    """Move subagents below the subagent that started them, and add the calls that did."""
    siblings: dict[SessionRef, list[Listed]] = defaultdict(list)
    parents, calls = relations.parents, relations.calls
    for child, parent in parents.items():
        if child.part is not None:
            siblings[parent].append(catalogue.listed[child])
    callers.begin()
    for parent, group in siblings.items():
        if len(group) > 1:
            look = _Look(catalogue.listed[parent], group, calls, glances, callers)
            for child, (caller, call) in look.starters().items():
                if not _is_above(child, caller, parents):
                    parents[child] = caller
                    calls.setdefault(child, call)


class _Look:
    """The subagents of one session, and who of them started whom."""

    def __init__(
        self,
        parent: Listed,
        group: Sequence[Listed],
        calls: Mapping[SessionRef, str],
        glances: Glances,
        callers: Callers,
    ) -> None:
        self.parent = parent
        self.group = group
        self.calls = calls
        self.glances = glances
        self.callers = callers
        self.noted = {calls[each.ref]: each.ref for each in group if each.ref in calls}
        self.parts = {each.ref.part: each.ref for each in group if each.ref.part is not None}
        self.ids = frozenset([*self.noted, *self.parts])

    def starters(self) -> dict[SessionRef, tuple[SessionRef, str]]:
        """Return the sibling that started a subagent, and its call.

        Who holds the call that lies beside a subagent is certain. A result that only names a subagent may be of another
        call, which asked how it does: the session's own file goes before.
        """
        held: dict[SessionRef, tuple[SessionRef, str]] = {}
        told: dict[SessionRef, tuple[SessionRef, str]] = {}
        for caller in self.group:
            own = {each for each in (caller.ref.part, self.calls.get(caller.ref)) if each is not None}
            started = self.callers.started(caller, self.ids, own, self.glances)
            for call in started.calls.intersection(self.noted).difference(own):
                held.setdefault(self.noted[call], (caller.ref, call))
            for part in started.joined.keys() & self.parts.keys() - own:
                told.setdefault(self.parts[part], (caller.ref, started.joined[part]))
        doubtful = told.keys() - held.keys()
        if doubtful:
            started = self.callers.started(self.parent, self.ids, (), self.glances)
            for child in doubtful:
                if child.part in started.joined or self.calls.get(child) in started.calls:
                    del told[child]
        return {**told, **held}


def _read(caller: Listed) -> Started:
    """Read a file whole."""
    from unspool.sources.document import open_log

    format = by_agent(caller.source.agent)
    assert format is not None, caller.source.agent
    fold, calls, rows = format.fold(), set[str](), 0
    try:
        with open_log(caller.source.path) as lines:
            for entry in lines.entries():
                for record in entry.records:
                    decoded = format.decode(record.value)
                    for _ in fold.add(record.value, decoded, range(rows, rows + len(decoded.pieces))):
                        pass
                    rows += len(decoded.pieces)
                    made = (piece.call_id for piece in decoded.pieces if piece.tool_part == ToolPart.INPUT)
                    calls.update(filter(None, made))
    except (Unreadable, SourceChanged):
        return Started()
    return Started(frozenset(calls), fold.facts.joined_calls)


def _is_above(child: SessionRef, caller: SessionRef, parents: Mapping[SessionRef, SessionRef]) -> bool:
    """Say whether a subagent stands somewhere above another."""
    above: SessionRef | None = caller
    seen: set[SessionRef] = set()
    while above is not None and above not in seen:
        if above == child:
            return True
        seen.add(above)
        above = parents.get(above)
    return False
