"""Building columns from the entries of a source, one pass, in order; and going on when the source has grown."""

from __future__ import annotations

from _thread import allocate_lock
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from unspool.columns.chain import Chain, blocks_of
from unspool.columns.measured import MEASURES, sizes_of
from unspool.columns.pairing import Pairing
from unspool.columns.piece_text import PieceText, Read
from unspool.columns.records import Range, Records, Understood, check_of_bytes, check_of_key, decode, understood
from unspool.columns.segments import saved_text, text_of
from unspool.columns.side_files import BEING_WRITTEN, BLOB_NOT_FOUND, OPENINGS, Located, SideFiles
from unspool.columns.source import Source
from unspool.columns.table import NO_ROW, NO_TIME, Columns, Span, code_of
from unspool.columns.verbatim import Verbatim
from unspool.errors import SourceChanged
from unspool.formats.base import Format, Hearing, Mark
from unspool.formats.fingerprint import key_of_text, said_in
from unspool.formats.key import text_key
from unspool.formats.piece import Flag, Piece, TextPart, ToolPart
from unspool.formats.row import Other, Stepping
from unspool.sources.json_value import Clipped
from unspool.stores.artifacts import SideFile

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded
    from unspool.sources.record import Entry, RawRecord, Unreadable

_PERSISTED, _MISSING, _REPLAYED = int(Flag.PERSISTED), int(Flag.MISSING), int(Flag.REPLAYED)
_INPUT, _OUTPUT = ToolPart.INPUT, ToolPart.OUTPUT
_SALVAGED, _UNTERMINATED = int(Flag.SALVAGED), int(Flag.UNTERMINATED)


