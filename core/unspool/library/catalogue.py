"""One listing of all sessions: every file with its reference, who belongs to whom, what could not be listed.

A listing looks at names and sizes. Only where a path does not tell whose subagent a file is, its head is asked.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from unspool.formats import by_agent
from unspool.ids import SessionRef
from unspool.library.glance import Glance, Glances
from unspool.library.roots import Root, RootReport
from unspool.stores.base import ScanError, SourceFile

SHORTEST: Final = 8
"""Characters of an id that are always shown: fewer look like a word."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A session's file and its reference; `first` is the reference of the file that has the same id and comes first."""

    ref: SessionRef
    source: SourceFile
    first: SessionRef


@dataclass(slots=True)
class Catalogue:
    """A listing. `hidden` counts an agent's own housekeeping, which lists leave out; `root_of` is by a file's path."""

    listed: dict[SessionRef, Listed] = field(default_factory=dict)
    reports: list[RootReport] = field(default_factory=list)
    root_of: dict[str, str] = field(default_factory=dict)
    hidden: int = 0
    _ids: dict[str, list[str]] = field(default_factory=dict)

    def short(self, ref: SessionRef) -> SessionRef:
        """Return the reference with its id cut to a beginning that no other session's id has."""
        if ref.agent not in self._ids:
            self._ids[ref.agent] = sorted({other.session_id for other in self.listed if other.agent == ref.agent})
        ids = self._ids[ref.agent]
        at = bisect_left(ids, ref.session_id)
        beside = [other for other in ids[max(0, at - 1) : at + 2] if other != ref.session_id]
        length = max([SHORTEST, *(_common(ref.session_id, other) + 1 for other in beside)])
        return replace(ref, session_id=ref.session_id[:length])

    @property
    def repeated(self) -> list[Listed]:
        """Files whose id another file has too."""
        return [each for each in self.listed.values() if each.ref != each.first]


def make_catalogue(roots: Sequence[Root], glances: Glances) -> Catalogue:
    """List everything under the roots; a file that two roots reach is listed once."""
    catalogue = Catalogue()
    sources: dict[str, SourceFile] = {}
    for root in roots:
        errors: list[ScanError] = []
        found: dict[str, int] = {}
        for source in root.sources(errors):
            path = os.path.realpath(source.path) if len(roots) > 1 else source.path
            if path not in sources:
                sources[path] = source
                catalogue.root_of[source.path] = root.path
                found[source.agent] = found.get(source.agent, 0) + 1
        agent = root.store.agent if root.store is not None else None
        catalogue.reports.append(RootReport(root.path, os.path.exists(root.path), agent, found, tuple(errors)))
    catalogue.hidden = sum(source.hidden for source in sources.values())
    for listed in named(sources.values(), glances):
        catalogue.listed[listed.ref] = listed
    return catalogue


def named(sources: Iterable[SourceFile], glances: Glances) -> list[Listed]:
    """Give every file its reference. Of several with one id the plain one comes first, then the newest."""
    same: dict[SessionRef, list[SourceFile]] = {}
    for source in sources:
        same.setdefault(SessionRef(source.agent, owner(source, glances), source.part), []).append(source)
    result = []
    for ref, files in same.items():
        files.sort(key=lambda file: (file.hidden, file.compressed, -file.mtime_ns, file.path))
        for number, file in enumerate(files, 1):
            result.append(Listed(replace(ref, copy=number), file, ref))
    return result


def owner(source: SourceFile, glances: Glances) -> str:
    """Return the id of the session that a file belongs to: its own, or for a subagent that of the session."""
    if source.part is None or source.parent is not None:
        return source.session_id
    facts = glance_of(source, glances).facts
    return facts.parent or facts.session_id or source.session_id


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    return next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), len(one))


def glance_of(source: SourceFile, glances: Glances) -> Glance:
    """Look at a file's head and tail."""
    format = by_agent(source.agent)
    assert format is not None, source.agent
    return glances.of(source, format)
