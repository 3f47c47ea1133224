"""Taking a view of a source, and taking it again when the source has grown."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

from unspool.columns.side_files import SideFiles
from unspool.errors import SourceChanged
from unspool.ids import EntryRange, SessionRef
from unspool.sources.beginning import whole_lines
from unspool.sources.jsonl import JsonLines
from unspool.views.opened import Opened
from unspool.views.snapshot import Snapshot

if TYPE_CHECKING:
    from unspool.formats.base import Format


class TakenView(Snapshot):
    """A snapshot that knows how it was taken. Taking it anew leaves it as it is and gives another one."""

    @classmethod
    def open(
        cls,
        path: str,
        ref: SessionRef,
        format: Format,
        side_files: SideFiles | None = None,
        entry_range: EntryRange | None = None,
    ) -> Self:
        """Read a source; raises `Unreadable`."""
        return cls(ref, Opened.open(path, format, side_files or SideFiles(None)), entry_range)

    @classmethod
    def open_head(cls, path: str, ref: SessionRef, format: Format, side_files: SideFiles, most: int) -> Self | None:
        """Read the whole lines at the beginning of a source, at most `most` bytes; `refreshed` reads on.

        `None` for a source of which that cannot be read: its first line is longer, or it is not made of lines and is
        longer itself. Raises `Unreadable`.
        """
        from unspool.sources.document import ENDING

        size = whole_lines(path, most)
        if size is None:
            return None
        if not path.endswith(ENDING):
            return cls(ref, Opened.of(JsonLines.open_head(path, size), format, side_files))
        return cls.open(path, ref, format, side_files) if os.path.getsize(path) <= most else None

    @classmethod
    def of(
        cls, records: Iterable[Mapping[str, Any]], format: Format | None = None, ref: SessionRef | None = None
    ) -> Self:
        """Make a view of records in memory, for hosts that hold the history themselves.

        Without a format the first records tell whose they are; raises `Unreadable` when they do not.
        """
        opened = Opened.of_records(records, format)
        return cls(ref or SessionRef(opened.builder.format.agent, "memory"), opened)

    def refreshed(self, most: int | None = None) -> Self:
        """Return a view that also has what was appended; itself when nothing was. Raises `SourceChanged`.

        Of more than `most` bytes it has the whole lines within these, and is refreshed once more for the next.
        """
        return self._on(self._opened.refreshed(most))

    def gone_on(self, side_files: SideFiles, most: int) -> Self | None:
        """Go on in a glimpse, with what lies beside the session: a source of at most so many bytes is read to its end.

        `None` where the glimpse would have looked beside it, or what is read on in is no longer what it was.
        """
        if not self._opened.beside(side_files):
            return None
        try:
            return self.refreshed() if os.path.getsize(self.source_path) <= most else self
        except (OSError, SourceChanged):
            return None

    def narrowed(self, entry_range: EntryRange) -> Self:
        """Return the same view of some entries only; rows keep their numbers."""
        return type(self)(self.ref, self._opened, entry_range, begin=self.begin)

    def resaved(self, *, missing: bool) -> tuple[Self, tuple[int, ...]]:
        """Return a view with the saved outputs as they are now, and the rows whose output changed; else itself.

        `missing` also looks for those that were not found. Of several views of a session only the newest is renewed.
        Raises `SourceChanged`.
        """
        opened, rows = self._opened.resaved(missing=missing)
        return self._on(opened), rows

    def _on(self, opened: Opened) -> Self:
        return self if opened is self._opened else type(self)(self.ref, opened, self.entry_range, begin=self.begin)
