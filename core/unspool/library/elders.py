"""The older sessions that may hold copies of a session's pieces: those known from heads and tails, and those found.

A fork may share nothing with its origin but what lies in the middle of both. Copies keep their ids and, mostly, their
times: so the files of older sessions of the same place that were at work at that time are asked for the ids.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from unspool.library.catalogue import Catalogue, Listed
from unspool.library.mentions import mentions

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library.glance import Glance
    from unspool.library.glances import Glances
    from unspool.library.origins import Origins
    from unspool.views.view import SessionView

ASKED_BYTES: Final = 128 << 20
"""Bytes of other files looked through for one session that has hits: about a quarter of a second."""

LISTED_BYTES: Final = 4 << 20
LISTED_TIMES: Final = 4
"""A session that is read whole for a list has this many bytes of other files looked through, and this many times its
own size: never much of what reading it costs."""

SAMPLED_ROWS: Final = 256
"""Pieces of a session that stand for all of them when its origin is looked for: what is copied lies together."""

_Span = tuple[int | None, int | None]
_Place = tuple[str, str, str | None]
"""An agent, and a folder in which sessions lie or began."""


class Elders:
    """Knows who goes before whom; `catalogue` and `origins` are of one listing."""

    def __init__(self, catalogue: Catalogue, glances: Glances, origins: Origins) -> None:
        self._catalogue = catalogue
        self._glances = glances
        self._origins = origins

    def known(self, ref: SessionRef) -> list[SessionRef]:
        """Return the older sessions that are known to share pieces with a session."""
        return self._origins.elders(ref) if ref in self._origins.order else []

    def contemporaries(self, view: SessionView) -> list[SessionRef]:
        """Return the older sessions of the same place that were at work at the same time; nothing is opened."""
        return [listed.ref for listed in self._contemporaries(view)]

    def holding(
        self, view: SessionView, rows: Sequence[int], among: Collection[SessionRef], limit: int | None = None
    ) -> list[SessionRef]:
        """Return those of some contemporaries whose files hold the id of one of the rows.

        The nearest in order are asked first, until `limit` bytes (usually `ASKED_BYTES`) are looked through.
        """
        ids: dict[int, str | None] = {}
        found, left = [], ASKED_BYTES if limit is None else limit
        for listed in self._contemporaries(view):
            wanted = [row for row in rows if _within(view.time(row), self._span(listed))]
            if listed.ref not in among or not wanted:
                continue
            ids |= {row: view.native_id(row) for row in wanted if row not in ids}
            left -= listed.source.size
            if left < 0:
                break
            if mentions(listed.source.path, {each for row in wanted if (each := ids[row]) is not None}):
                found.append(listed.ref)
        return found

    def mentioned(self, refs: Collection[SessionRef], native_id: str) -> bool:
        """Say whether the file of one of some sessions holds an id."""
        return any(mentions(self._catalogue.listed[ref].source.path, [native_id]) for ref in refs)

    def origin(self, view: SessionView) -> SessionRef | None:
        """Return the oldest session that holds pieces of a session which names no origin, as far as is found."""
        among = self.contemporaries(view)
        if not among:
            return None
        step = -(-view.rows // SAMPLED_ROWS) or 1
        found = self.holding(view, range(0, view.rows, step), among, LISTED_BYTES + LISTED_TIMES * view.size)
        others = (each for each in found if each.session_id != view.ref.session_id)
        return min(others, key=self._origins.order.__getitem__, default=None)

    def _contemporaries(self, view: SessionView) -> Iterator[Listed]:
        """Yield them, the nearest in order first."""
        from heapq import merge

        order = self._origins.order
        own = self._catalogue.listed.get(view.ref)
        if own is None or view.ref not in order or view.ref.part is not None:
            return
        known = {view.ref, *self.known(view.ref)}
        span = view.started_at, view.last_activity
        before = [self._before(order[view.ref], place) for place in self._places_of(own)]
        for each in merge(*before, key=lambda listed: -order[listed.ref]):
            if each.ref not in known and _overlap(span, self._span(each)):
                known.add(each.ref)
                yield each

    def _before(self, number: int, place: _Place) -> Iterator[Listed]:
        """Yield the sessions of a place that go before a number, the last of them first."""
        order, there = self._origins.order, self._by_place.get(place, [])
        return reversed(there[: bisect_left(there, number, key=lambda each: order[each.ref])])

    @cached_property
    def _by_place(self) -> Mapping[_Place, list[Listed]]:
        """The sessions of each place, in order."""
        found: dict[_Place, list[Listed]] = defaultdict(list)
        for ref in sorted(self._origins.order, key=self._origins.order.__getitem__):
            listed = self._catalogue.listed[ref]
            if ref.part is None and not listed.source.hidden:
                for place in self._places_of(listed):
                    found[place].append(listed)
        return found

    def _places_of(self, listed: Listed) -> tuple[_Place, _Place]:
        """Return where a session is at home: in the folder that its file lies in, and in the one that it began in."""
        agent = listed.ref.agent
        return (agent, "lies", os.path.dirname(listed.source.path)), (agent, "began", self._glance(listed).cwd)

    def _span(self, listed: Listed) -> _Span:
        glance = self._glance(listed)
        return glance.started_at, glance.last_activity

    def _glance(self, listed: Listed) -> Glance:
        return self._glances.of(listed.source)


def _within(time: int | None, span: _Span) -> bool:
    """Say whether a time lies in a span; what is not known may."""
    return _overlap((time, time), span)


def _overlap(one: _Span, other: _Span) -> bool:
    return not (_is_before(one[1], other[0]) or _is_before(other[1], one[0]))


def _is_before(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and one < other
