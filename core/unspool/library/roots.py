"""Where sessions are looked for, and what was found there.

The first that is given wins: folders that a person names, the agents' own variables, their usual folders under HOME.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from unspool.dataclass import dataclass, field
from unspool.errors import NotFound
from unspool.stores import STORES
from unspool.stores.base import every

if TYPE_CHECKING:
    from unspool.stores.base import Fits, ScanError, SourceFile, Store


@dataclass(frozen=True, slots=True)
class Root:
    """A place to look at: every agent's sessions where `store` is `None`, else only those of its agent."""

    path: str
    store: Store | None = None

    def sources(self, errors: list[ScanError], fits: Fits = every) -> Iterator[SourceFile]:
        """List the session files, of those that fit; what cannot be listed is appended to `errors`."""
        if self.store is not None:
            return self.store.sources(self.path, errors=errors, fits=fits)
        from unspool.stores.discovery import discover

        return discover(self.path, errors=errors, fits=fits)


@dataclass(frozen=True, slots=True)
class RootReport:
    """What a root gave: sessions by agent, and what could not be listed. `exists` is False for a missing folder."""

    path: str
    exists: bool
    agent: str | None = None
    found: dict[str, int] = field(default_factory=dict)
    errors: tuple[ScanError, ...] = ()


def roots_of(
    given: Sequence[str] | None, environ: Mapping[str, str], home: str, *, absent: bool = False
) -> tuple[Root, ...]:
    """Return the roots; raises `NotFound` for a folder that a person names and that has no name, or is not there.

    With `absent` it may come later.
    """
    if not given:
        return tuple(Root(path, store) for store in STORES for path in store.default_roots(environ, home))
    roots = []
    for path in given:
        if not path:
            raise NotFound("a root has an empty name; write the folder, or . for the one you are in")
        path = os.path.abspath(os.path.join(home, path[2:]) if path.startswith("~/") else path)
        if not absent and not os.path.exists(path):
            raise NotFound(f"no such file or folder: {path}")
        roots.append(Root(path))
    return tuple(dict.fromkeys(roots))


def homes_of(sources: Sequence[SourceFile]) -> dict[str, set[str]]:
    """Return the agents' homes that sources lie in, by agent."""
    homes: dict[str, set[str]] = {store.agent: set() for store in STORES}
    stores = {store.agent: store for store in STORES}
    folders = {(source.agent, os.path.dirname(source.path)) for source in sources if source.part is None}
    for agent, folder in folders:
        home = stores[agent].recognise(folder)
        if home is not None:
            homes[agent].add(home)
    return homes
