"""The newest lines of a session, at once however long it is: their pieces have the ids that they have in the whole."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

import stringzilla

from unspool.columns.build import Builder
from unspool.columns.chain import Chain
from unspool.columns.source import LineSource
from unspool.formats.piece import Flag
from unspool.sources.jsonl import JsonLines
from unspool.views.opened import Opened
from unspool.views.view import SessionView

if TYPE_CHECKING:
    from unspool.columns.side_files import SideFiles
    from unspool.formats.base import Format
    from unspool.ids import SessionRef

ENDING: Final = ".jsonl"

FURTHER: Final = 4
"""How many times as far from the end a record is looked for, where none begins near it."""

_BLOCK: Final = 256 << 10
"""Bytes in which lines are counted at a time: they stay in the processor's cache."""

_UNTOLD: Final = ~int(Flag.ORPHAN)
"""Of a result whose call is not among the newest lines nobody can say that it has none."""


def open_end(path: str, ref: SessionRef, format: Format, side_files: SideFiles, most: int) -> SessionView | None:
    """Take a view of the last whole lines of a source, of at most `most` bytes together; those before are counted.

    Where it ends in a longer record, that is taken too. What only the lines before tell is not known: replays, and the
    calls of the first results. `None` for a source that is not made of lines, or of which that would be all. Raises
    `Unreadable` and `SourceChanged`.
    """
    if not path.endswith(ENDING):
        return None
    with JsonLines.open(path) as lines:
        begin = None
        while begin is None and most < lines.size:
            begin = _first_record(lines, lines.size - most)
            most *= FURTHER
        if begin is None:
            return None
        before = _lines_before(lines, begin)
        builder = Builder(format, side_files)
        builder.columns.offsets = array("Q", [begin]) * before
        builder.columns.ends = array("Q", [begin]) * before
        with JsonLines.open_head(path, begin) as head:  # the newest lines are what came since it was so long
            opened = Opened(head, LineSource(head), builder, (before, begin), {}, (), None, builder.turn).refreshed()
        lines.check()  # that the lines were counted in the file that these are of
    flags = builder.columns.flags
    builder.columns.flags = array("I", [each & _UNTOLD for each in flags])
    builder.chain = Chain()
    return SessionView(ref, opened, begin=begin)


def _first_record(lines: JsonLines, start: int) -> int | None:
    """Return where the first line behind a place begins that is one record, `None` where there is none."""
    at = start
    while at < lines.size:
        block = lines.read(at, min(_BLOCK, lines.size - at))
        found = block.find(b"\n")
        if found >= 0:
            return _record_from(lines, at + found + 1)
        at += len(block)
    return None


def _record_from(lines: JsonLines, start: int) -> int | None:
    for entry in lines.entries(0, start, block=_BLOCK):
        end = entry.offset + entry.length
        if [each.offset for each in entry.records] == [entry.offset]:
            behind = entry.offset + entry.records[0].length
            if behind <= end and not lines.read(behind, end - behind).strip():  # a CR may stand there, or blanks
                return entry.offset
    return None


def _lines_before(lines: JsonLines, end: int) -> int:
    """Count the lines that end before a byte."""
    blocks = (lines.read(at, min(_BLOCK, end - at)) for at in range(0, end, _BLOCK))
    return sum(int(stringzilla.count(block, b"\n")) for block in blocks)
