"""One listing of all sessions: every file with its reference, who belongs to whom, what could not be listed.

A listing looks at names and sizes. Only where a path does not tell whose subagent a file is, its head is asked.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, field, replace
from unspool.ids import SessionRef
from unspool.library.roots import Root, RootReport
from unspool.stores.base import every

if TYPE_CHECKING:
    from unspool.library.glances import Glances
    from unspool.stores.base import Fits, ScanError, SourceFile

SHORTEST: Final = 8
"""Characters of an id that are always shown: fewer look like a word."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A session's file and its reference; `first` is the reference of the file that has the same id and comes first.

    A session that is made of several files has their `parts` in order, and the newest of them as its source.
    """

    ref: SessionRef
    source: SourceFile
    first: SessionRef
    parts: tuple[Listed, ...] = ()

    @property
    def each(self) -> tuple[Listed, ...]:
        """The files that it is made of, in order: itself, or its parts."""
        return self.parts or (self,)


@dataclass(slots=True)
class Catalogue:
    """A listing. `hidden` counts an agent's own housekeeping, which lists leave out; `root_of` is by a file's path."""

    listed: dict[SessionRef, Listed] = field(default_factory=dict)
    reports: list[RootReport] = field(default_factory=list)
    root_of: dict[str, str] = field(default_factory=dict)
    hidden: int = 0
    _parts: dict[SessionRef, list[Listed]] = field(default_factory=dict)
    """The files of sessions that are made of several, in no order, by the session's reference."""
    _ids: dict[str, list[str]] = field(default_factory=dict)

    def add(self, listed: Listed) -> None:
        """Add a file."""
        self.listed[listed.ref] = listed
        if listed.source.ordered:
            self._parts.setdefault(listed.ref.session, []).append(listed)

    @property
    def refs(self) -> list[SessionRef]:
        """Everything that can be named: files, and sessions that are made of several."""
        return [*self.listed, *self._parts]

    def find(self, ref: SessionRef, glances: Glances) -> Listed | None:
        """Return what a reference names."""
        return whole(self._parts[ref], glances) if ref in self._parts else self.listed.get(ref)

    def rows(self, glances: Glances) -> list[Listed]:
        """Return what a list shows a row for: every file but the parts of sessions, and these sessions."""
        return grouped(self.listed.values(), glances)

    def short(self, ref: SessionRef) -> SessionRef:
        """Return the reference with its ids cut to beginnings that no other session, or part of it, has."""
        if ref.agent not in self._ids:
            self._ids[ref.agent] = sorted({other.session_id for other in self.listed if other.agent == ref.agent})
        parts = sorted(each.ref.part or "" for each in self._parts.get(ref.session, ()))
        part = _shortened(ref.part, parts) if ref.part is not None and parts else ref.part
        return replace(ref, session_id=_shortened(ref.session_id, self._ids[ref.agent]), part=part)

    @property
    def repeated(self) -> list[Listed]:
        """Files whose id another file has too."""
        return [each for each in self.listed.values() if each.ref != each.first]


def make_catalogue(roots: Sequence[Root], glances: Glances, fits: Fits = every) -> Catalogue:
    """List everything under the roots, or what fits; a file that two roots reach is listed once."""
    catalogue = Catalogue()
    sources: dict[str, SourceFile] = {}
    folders: dict[str, str] = {}
    for root in roots:
        errors: list[ScanError] = []
        found: dict[str, int] = {}
        for source in root.sources(errors, fits):
            path = _real(source.path, folders) if len(roots) > 1 else source.path
            if path not in sources:
                sources[path] = source
                catalogue.root_of[source.path] = root.path
                found[source.agent] = found.get(source.agent, 0) + 1
        agent = root.store.agent if root.store is not None else None
        catalogue.reports.append(RootReport(root.path, os.path.exists(root.path), agent, found, tuple(errors)))
    catalogue.hidden = sum(source.hidden for source in sources.values())
    for listed in named(sources.values(), glances):
        catalogue.add(listed)
    return catalogue


def _real(path: str, folders: dict[str, str]) -> str:
    """Return the path of a file that is no link itself, without the links on the way; `folders` are those known."""
    folder, name = os.path.split(path)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    return os.path.join(folders[folder], name)


def named(sources: Iterable[SourceFile], glances: Glances) -> list[Listed]:
    """Give every file its reference. Of several with one id the plain one comes first, then the newest.

    The parts of a session lie in one folder, and are of one and the same copy of it.
    """
    same: dict[SessionRef, dict[str, list[SourceFile]]] = {}
    for source in sources:
        ref = SessionRef(source.agent, owner(source, glances), None if source.ordered else source.part)
        place = os.path.dirname(source.path) if source.ordered else source.path
        same.setdefault(ref, {}).setdefault(place, []).append(source)
    result: list[Listed] = []
    for ref, groups in same.items():
        firsts: dict[str | None, SessionRef] = {}
        ordered = sorted(groups.values(), key=_precedence) if len(groups) > 1 else groups.values()
        for number, files in enumerate(ordered, 1):
            for file in files:
                own = SessionRef(ref.agent, ref.session_id, file.part, number)
                result.append(Listed(own, file, firsts.setdefault(file.part, own)))
    return result


def _precedence(files: Sequence[SourceFile]) -> tuple[bool, bool, int, str]:
    newest = max(files, key=lambda file: file.mtime_ns)
    return newest.hidden, newest.compressed, -newest.mtime_ns, newest.path


def grouped(listed: Iterable[Listed], glances: Glances) -> list[Listed]:
    """Return the files, in place of the parts of a session the session."""
    parts: dict[SessionRef, list[Listed]] = {}
    rows: list[Listed] = []
    for each in listed:
        if each.source.ordered:
            parts.setdefault(each.ref.session, []).append(each)
        else:
            rows.append(each)
    return [*rows, *(whole(files, glances) for files in parts.values())]


def whole(parts: Sequence[Listed], glances: Glances) -> Listed:
    """Return the session that some parts make, in the order in which they were begun, those without a record first."""
    ordered = sorted(parts, key=lambda each: (_begun(each.source, glances), each.ref.part or ""))
    newest = ordered[-1]
    return Listed(newest.ref.session, newest.source, newest.first.session, tuple(ordered))


def _begun(source: SourceFile, glances: Glances) -> int:
    if not source.size:
        return 0
    started = glances.of(source).started_at
    return source.mtime_ns // 1_000_000 if started is None else started


def owner(source: SourceFile, glances: Glances) -> str:
    """Return the id of the session that a file belongs to: its own, or for a subagent that of the session."""
    if not source.is_subagent or source.parent is not None:
        return source.session_id
    glance = glances.of(source)
    return glance.parent or glance.session_id or source.session_id


def _shortened(wanted: str, every: Sequence[str]) -> str:
    """Return a beginning of a word that no other one of a sorted list has."""
    at = bisect_left(every, wanted)
    beside = [other for other in every[max(0, at - 1) : at + 2] if other != wanted]
    return wanted[: max([SHORTEST, *(_common(wanted, other) + 1 for other in beside)])]


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))
