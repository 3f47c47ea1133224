"""Building columns from the entries of a source, one pass, in order; and going on when the source has grown."""

from __future__ import annotations

from _thread import allocate_lock
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from unspool.columns.chain import Chain, blocks_of
from unspool.columns.measured import sizes_of
from unspool.columns.piece_text import Read
from unspool.columns.records import Range, Records, Understood, check_of_bytes, check_of_key, decode, understood
from unspool.columns.rows import INPUT, MISSING, OUTPUT, PERSISTED, REPLAYED, Rows, measured
from unspool.columns.segments import text_of
from unspool.columns.side_files import OPENINGS, SideFiles
from unspool.columns.source import Source
from unspool.columns.table import NO_ROW, NO_TIME, Span, code_of
from unspool.formats.base import Format, Hearing
from unspool.formats.fingerprint import key_of_text, said_in
from unspool.formats.key import text_key
from unspool.formats.piece import Flag, Piece, TextPart
from unspool.formats.row import Other, Stepping
from unspool.sources.json_value import Clipped

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded
    from unspool.sources.record import Entry, RawRecord, Unreadable

_SALVAGED, _UNTERMINATED = int(Flag.SALVAGED), int(Flag.UNTERMINATED)


class Builder(Rows):
    """Turns entries into columns, and what it has taken stays.

    The end of a file may still change: an entry that is not settled is taken too, and given again when more is known.
    One without records leaves nothing but its place; records that stand whole are expected to stand as they do.
    """

    def __init__(self, format: Format, side_files: SideFiles) -> None:
        super().__init__(side_files)
        self.format = format
        self.fold = format.fold()
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
        if part is INPUT:
            flags |= self._pairing.add_input(columns, at, call, tool)
        elif part is OUTPUT:
            flags |= self._pairing.add_output(columns, at, call, replayed=flags & REPLAYED != 0)
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
            sizes = _weighed(piece) or measured(text_of(piece, read))
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
            twin.columns.flags[row] &= ~(MISSING | PERSISTED)
            twin.columns.model_bytes[row] = -1
            twin.stored.pop(row, None)
            sizes, located = measured(text_of(piece, read)), twin._locate(piece)
            if located is not None:
                sizes = twin._saved(piece, located, row, read, *sizes)
            twin.columns.bytes[row], twin.columns.lines[row] = sizes
        self.turn += 1
        return twin


def _reader(source: Source, record: RawRecord) -> Read:
    """Return a reader of bytes relative to a record."""
    return lambda offset, length: source.read(record.offset + offset, length)


def _weighed(piece: Piece) -> tuple[int, int] | None:
    """Return bytes and lines of a piece that is one long text, which was read when it was weighed."""
    part = piece.parts[0] if len(piece.parts) == 1 else None
    return part.value.sizes if isinstance(part, TextPart) and isinstance(part.value, Clipped) else None
