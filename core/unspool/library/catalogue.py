"""One listing of all sessions: every file with its reference, who belongs to whom, what could not be listed.

A listing looks at names and sizes. Only where a path does not tell whose subagent a file is, its head is asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from unspool.formats import by_agent
from unspool.ids import SessionRef
from unspool.library.glance import Glance, Glances
from unspool.library.roots import Root, RootReport
from unspool.stores.base import ScanError, SourceFile


@dataclass(frozen=True, slots=True)
class Listed:
    """A session's file and its reference; `first` is the reference of the file that has the same id and comes first."""

    ref: SessionRef
    source: SourceFile
    first: SessionRef


@dataclass(slots=True)
class Catalogue:
    """A listing. `hidden` counts an agent's own housekeeping, which lists leave out."""

    listed: dict[SessionRef, Listed] = field(default_factory=dict)
    reports: list[RootReport] = field(default_factory=list)
    hidden: int = 0

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
    return glance_of(source, glances).facts.parent or source.session_id


def glance_of(source: SourceFile, glances: Glances) -> Glance:
    """Look at a file's head and tail."""
    format = by_agent(source.agent)
    assert format is not None, source.agent
    return glances.of(source, format)
