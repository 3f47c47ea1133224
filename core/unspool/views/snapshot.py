"""What a view is a snapshot of, and what can be said of each of its rows."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

from unspool.columns.piece_text import PieceText, RawBytes
from unspool.errors import NotFound
from unspool.formats.piece import Flag
from unspool.views.index import Index
from unspool.views.material import Material
from unspool.views.target import Target, parse_target

if TYPE_CHECKING:
    from unspool.columns.chain import BrokenLink, Chain
    from unspool.columns.stored_blob import StoredBlob
    from unspool.formats.facts import Facts
    from unspool.ids import EntryRange, SessionRef
    from unspool.sources.identity import Identity
    from unspool.sources.record import Unreadable
    from unspool.views.evidence import Evidence
    from unspool.views.opened import Opened

WRITTEN_MS: Final = 120_000
"""Milliseconds after which half a record is one for good, and none that is still being written."""


class Snapshot(Index):
    """One source as it was: its facts, and its pieces one by one.

    What `Index` answers needs no file access; the rest reads the source, and raises `SourceChanged` when its bytes are
    no longer those of the snapshot.
    """

    def __init__(
        self, ref: SessionRef, opened: Opened, entry_range: EntryRange | None = None, *, begin: int = 0
    ) -> None:
        super().__init__(opened.builder.columns, entry_range)
        self.ref = ref
        self.begin = begin
        """The byte of the source from which on it is covered: 0, but where only the newest lines were read."""
        self.taken_at = int(time.time() * 1000)
        self._opened = opened
        self._material = Material(self.bare(), opened.records, opened.builder.format)
        self.facts: Facts = opened.builder.fold.facts.copy()
        self.unreadable: tuple[Unreadable, ...] = (*opened.builder.unreadable, *opened.torn)
        self.other_records: dict[str, int] = dict(opened.builder.other_records)
        self.unknown_records: dict[str, int] = dict(opened.builder.unknown_records)
        self.broken_links: tuple[BrokenLink, ...] | None = _broken_links(opened.builder.chain)
        """Records that do not fit into the chain that the agent made of them; `None` where it made none."""
        self.pending: tuple[int, int] | None = opened.pending
        self.started_at: int | None = opened.builder.first_time
        self.last_activity: int | None = opened.builder.last_time

    @property
    def agent(self) -> str:
        """The agent whose format it is."""
        return self._material.format.agent

    @property
    def source_path(self) -> str:
        """Where the source lies."""
        return self._opened.lines.path

    @property
    def identity(self) -> Identity:
        """What the source was when the snapshot was taken."""
        return self._opened.lines.identity

    @property
    def size(self) -> int:
        """Bytes of the source that the snapshot covers; of a folder of blobs, those of all that it holds."""
        return self._opened.lines.held

    @property
    def complete(self) -> bool:
        """Whether the snapshot ends with a whole line."""
        return self.pending is None

    @property
    def torn(self) -> bool:
        """Whether it ends in half a record at which nobody had written for `WRITTEN_MS` when the snapshot was taken."""
        return not self.complete and self.taken_at - self.identity.mtime_ns // 1_000_000 > WRITTEN_MS

    @property
    def faults(self) -> tuple[Unreadable | BrokenLink, ...]:
        """The lines that could not be read, and those that do not fit into their chain, in order."""
        return tuple(sorted((*self.unreadable, *(self.broken_links or ())), key=lambda each: each.line))

    def row(self, target: Target) -> int:
        """Return the row of a target that names one piece, or an entry with one; raises `NotFound`."""
        wanted = parse_target(target)
        rows = self._rows_of(wanted)
        if len(rows) > 1 and wanted.single is None:
            ids = ", ".join(str(self.id(row)) for row in rows[:8])
            raise NotFound(f"{wanted} has {len(rows)} pieces; name one: {ids}")
        return rows[0]

    def _rows_of(self, wanted: EntryRange) -> list[int]:
        rows = self.rows_in(wanted)
        if not rows:
            raise NotFound(f"{self.ref}: {self.absence(wanted)}")
        return rows

    def absence(self, target: Target) -> str:
        """Say in one line why a target has no piece: what its entry is, or which entries there are."""
        from unspool.views.absence import absence

        return absence(self._material, self._opened.lines, self.unreadable, parse_target(target))

    def evidence_at(self, row: int) -> Evidence:
        """Return one row of the index."""
        return self._material.evidence(row)

    def evidence_rows(self, rows: Sequence[int]) -> list[Evidence]:
        """Return some rows of the index."""
        return [self._material.evidence(row) for row in rows]

    def arguments(self, row: int) -> Any | None:
        """Return the structured arguments of a call; `None` for other pieces and unstructured or enormous arguments."""
        return self._material.arguments(row)

    def touched(self, row: int) -> tuple[str, ...]:
        """Return the paths that a piece touches: those its call names, of a result too, or a prompt mentions."""
        return self._material.touched(row)

    def native_id(self, row: int) -> str | None:
        """Return the id that the agent itself gave to a piece or its record, `None` where it gave none."""
        return self._material.records.piece(row).native_id

    def digest(self, row: int, *, model_view: bool = False) -> str:
        """Return the SHA-256 of a piece's text, or of what the model saw of it, as hex."""
        from unspool.views.resolving import digest

        return digest(self._material.text(row, model_view))

    def structure(self, row: int) -> Any | None:
        """Return the structured value that a piece is, call or result; `None` for text and enormous values."""
        return self._material.structure(row)

    def result_detail(self, row: int) -> Any | None:
        """Return the agent's own richer form of a call's result, for drawing; `None` where there is none."""
        return self._material.result_detail(row)

    def stored_blob(self, row: int) -> StoredBlob | None:
        """Return the stored output that holds a piece's full text, `None` where its text lies elsewhere."""
        return self._material.stored_blob(row)

    def notice(self, row: int) -> str | None:
        """Return what a person must know before reading a piece ("full output not found"), mostly `None`."""
        return self._material.notice(row)

    def text(self, target: Target, *, model_view: bool = False) -> PieceText:
        """Return the text of one piece, or what the model saw of it, to be read by windows; raises `NotFound`."""
        return self._material.text(self.row(target), model_view)

    def _raw_text(self, row: int) -> PieceText:
        records = self._material.records
        records.piece(row)  # refuses a record that is no longer what it was
        return PieceText([RawBytes(records.reader(row), self._columns.span(row)[1])])

    def apart(self) -> Self:
        """Return the same snapshot for another thread: it shares the source, and nothing that changes by reading."""
        other = super().apart()
        other._material = Material(other.bare(), self._opened.records, self._material.format)
        return other

    def side_files_changed_at(self) -> Mapping[str, int | None]:
        """Return when a file was last added to each folder of side files, in nanoseconds; `None` for a missing one."""
        return self._opened.builder.side_files.changed_at()

    @property
    def side_folders(self) -> frozenset[str]:
        """The folders in which side files are looked for, existing or not: the session's own, and an origin's."""
        return self._opened.builder.side_files.paths

    def row_behind(self, size: int) -> int:
        """Return the first row whose line goes beyond so many bytes of the file."""
        entry = bisect_right(self._columns.ends, max(0, size - 1), 0, self.entries) if size else 0
        return self.nearest_row(entry)

    def same_lines(self, other: Snapshot) -> bool:
        """Say whether another snapshot of the session has the same lines and reads them alike."""
        lines = [
            (each._columns.offsets[: each.entries], each.unreadable, each.pending, each.other_records)
            for each in (self, other)
        ]
        return lines[0] == lines[1]

    def saved_otherwise(self, other: Snapshot, stop: int) -> tuple[int, ...]:
        """Return the rows before `stop` whose saved text is there in only one of two snapshots, or grew."""
        mine, theirs = self._opened.builder.stored, other._opened.builder.stored

        def found(view: Snapshot, row: int) -> tuple[int, bool]:
            return view.bytes(row), Flag.MISSING in view.flags(row)

        rows = sorted(row for row in mine.keys() | theirs.keys() if row < stop)
        return tuple(row for row in rows if found(self, row) != found(other, row))

    def prepare(self) -> None:
        """Get ready for what will be appended: of a long session that was kept, that takes a tenth of a second."""
        self._opened.prepare()

    def release(self) -> None:
        """Let go of what was read last, but for an unfinished line: it is read from the file again when it is wanted.

        What was appended is held from when a view was refreshed, for those who list it at once.
        """
        self._opened.release()

    def close(self) -> None:
        """Let the source go; the columns stay usable."""
        self._opened.lines.close()


def _broken_links(chain: Chain) -> tuple[BrokenLink, ...] | None:
    return tuple(chain.broken) if chain.links else None