class Builder:
    """Turns entries into columns, and what it has taken stays.

    The end of a file may still change: an entry that is not settled is taken too, and given again when more is known.
    One without records leaves nothing but its place; records that stand whole are expected to stand as they do.
    """

    def __init__(self, format: Format, side_files: SideFiles) -> None:
        self.format = format
        self.side_files = side_files
        self.columns = Columns()
        self.fold = format.fold()
        self.stored: dict[int, Located] = {}
        self.verbatim = Verbatim()
        self.other_records: Counter[str] = Counter()
        self.unknown_records: Counter[str] = Counter()
        self.unreadable: list[Unreadable] = []
        self.first_time: int | None = None
        self.last_time: int | None = None
        self.chain = Chain()
        self.lock = allocate_lock()
        """Held by who takes entries into a builder that others may go on with too."""
        self.turn = 0
        """Counts who went on with it: only the last one may."""
        self.fresh: dict[Range, Understood] | None = None
        """Where records are noted as they are understood, for who tells them as soon as they are taken."""
        self._settled = 0
        self._seen: set[int] = set()
        self._pairing = Pairing()
        self._steps = isinstance(self.fold, Stepping)

    def wake(self) -> None:
        """Get what going on needs, where that is not at hand; raises `SourceChanged` when it is of no use."""

    def go_on(self) -> None:
        """Begin to take more: whoever went on before may no longer."""
        self.turn += 1

    def take(self, source: Source, entry: Entry) -> None:
        """Take the next entry; `source` reads its bytes again where a text is too long to be held."""
        number, offset, length, records, _, _, terminated, settled = entry
        columns = self.columns
        if number == len(columns.offsets):
            columns.offsets.append(offset)
            columns.ends.append(offset + length)
        else:
            columns.note_line(number, offset, offset + length)
        if len(records) == 1 and records[0].length == length and records[0].offset == offset:
            may_step = self._steps and terminated and length <= source.limit and self.fresh is None
            if not may_step or not self._take_step(source, entry):
                self._take_record(source, entry, records[0], 0)
        elif records:
            self._take_apart(source, entry)
        if settled and number >= self._settled:
            self._settle(entry)

    def _take_step(self, source: Source, entry: Entry) -> bool:
        """Take an entry that is one record in one step; say whether it could be taken so.

        One function, for most of a session goes by here: its columns are those that `_add` makes.
        """
        columns, verbatim, number, offset = self.columns, self.verbatim, entry[0], entry[1]
        at = len(columns.entry)
        taken: Any = self.fold.step(entry[3][0].value, at)  # type: ignore[attr-defined]  # `_steps` says that it is one
        if taken is None:
            return False
        if type(taken) is Other:
            return self._take_other(taken)
        kind, part, named, called, flags, time, native, text, written, encoded, said, marks = taken
        raw = source.read(offset, entry[2])
        if encoded:
            verbatim.note_document(at, written.decode(), raw, offset)
        else:
            verbatim.note_written(at, written, text, raw, offset)
        if time is not None:
            self._note_time(time)
        tool = columns.tool_number(named) if named else 0
        call = columns.call_number(called) if called else 0
        code, (size, lines) = code_of(kind, part), (len(written), 1) if text is None else sizes_of(text)
        columns.entry.append(number)
        columns.piece.append(0)
        columns.code.append(code)
        columns.call.append(call)
        columns.time.append(NO_TIME if time is None else time)
        columns.check.append(said & 0xFFFF_FFFF or 1)
        columns.bytes.append(size)
        columns.lines.append(lines)
        columns.model_bytes.append(-1)
        columns.peer.append(NO_ROW)
        columns.images.append(0)
        if native is not None:
            flags |= self._replayed((text_key(native), 0, code, call, tool, said))
        if part is _INPUT:
            flags |= self._pairing.add_input(columns, at, call, tool)
        elif part is _OUTPUT:
            flags |= self._pairing.add_output(columns, at, call, replayed=flags & _REPLAYED != 0)
            peer = columns.peer[at]
            tool = columns.tool[peer] if not tool and peer != NO_ROW else tool
        columns.tool.append(tool)
        columns.flags.append(flags)
        self._mark(marks)
        return True

    def _take_other(self, other: Other) -> bool:
        """Count a record without a piece."""
        if other.time is not None:
            self._note_time(other.time)
        if other.type is not None:
            self.other_records[other.type] += 1
        self._mark(other.marks)
        return True

    def _mark(self, marks: Iterable[Mark]) -> None:
        """Set flags on rows, or take them."""
        flags = self.columns.flags
        for mark in marks:
            flag = int(mark.flag)
            flags[mark.row] = flags[mark.row] | flag if mark.on else flags[mark.row] & ~flag

    def _take_apart(self, source: Source, entry: Entry) -> None:
        """Take the records of an entry that is not simply one record."""
        first_piece = 0
        spans: list[Span] = []
        for record in entry.records:
            spans.append(Span(first_piece, record.offset, record.length))
            first_piece += self._take_record(source, entry, record, first_piece)
        self.columns.spans[entry.number] = tuple(spans)

    def confirm(self, entry: Entry) -> None:
        """Take an entry again whose records are those that were taken: now its line may have ended."""
        columns, record = self.columns, entry.records[0]
        columns.note_line(entry.number, entry.offset, entry.offset + entry.length)
        if entry.number not in columns.spans and (record.offset, record.length) != (entry.offset, entry.length):
            columns.spans[entry.number] = (Span(0, record.offset, record.length),)
        if entry.terminated:
            for row in range(bisect_left(columns.entry, entry.number), bisect_left(columns.entry, entry.number + 1)):
                columns.flags[row] &= ~_UNTERMINATED
        if entry.settled:
            self._settle(entry)

    def _settle(self, entry: Entry) -> None:
        """Note what an entry tells that is no piece, once nothing behind it can change it; only the first time."""
        if entry.number < self._settled:
            return
        self._settled = entry.number + 1
        self.unreadable += entry.unreadable
        if entry.state == "value":
            self.other_records["(no object)"] += 1

    def _take_record(self, source: Source, entry: Entry, record: RawRecord, first_piece: int) -> int:
        """Take one record; return how many piece numbers it takes."""
        decoded = decode(self.format, record.value, source, record.offset, record.length)
        if self.fresh is not None:
            self.fresh[record.offset, record.length] = understood(record.value, decoded)
        if record.length > source.limit:
            from unspool.columns.weighing import weigh

            weigh(decoded, lambda offset, length: source.read(record.offset + offset, length))
        if decoded.echoes and isinstance(self.fold, Hearing):
            decoded = self.fold.unheard(decoded)
        named, known, pieces, time, _, _, empty, used, compaction, detail_of, seal, _ = decoded
        if time is not None:
            self._note_time(time)
        if not known:
            self.unknown_records[named] += 1
        if seal is not None:
            span = record.offset, record.length
            self.chain.take(seal, entry.number + 1, span, lambda: blocks_of(source, *span))
        if detail_of is not None:
            self.columns.details[detail_of] = record.offset, record.length
        start = len(self.columns.entry)
        if pieces:
            used = self._take_pieces(source, entry, record, decoded, first_piece)
        elif not empty:
            self.other_records[named] += 1
        if compaction is not None:
            self.columns.note_boundary(start)
        self._mark(self.fold.add(record.value, decoded, range(start, start + len(pieces))))
        return used

    def _take_pieces(self, source: Source, entry: Entry, record: RawRecord, decoded: Decoded, first_piece: int) -> int:
        """Add a row for each piece of a record; return how many piece numbers it takes."""
        if record.length > source.limit:
            return self._take_long(source, entry, record, decoded, first_piece)
        used, offset, row = decoded.places, record.offset, len(self.columns.entry)
        raw = source.read(offset, record.length)
        extra = (_SALVAGED if record.salvaged else 0) | (0 if entry.terminated else _UNTERMINATED)
        for piece in decoded.pieces:
            parts = piece.parts
            text = parts[0].value if len(parts) == 1 and type(parts[0]) is TextPart else piece.text()
            located = self._locate(piece) if text.startswith(OPENINGS) or piece.blob is not None else None
            if located is None:  # before all else: orjson leaves its UTF-8 in a text, and nobody makes it again
                self.verbatim.note(row, piece, text, raw, offset)
            said = key_of_text(piece, text)
            self._add(piece, said, check_of_key(said), sizes_of(text), entry.number, first_piece, decoded.time, extra)
            if located is not None:
                self._save(piece, located, row, _reader(source, record))
            if piece.number >= used:
                used = piece.number + 1
            row += 1
        return used

    def _take_long(self, source: Source, entry: Entry, record: RawRecord, decoded: Decoded, first_piece: int) -> int:
        """Add a row for each piece of a record that is not held; return how many piece numbers it takes."""
        used, read = decoded.places, _reader(source, record)
        extra = (_SALVAGED if record.salvaged else 0) | (0 if entry.terminated else _UNTERMINATED)
        check = check_of_bytes(source, record.offset, record.length)
        for piece in decoded.pieces:
            row, located = len(self.columns.entry), self._locate(piece)
            if located is None:
                self.verbatim.note(row, piece, "", b"", record.offset)
            sizes = _weighed(piece) or _measured(text_of(piece, read))
            self._add(piece, said_in(piece), check, sizes, entry.number, first_piece, decoded.time, extra)
            if located is not None:
                self._save(piece, located, row, read)
            used = max(used, piece.number + 1)
        return used

    def _note_time(self, time: int) -> None:
        if self.first_time is None or time < self.first_time:
            self.first_time = time
        if self.last_time is None or time > self.last_time:
            self.last_time = time

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
        if tool_part is _INPUT:
            flags |= self._pairing.add_input(columns, row, call, tool)
        elif tool_part is _OUTPUT:
            flags |= self._pairing.add_output(columns, row, call, replayed=bool(flags & _REPLAYED))
            peer = columns.peer[row]
            tool = columns.tool[peer] if not tool and peer != NO_ROW else tool
        columns.tool.append(tool)
        columns.flags.append(flags)

    def _replayed(self, told: tuple[int, ...]) -> int:
        """Return the flag of a piece of which all that is told, its own id included, was told before."""
        key = hash(told)
        if key in self._seen:
            return _REPLAYED
        self._seen.add(key)
        return 0

    def _save(self, piece: Piece, located: Located, row: int, read: Read) -> None:
        """Give a row, whose sizes are those of what stands in the record, the sizes of its full text."""
        columns = self.columns
        sizes = self._saved(piece, located, row, read, columns.bytes[row], columns.lines[row])
        columns.bytes[row], columns.lines[row] = sizes

    def _saved(
        self, piece: Piece, located: Located, row: int, read: Read, measured: int, lines: int
    ) -> tuple[int, int]:
        """Take the saved text of a piece; return bytes and lines of its full text, else what was measured."""
        columns = self.columns
        if located.file is not None:
            try:
                full = (
                    MEASURES.of(located.file)
                    if len(piece.parts) == 1
                    else _measured(saved_text(located.file, piece, read))
                )
            except SourceChanged:
                located = Located(None, BEING_WRITTEN if isinstance(located.file, SideFile) else BLOB_NOT_FOUND)
            else:
                if piece.blob is None:
                    columns.model_bytes[row] = measured
                measured, lines = full
        self.stored[row] = located
        columns.flags[row] |= (0 if located.file else _MISSING) | (0 if piece.blob else _PERSISTED)
        return measured, lines

    def resaved(self, rows: Iterable[int], records: Records) -> Builder:
        """Return a builder that goes on in place of this one, with the saved texts of some rows looked up again.

        It shares what does not change by that; this one is not to be gone on with.
        """
        from copy import copy

        twin = copy(self)
        twin.columns, twin.stored = self.columns.resized(), self.stored.copy()
        twin.go_on()
        for row in rows:
            piece, read = records.piece(row), records.reader(row)
            twin.columns.flags[row] &= ~(_MISSING | _PERSISTED)
            twin.columns.model_bytes[row] = -1
            twin.stored.pop(row, None)
            sizes, located = _measured(text_of(piece, read)), twin._locate(piece)
            if located is not None:
                sizes = twin._saved(piece, located, row, read, *sizes)
            twin.columns.bytes[row], twin.columns.lines[row] = sizes
        self.turn += 1
        return twin

    def _locate(self, piece: Piece) -> Located | None:
        """Find the side file of a persisted output; `None` for every other piece."""
        return self.side_files.locate_piece(piece, lambda name: name in self.columns.call_ids)


def _reader(source: Source, record: RawRecord) -> Read:
    """Return a reader of bytes relative to a record."""
    return lambda offset, length: source.read(record.offset + offset, length)


def _weighed(piece: Piece) -> tuple[int, int] | None:
    """Return bytes and lines of a piece that is one long text, which was read when it was weighed."""
    part = piece.parts[0] if len(piece.parts) == 1 else None
    return part.value.sizes if isinstance(part, TextPart) and isinstance(part.value, Clipped) else None


def _measured(text: PieceText) -> tuple[int, int]:
    return text.size, text.line_count
