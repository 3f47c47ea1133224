"""Opening a source as a view's material, and going on with it when the source has grown."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from unspool.columns.build import Builder
from unspool.columns.records import Records
from unspool.columns.side_files import SideFiles
from unspool.columns.source import LineSource
from unspool.dataclass import dataclass, field
from unspool.errors import SourceChanged, Unreadable
from unspool.formats import detect
from unspool.sources.identity import Identity
from unspool.sources.json_value import compact
from unspool.sources.jsonl import SMALL_BLOCK, JsonLines
from unspool.sources.lines import BLOCK
from unspool.text import utf8

if TYPE_CHECKING:
    from unspool.formats.base import Format
    from unspool.sources.record import Entry
    from unspool.sources.record import Unreadable as UnreadableLine

MEMORY: Final = "(memory)"
"""What stands for the path of records that a host holds itself."""

TRIES: Final = 4
"""How often a source that changes while it is read for the first time is opened."""

HEAD_RECORDS: Final = 64
"""Records that must tell whose they are: headers and notes come first, a message soon."""

FRESH_BYTES: Final = 1 << 18
"""Bytes of what was appended up to which its records are held as they were understood, until that is let go of."""

RawRange = tuple[int, int, bool]
"""Offset and length of a record in bytes, and whether it was salvaged behind a torn one."""

Taken = Mapping[int, tuple[RawRange, ...]]
"""The records that were taken from entries which were not settled, by entry."""


@dataclass(slots=True, eq=False)
class Opened:
    """One source, read up to its size at opening.

    `resume` is the (entry, byte) at which the tail begins that appended bytes can change. Of this tail, `taken` are the
    records that stand in the columns already, `torn` what cannot be read so far, `pending` the bytes of a line that is
    still being written. `turn` says whether anybody went on with the builder since.
    """

    lines: JsonLines
    source: LineSource
    builder: Builder
    resume: tuple[int, int]
    taken: Taken
    torn: tuple[UnreadableLine, ...]
    pending: tuple[int, int] | None
    turn: int
    records: Records = field(init=False)

    def __post_init__(self) -> None:
        builder = self.builder
        self.records = Records(self.source, builder.format, builder.columns, builder.stored, builder.verbatim)

    @classmethod
    def open(cls, path: str, format: Format, side_files: SideFiles) -> Opened:
        """Read a source from its beginning; raises `Unreadable`, also when it changes as often as it is opened."""
        from unspool.sources.document import open_log

        for _ in range(TRIES):
            lines = open_log(path)
            try:
                return cls.of(lines, format, side_files)
            except SourceChanged:  # cut or written anew meanwhile
                lines.close()
            except Unreadable:  # a disk or a network that fails in the middle of it
                lines.close()
                raise
        raise Unreadable(f"{path} is being written anew all the time; try again when it rests", path=path)

    @classmethod
    def of_records(cls, records: Iterable[Mapping[str, Any]], format: Format | None) -> Opened:
        """Read records that are in memory, by way of an unlinked temporary file, so that windows cost no memory.

        Without a format, the first records tell; raises `Unreadable` when they do not.
        """
        from tempfile import TemporaryFile

        following = iter(records)
        head = list(islice(following, HEAD_RECORDS)) if format is None else []
        format = format or detect(head)
        if format is None:
            message = "the first of these records are of no agent that unspool knows; name their format"
            raise Unreadable(message, path=MEMORY)
        with TemporaryFile() as file:
            for record in chain(head, following):
                file.write(utf8(compact(dict(record))) + b"\n")
            file.flush()
            descriptor = os.dup(file.fileno())
        return cls.of(JsonLines(MEMORY, descriptor, descriptor, Identity.of(descriptor)), format, SideFiles(None))

    @classmethod
    def of(cls, lines: JsonLines, format: Format, side_files: SideFiles) -> Opened:
        """Read an open source from its beginning."""
        opened = _read(lines, Builder(format, side_files), (0, 0), {})
        assert opened is not None, lines.path
        lines.hold(opened.resume[1])
        return opened

    def prepare(self) -> None:
        """Get what going on needs, before it is wanted; of what is of no use for that the next look reads all anew."""
        with self.builder.lock, suppress(SourceChanged):
            self.builder.wake()

    def release(self) -> None:
        """Let go of what was appended last, but for an unfinished line: it is read from the file when it is wanted."""
        self.lines.hold(self.resume[1])
        self.records.fresh = {}

    def beside(self, side_files: SideFiles) -> bool:
        """Take what lies beside the source from here on; `False` where other rows than these would stand already."""
        if self.builder.stored or side_files.blobs is not None:
            return False
        self.builder.side_files = side_files
        return True

    def refreshed(self, most: int | None = None) -> Opened:
        """Read what was appended, of more than `most` bytes about so many; itself when nothing was.

        Raises `SourceChanged` when that is not all that changed.
        """
        lines = self.lines.grown(self.resume[1], most) if self.lines.path != MEMORY else None
        if lines is None:
            return self
        with self.builder.lock:
            if self.builder.turn == self.turn:
                newer = _read(lines, self.builder, self.resume, self.taken)
                if newer is not None:
                    return newer
        return _anew(lines, self.builder)

    def resaved(self, *, missing: bool) -> tuple[Opened, tuple[int, ...]]:
        """Look at the saved texts again; return the source with them as they are now, and the rows that changed.

        `missing` also looks for those that were not found. Who is not the last to have gone on gets itself back.
        """
        builder = self.builder
        with builder.lock:
            stored = builder.stored.items() if builder.turn == self.turn else ()
            rows = tuple(row for row, located in stored if builder.side_files.is_other(located, missing=missing))
            before = {row: builder.stored[row] for row in rows}
            newer = builder.resaved(rows, self.records) if rows else builder
        changed = tuple(row for row in rows if newer.stored.get(row) != before[row])
        if newer is builder:
            return self, ()
        kept = self.resume, self.taken, self.torn, self.pending, newer.turn
        return Opened(self.lines, self.source, newer, *kept), changed


def _anew(lines: JsonLines, like: Builder) -> Opened:
    """Read from the beginning, for the columns that are there cannot be gone on with.

    That is so when another view has gone on with them, or when something was written behind a whole record on its line.
    """
    return Opened.of(lines, like.format, like.side_files)


def _read(lines: JsonLines, builder: Builder, resume: tuple[int, int], taken: Taken) -> Opened | None:
    """Take the entries from a resume point on; `None` when the records are others than those that were taken."""
    builder.go_on()
    builder.fresh = {} if resume[1] > 0 and lines.size - resume[1] <= FRESH_BYTES else None
    source = LineSource(lines)
    start: tuple[int, int] | None = None
    left: dict[int, tuple[RawRange, ...]] = {}
    torn: list[UnreadableLine] = []
    pending: tuple[int, int] | None = None
    last_taken = max(taken, default=-1)
    joined, joined_end = list[tuple[int, int, tuple[RawRange, ...]]](), 0  # entries that records go on from to here
    for entry in lines.entries(*resume, block=BLOCK if lines.size - resume[1] > BLOCK else SMALL_BLOCK):
        if entry.number > last_taken:
            builder.take(source, entry)
        elif _ranges(entry) != taken.get(entry.number, ()):
            return None
        elif entry.number in taken:
            builder.confirm(entry)
        else:
            builder.take(source, entry)
        if entry.settled and not joined and not _goes_on(entry):
            continue
        if joined and entry.offset >= joined_end:
            joined.clear()
        if _goes_on(entry):
            joined.append((entry.number, entry.offset, _ranges(entry)))
            joined_end = sum(joined[-1][2][-1][:2])
        if entry.settled:
            continue
        if start is None:  # a line that begins inside a record is read from where that begins
            start = joined[0][:2] if joined else (entry.number, entry.offset)
            left.update((number, ranges) for number, _, ranges in joined)
        torn += entry.unreadable
        if entry.records:
            left[entry.number] = _ranges(entry)
        if entry.state == "pending":
            pending = entry.offset, entry.offset + entry.length
    start = start or (len(builder.columns.offsets), lines.size)
    opened = Opened(lines, source, builder, start, left, tuple(torn), pending, builder.turn)
    opened.records.fresh, builder.fresh = builder.fresh or {}, None
    return opened


def _ranges(entry: Entry) -> tuple[RawRange, ...]:
    return tuple((record.offset, record.length, record.salvaged) for record in entry.records)


def _goes_on(entry: Entry) -> bool:
    """Say whether the last record of an entry ends in a later line."""
    if not entry.records:
        return False
    last = entry.records[-1]
    return last.offset + last.length > entry.offset + entry.length
