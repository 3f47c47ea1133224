"""What is learned of files, remembered as long as they are as they were: kept from one run to the next."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from unspool.library.kept_file import KeptFile
    from unspool.stores.base import SourceFile

RESTED: Final = 2_000
"""Milliseconds since a file was written before what is learned of it is kept: within a tick of the clock it may be
written again and look the same."""


class Remembered:
    """One thing about each file, as JSON can say it, in the file `name` of a folder; without a folder nothing is."""

    def __init__(self, folder: str | None, name: str) -> None:
        self._folder = folder
        self._name = name
        self._fresh: list[tuple[SourceFile, Any]] = []
        """What the file does not hold yet."""

    def find(self, source: SourceFile) -> Any:
        """Return what was learned of a file, `None` when it has changed since or nothing was."""
        return self._file.find(source) if self._file is not None and source.inode is not None else None

    def note(self, source: SourceFile, value: Any) -> None:
        """Remember what was learned of a file, once it is kept."""
        if self._file is not None and source.inode is not None:
            self._fresh.append((source, value))

    def gone(self) -> list[str]:
        """Return the paths of files that are no longer there, and forget them; where few were asked for, none."""
        return self._file.gone() if self._file is not None else []

    def clear(self) -> None:
        """Keep nothing any longer of files that are no longer there."""
        if self._file is not None:
            self._file.clear()

    def keep(self, now: int) -> None:
        """Put what was noted into the file; `now` is in milliseconds since 1970."""
        fresh, self._fresh = self._fresh, []
        rested = [each for each in fresh if now - each[0].mtime_ns // 1_000_000 >= RESTED]
        if rested and self._file is not None:
            self._file.add(rested)

    @cached_property
    def _file(self) -> KeptFile | None:
        from unspool.library.kept_file import KeptFile

        return KeptFile(self._folder, self._name) if self._folder is not None else None


def same(one: SourceFile, other: SourceFile) -> bool:
    """Say whether a file is as it was."""
    return one is other or (one.size, one.mtime_ns, one.inode) == (other.size, other.mtime_ns, other.inode)
