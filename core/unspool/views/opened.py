"""Opening a source as a view's material, and going on with it when the source has grown."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Final

from unspool.columns.build import Builder
from unspool.columns.records import LineSource, Records
from unspool.columns.side_files import SideFiles
from unspool.errors import Unreadable
from unspool.formats import detect
from unspool.formats.base import Format
from unspool.sources.document import open_log
from unspool.sources.identity import Identity
from unspool.sources.json_value import compact
from unspool.sources.jsonl import JsonLines
from unspool.text import utf8

MEMORY: Final = "(memory)"
"""What stands for the path of records that a host holds itself."""

HEAD_RECORDS: Final = 64
"""Records that must tell whose they are: headers and notes come first, a message soon."""


@dataclass(slots=True, eq=False)
class Opened:
    """One source, read up to its size at opening.

    `settled` has taken everything that appended bytes cannot change; `builder` is it, or a copy that has also taken
    the unsettled tail. `resume` is the (entry, byte) at which the tail begins.
    """

    lines: JsonLines
    source: LineSource
    settled: Builder
    builder: Builder
    resume: tuple[int, int]
    records: Records = field(init=False)

    def __post_init__(self) -> None:
        builder = self.builder
        self.records = Records(self.source, builder.format, builder.columns, builder.stored)

    @classmethod
    def open(cls, path: str, format: Format, side_files: SideFiles) -> Opened:
        """Read a source from its beginning; raises `Unreadable`."""
        return cls.of(open_log(path), format, side_files)

    @classmethod
    def of_records(cls, records: Iterable[Mapping[str, Any]], format: Format | None) -> Opened:
        """Read records that are in memory, by way of an unlinked temporary file, so that windows cost no memory.

        Without a format, the first records tell; raises `Unreadable` when they do not.
        """
        following = iter(records)
        head = list(islice(following, HEAD_RECORDS)) if format is None else []
        format = format or detect(head)
        if format is None:
            message = "the first of these records are of no agent that unspool knows; name their format"
            raise Unreadable(message, path=MEMORY)
        with tempfile.TemporaryFile() as file:
            for record in chain(head, following):
                file.write(utf8(compact(dict(record))) + b"\n")
            file.flush()
            descriptor = os.dup(file.fileno())
        return cls.of(JsonLines(MEMORY, descriptor, descriptor, Identity.of(descriptor)), format, SideFiles(None))

    @classmethod
    def of(cls, lines: JsonLines, format: Format, side_files: SideFiles) -> Opened:
        """Read an open source from its beginning."""
        return _read(lines, Builder(format, side_files), (0, 0))

    def refreshed(self) -> Opened:
        """Read what was appended; itself when nothing was. Raises `SourceChanged` when that is not all that changed."""
        lines = self.lines.grown() if self.lines.path != MEMORY else None
        if lines is None:
            return self
        with self.settled.lock:
            if len(self.settled.columns.offsets) == self.resume[0]:
                return _read(lines, self.settled, self.resume)
        return _read(lines, _cut(self), self.resume)


def _cut(opened: Opened) -> Builder:
    """Build again up to the resume point: another view has already gone on with the shared columns."""
    builder = Builder(opened.settled.format, opened.settled.side_files)
    for entry in opened.lines.entries():
        if entry.number >= opened.resume[0]:
            break
        builder.take(opened.source, entry)
    return builder


def _read(lines: JsonLines, settled: Builder, resume: tuple[int, int]) -> Opened:
    """Take the entries from a resume point on: the settled ones for good, those behind into a copy."""
    source = LineSource(lines)
    entries = lines.entries(*resume)
    builder, start = settled, None
    for entry in entries:
        if start is None and not entry.settled:
            builder, start = settled.copy(), (entry.number, entry.offset)
        builder.take(source, entry)
    return Opened(lines, source, settled, builder, start or (len(settled.columns.offsets), lines.size))
