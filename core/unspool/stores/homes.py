"""Stores of agents that keep a home: a folder of a usual name or another, with the folders of its sessions in it."""

from __future__ import annotations

import os
import stat
from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from unspool.stores.base import DEPTH, Fits, ScanError, SourceFile, Store, every
from unspool.stores.listing import reason, walk


class HomeStore(Store):
    """One agent's homes, and how they are told from other folders."""

    homes: ClassVar[tuple[str, ...]]
    """The usual homes, as paths below a person's HOME."""
    kept: ClassVar[tuple[str, ...]]
    """The folders of a home that hold sessions."""
    skipped: ClassVar[frozenset[str]] = frozenset()
    """Folders that hold no sessions, wherever they lie."""

    @abstractmethod
    def is_home(self, folder: str) -> bool:
        """Say whether a folder is a home of this agent."""

    @abstractmethod
    def is_session(self, name: str, *, strict: bool) -> bool:
        """Judge a file by its name: `strict` in the agent's own folders, where all sessions are named by its rule."""

    @abstractmethod
    def described(self, path: str, state: os.stat_result) -> SourceFile:
        """Return what the path of a session's file tells."""

    def refusal(self, source: SourceFile) -> str | None:
        """Return why a session that lies there is not listed; `None` for those that are."""
        return None

    def recognise(self, path: str) -> str | None:
        """Return the home that a path holds, is, or lies in; the nearest one."""
        path = os.path.abspath(path)
        where = os.path.realpath(path)
        return self._home_of(path) or (self._home_of(where) if where != path else None)

    def sources(
        self, root: str, *, errors: list[ScanError], depth: int = DEPTH, fits: Fits = every
    ) -> Iterator[SourceFile]:
        """List the session files below a root."""
        root = os.path.abspath(root)
        if not os.path.isdir(root):
            source = self.source(os.path.realpath(root))
            if source is not None:
                yield source
            return
        homes = [home for home in (root, *self._usual(root)) if self.is_home(home)]
        folders = [os.path.join(home, name) for home in homes for name in self.kept]
        strict = bool(folders) or self.recognise(root) is not None
        for folder in folders or [root]:
            for entry in walk(folder, errors=errors, depth=depth, skip=self.skipped):
                if self.is_session(entry.name, strict=strict) and fits(entry.path):
                    yield from self._listed(entry, errors)

    def source(self, path: str) -> SourceFile | None:
        """Describe one file by its path."""
        path = os.path.abspath(path)
        try:
            state = os.lstat(path)
        except OSError:
            return None
        known = stat.S_ISREG(state.st_mode) and self.is_session(os.path.basename(path), strict=False)
        return self.described(path, state) if known else None

    def _listed(self, entry: os.DirEntry[str], errors: list[ScanError]) -> Iterator[SourceFile]:
        try:
            source = self.described(entry.path, entry.stat(follow_symlinks=False))
        except FileNotFoundError:
            return
        except OSError as error:
            errors.append(ScanError(entry.path, reason(error)))
            return
        refused = self.refusal(source)
        if refused is None:
            yield source
        else:
            errors.append(ScanError(source.path, refused))

    def _usual(self, person: str) -> list[str]:
        return [os.path.join(person, name) for name in self.homes]

    def _home_of(self, path: str) -> str | None:
        for candidate in (*self._usual(path), path):
            if self.is_home(candidate):
                return candidate
        above, name = os.path.split(path)
        while name:
            if name in self.kept and self.is_home(above):
                return above
            above, name = os.path.split(above)
        return None
