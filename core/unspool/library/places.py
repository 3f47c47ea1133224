"""The roots of a library as a follower sees them: what lies there now, under which reference, and how it is opened."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from unspool.dataclass import dataclass
from unspool.library.catalogue import Listed, named
from unspool.stores import STORES
from unspool.stores.discovery import discover

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.library.glances import Glances
    from unspool.library.roots import Root
    from unspool.stores.base import ScanError, SourceFile
    from unspool.views.view import SessionView


@dataclass(frozen=True, slots=True, eq=False)
class RootPlaces:
    """Roots, and `elsewhere` the files outside them that were named by their paths. `refs` are known by path."""

    roots: Sequence[Root]
    elsewhere: Sequence[str]
    refs: Mapping[str, SessionRef]
    glances: Glances
    opener: Callable[[Listed], SessionView]

    def sources(self, below: str | None, errors: list[ScanError]) -> Iterator[SourceFile]:
        """List the session files under all roots, each once, or those below one folder or at one path."""
        seen: set[str] = set()
        for source in self._every(errors) if below is None else self._below(below, errors):
            if source.path not in seen:
                seen.add(source.path)
                yield source

    def ref(self, source: SourceFile) -> SessionRef:
        """Return the reference of a file."""
        return self.refs.get(source.path) or named([source], self.glances)[0].ref

    def open(self, source: SourceFile, ref: SessionRef) -> SessionView:
        """Read a session; raises `Unreadable`."""
        return self.opener(Listed(ref, source, ref))

    def folders(self) -> list[str]:
        """Return the agents' homes under the roots, else the roots, and where the files elsewhere lie."""
        folders = [folder for root in self.roots for folder in _homes(root)]
        return list(dict.fromkeys([*folders, *map(os.path.dirname, self.elsewhere)]))

    def root(self, path: str) -> str | None:
        """Return the root that a path lies in; `None` for a file elsewhere."""
        return next((root.path for root in self.roots if _holds(root.path, path)), None)

    def parent(self, source: SourceFile) -> str | None:
        """Return the id of the session that a subagent's records name."""
        return self.glances.of(source).parent

    def _every(self, errors: list[ScanError]) -> Iterator[SourceFile]:
        for root in self.roots:
            yield from root.sources(errors)
        for path in self.elsewhere:
            yield from discover(path, errors=[])

    def _below(self, path: str, errors: list[ScanError]) -> Iterable[SourceFile]:
        root = next((root for root in self.roots if _holds(root.path, path)), None)
        if root is not None and root.store is not None:
            return root.store.sources(path, errors=errors)
        if root is None and path not in self.elsewhere:
            return ()
        return discover(path, errors=errors)


def _homes(root: Root) -> list[str]:
    """Return the folders to watch of one root: never a person's HOME as a whole, if agents have theirs in it."""
    if root.store is not None:
        return [root.path]
    homes = [home for store in STORES if (home := store.recognise(root.path)) is not None]
    inside = [home for home in homes if home != root.path and _holds(root.path, home)]
    return inside or [root.path]


def _holds(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
