"""The glances taken so far, in memory and, where there is a folder for them, from one run to the next."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from unspool.formats import by_agent

if TYPE_CHECKING:
    from unspool.formats.base import Format
    from unspool.library.glance import Glance
    from unspool.library.glance_file import GlanceFile
    from unspool.stores.base import SourceFile

RESTED: Final = 2_000
"""Milliseconds since a file was written before its glance is kept: within a tick of the clock it may be written again
and look the same."""


class Glances:
    """Takes glances; a file that has not changed is not looked at again."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder
        self._taken: dict[str, tuple[SourceFile, Glance]] = {}
        self._fresh: list[tuple[SourceFile, Glance]] = []
        """Those that the file does not hold yet."""

    def of(self, source: SourceFile) -> Glance:
        """Look at a file; what cannot be read has a `fault`."""
        taken = self._taken.get(source.path)
        if taken is not None and (taken[0] is source or _state(taken[0]) == _state(source)):
            return taken[1]
        format = by_agent(source.agent)
        assert format is not None, source.agent
        glance = self._look(source, format)
        self._taken[source.path] = source, glance
        return glance

    def keep(self, now: int) -> None:
        """Put what was taken into the file; `now` is in milliseconds since 1970."""
        fresh, self._fresh = self._fresh, []
        rested = [each for each in fresh if now - each[0].mtime_ns // 1_000_000 >= RESTED]
        if rested and self._file is not None:
            self._file.add(rested)

    @cached_property
    def _file(self) -> GlanceFile | None:
        from unspool.library.glance_file import GlanceFile

        return GlanceFile(self._folder) if self._folder is not None else None

    def _look(self, source: SourceFile, format: Format) -> Glance:
        from unspool.library import glance

        if self._file is None or source.inode is None:
            return glance.take_glance(source, format)
        found = self._file.find(source)
        if found is None:
            found = glance.take_glance(source, format)
            if found.fault is None:
                self._fresh.append((source, found))
        return found


def _state(source: SourceFile) -> tuple[int, int, tuple[int, int, int] | None]:
    return source.size, source.mtime_ns, source.inode
