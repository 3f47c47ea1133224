"""Rows as they are added to columns: each is one piece, told from replays, linked to its call, of its full size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from unspool.columns.measured import MEASURES
from unspool.columns.pairing import Pairing
from unspool.columns.piece_text import PieceText, Read
from unspool.columns.segments import saved_text
from unspool.columns.side_files import BEING_WRITTEN, BLOB_NOT_FOUND, Located, SideFiles
from unspool.columns.table import NO_ROW, NO_TIME, Columns, code_of
from unspool.columns.verbatim import Verbatim
from unspool.errors import SourceChanged
from unspool.formats.key import text_key
from unspool.formats.piece import Flag, Piece, TextPart, ToolPart
from unspool.stores.artifacts import SideFile

if TYPE_CHECKING:
    from unspool.formats.base import Mark

PERSISTED, MISSING, REPLAYED = int(Flag.PERSISTED), int(Flag.MISSING), int(Flag.REPLAYED)
INPUT, OUTPUT = ToolPart.INPUT, ToolPart.OUTPUT


class Rows:
    """The rows of a source so far, the texts that were saved for them, and what the next one is told by."""

    def __init__(self, side_files: SideFiles) -> None:
        self.side_files = side_files
        self.columns = Columns()
        self.stored: dict[int, Located] = {}
        self.verbatim = Verbatim()
        self._seen: set[int] = set()
        self._pairing = Pairing()

    def _add(
        self,
        piece: Piece,
        said: int,
        check: int,
        sizes: tuple[int, int],
        entry: int,
        first_piece: int,
        time: int | None,
        extra: int,
    ) -> None:
        """Add a row for a piece, of whose text `said` is the key; `extra` are flags that its record gives it."""
        columns, row = self.columns, len(self.columns.entry)
        number, kind, parts, tool_part, named, called, own_flags, native, joint, _ = piece
        call = columns.call_number(called) if called else 0
        tool = columns.tool_number(named) if named else 0
        code = code_of(kind, tool_part)
        columns.entry.append(entry)
        columns.piece.append(first_piece + number)
        columns.code.append(code)
        columns.call.append(call)
        columns.time.append(NO_TIME if time is None else time)
        columns.check.append(check)
        columns.bytes.append(sizes[0])
        columns.lines.append(sizes[1])
        columns.model_bytes.append(-1)
        columns.peer.append(NO_ROW)
        if joint == "\n" and len(parts) == 1 and type(parts[0]) is TextPart:
            columns.images.append(0)
        else:
            columns.images.append(min(piece.images, 0xFFFF))
            if piece.is_composed:
                columns.composed.add(row)
        flags = int(own_flags) | extra
        if native is not None:
            flags |= self._replayed((text_key(native), number, code, call, tool, said))
        if tool_part is INPUT:
            flags |= self._pairing.add_input(columns, row, call, tool)
        elif tool_part is OUTPUT:
            flags |= self._pairing.add_output(columns, row, call, replayed=bool(flags & REPLAYED))
            peer = columns.peer[row]
            tool = columns.tool[peer] if not tool and peer != NO_ROW else tool
        columns.tool.append(tool)
        columns.flags.append(flags)

    def _replayed(self, told: tuple[int, ...]) -> int:
        """Return the flag of a piece of which all that is told, its own id included, was told before."""
        key = hash(told)
        if key in self._seen:
            return REPLAYED
        self._seen.add(key)
        return 0

    def _save(self, piece: Piece, located: Located, row: int, read: Read) -> None:
        """Give a row, whose sizes are those of what stands in the record, the sizes of its full text."""
        columns = self.columns
        sizes = self._saved(piece, located, row, read, columns.bytes[row], columns.lines[row])
        columns.bytes[row], columns.lines[row] = sizes

    def _saved(self, piece: Piece, located: Located, row: int, read: Read, size: int, lines: int) -> tuple[int, int]:
        """Take the saved text of a piece; return bytes and lines of its full text, else those that were measured."""
        columns = self.columns
        if located.file is not None:
            try:
                full = (
                    MEASURES.of(located.file)
                    if len(piece.parts) == 1
                    else measured(saved_text(located.file, piece, read))
                )
            except SourceChanged:
                located = Located(None, BEING_WRITTEN if isinstance(located.file, SideFile) else BLOB_NOT_FOUND)
            else:
                if piece.blob is None:
                    columns.model_bytes[row] = size
                size, lines = full
        self.stored[row] = located
        columns.flags[row] |= (0 if located.file else MISSING) | (0 if piece.blob else PERSISTED)
        return size, lines

    def _locate(self, piece: Piece) -> Located | None:
        """Find the side file of a persisted output; `None` for every other piece."""
        return self.side_files.locate_piece(piece, lambda name: name in self.columns.call_ids)

    def _mark(self, marks: Iterable[Mark]) -> None:
        """Set flags on rows, or take them."""
        flags = self.columns.flags
        for mark in marks:
            flag = int(mark.flag)
            flags[mark.row] = flags[mark.row] | flag if mark.on else flags[mark.row] & ~flag


def measured(text: PieceText) -> tuple[int, int]:
    """Return bytes and lines of a text."""
    return text.size, text.line_count
