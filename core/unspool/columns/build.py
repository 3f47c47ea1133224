"""Building columns from the entries of a source, one pass, in order; and going on when the source has grown."""

from __future__ import annotations

from collections import Counter

from unspool.columns.piece_text import PieceText, RawBytes, Read
from unspool.columns.records import Source, decode, text_of
from unspool.columns.side_files import Located, SideFiles
from unspool.columns.table import NO_ROW, NO_TIME, Columns, Span, code_of
from unspool.errors import SourceChanged
from unspool.formats.base import Decoded, Flag, Format, Kind, Piece, TextPart, ToolPart
from unspool.outputs.marker import OPENING, parse_marker
from unspool.sources.record import Entry, RawRecord, Unreadable
from unspool.text import line_count, size


class Builder:
    """Turns entries into columns. What it has taken stays; `copy` forks it for a tail that may still change."""

    def __init__(self, format: Format, side_files: SideFiles) -> None:
        self.format = format
        self.side_files = side_files
        self.columns = Columns()
        self.fold = format.fold()
        self.stored: dict[int, Located] = {}
        self.other_records: Counter[str] = Counter()
        self.unknown_records: Counter[str] = Counter()
        self.unreadable: list[Unreadable] = []
        self.pending: tuple[int, int] | None = None
        self.first_time: int | None = None
        self.last_time: int | None = None
        self._seen: set[int] = set()
        self._inputs: dict[int, int] = {}
        self._outputs: dict[int, int] = {}

    def copy(self) -> Builder:
        """Return an independent copy."""
        twin = Builder(self.format, self.side_files)
        for name, value in vars(self).items():
            if name not in ("format", "side_files"):
                setattr(twin, name, value.copy() if hasattr(value, "copy") else value)
        return twin

    def take(self, source: Source, entry: Entry) -> None:
        """Take the next entry; `source` reads its bytes again where a text is too long to be held."""
        columns = self.columns
        columns.offsets.append(entry.offset)
        columns.ends.append(entry.offset + entry.length)
        self.unreadable += entry.unreadable
        if entry.state == "pending":
            self.pending = (entry.offset, entry.offset + entry.length)
        elif entry.state == "value":
            self.other_records["(no object)"] += 1
        first_piece = 0
        spans: list[Span] = []
        for record in entry.records:
            spans.append(Span(first_piece, record.offset, record.length))
            first_piece += self._take_record(source, entry, record, first_piece)
        if len(spans) > 1 or (spans and (spans[0].offset, spans[0].length) != (entry.offset, entry.length)):
            columns.spans[entry.number] = tuple(spans)

    def _take_record(self, source: Source, entry: Entry, record: RawRecord, first_piece: int) -> int:
        """Take one record; return how many piece numbers it uses (one more than its highest)."""
        decoded = decode(self.format, record.value, lambda: source.record(record.offset, record.length, exact=True))
        self._note_time(decoded.time)
        if not decoded.known:
            self.unknown_records[decoded.type] += 1
        if not decoded.pieces:
            self.other_records[decoded.type] += 1
        start = len(self.columns)
        extra = (Flag.SALVAGED if record.salvaged else Flag(0)) | (Flag(0) if entry.terminated else Flag.UNTERMINATED)
        for piece in decoded.pieces:
            self._add(piece, entry.number, first_piece, decoded, extra)
            self._measure(piece, lambda offset, length: source.read(record.offset + offset, length), record.clipped)
        for mark in self.fold.add(record.value, decoded, range(start, len(self.columns))):
            flags = self.columns.flags
            flags[mark.row] = flags[mark.row] | mark.flag if mark.on else flags[mark.row] & ~mark.flag
        return max((piece.number for piece in decoded.pieces), default=-1) + 1

    def _note_time(self, time: int | None) -> None:
        if time is None:
            return
        self.first_time = time if self.first_time is None else min(self.first_time, time)
        self.last_time = time if self.last_time is None else max(self.last_time, time)

    def _add(self, piece: Piece, entry: int, first_piece: int, decoded: Decoded, extra: Flag) -> None:
        columns, row = self.columns, len(self.columns)
        columns.entry.append(entry)
        columns.piece.append(first_piece + piece.number)
        columns.code.append(code_of(piece.kind, piece.tool_part))
        columns.call.append(columns.call_number(piece.call_id))
        columns.time.append(NO_TIME if decoded.time is None else decoded.time)
        columns.images.append(min(piece.images, 0xFFFF))
        columns.model_bytes.append(-1)
        columns.peer.append(NO_ROW)
        flags = piece.flags | extra | self._replayed(piece, decoded)
        tool = piece.tool
        if piece.kind == Kind.TOOL:
            flags |= self._pair(piece, row, columns.call[row], bool(flags & Flag.REPLAYED))
            if tool is None and columns.peer[row] != NO_ROW:
                tool = columns.tools[columns.tool[columns.peer[row]]]
        columns.tool.append(columns.tool_number(tool))
        columns.flags.append(flags)

    def _replayed(self, piece: Piece, decoded: Decoded) -> Flag:
        if piece.native_id is None:
            return Flag(0)
        key = hash((piece.native_id, piece.number))
        if key in self._seen:
            return Flag.REPLAYED
        self._seen.add(key)
        return Flag(0)

    def _pair(self, piece: Piece, row: int, call: int, replayed: bool) -> Flag:
        """Link a tool piece with its counterpart by call id; return the flags that follow for this row."""
        columns = self.columns
        if piece.tool_part == ToolPart.INPUT:
            return self._pair_input(row, call, columns.tool_number(piece.tool)) if call else Flag(0)
        if not call:
            return Flag.ORPHAN
        asked = self._inputs.get(call)
        earlier = self._outputs.setdefault(call, row) if not replayed else row
        if asked is None:
            return Flag.ORPHAN | (Flag.DUPLICATE if earlier != row else Flag(0))
        columns.peer[row] = asked
        if columns.peer[asked] == NO_ROW:
            columns.peer[asked] = row
            columns.flags[asked] &= ~Flag.UNANSWERED
        return Flag.DUPLICATE if earlier != row else Flag(0)

    def _pair_input(self, row: int, call: int, tool: int) -> Flag:
        columns = self.columns
        answered = self._outputs.get(call)
        if self._inputs.setdefault(call, row) != row:
            if answered is not None:
                columns.peer[row] = answered
            return Flag(0) if answered is not None else Flag.UNANSWERED
        if answered is None:
            return Flag.UNANSWERED
        columns.peer[row] = answered
        early = [other for other in range(answered, row) if columns.call[other] == call]
        for other in early:
            columns.peer[other] = row
            columns.tool[other] = tool
            columns.flags[other] &= ~Flag.ORPHAN
        return Flag(0)

    def _measure(self, piece: Piece, read: Read, clipped: bool) -> None:
        """Add the sizes of the piece just added: those of the full text, and what the model saw of it."""
        columns, row = self.columns, len(self.columns) - 1
        if clipped:
            text = text_of(piece, read)
            measured, lines = text.size, text.line_count
        else:
            whole = piece.text()
            measured, lines = size(whole), line_count(whole)
        located = self._locate(piece)
        if located is not None:
            self.stored[row] = located
            columns.flags[row] |= Flag.PERSISTED if located.file else Flag.PERSISTED | Flag.MISSING
            if located.file is not None:
                columns.model_bytes[row] = measured
                measured, lines = _side_size(located, measured, lines)
        columns.bytes.append(measured)
        columns.lines.append(lines)

    def _locate(self, piece: Piece) -> Located | None:
        """Find the side file of a persisted output; `None` for every other piece."""
        if piece.tool_part != ToolPart.OUTPUT or not piece.parts or not isinstance(piece.parts[0], TextPart):
            return None
        head = piece.parts[0].value
        marker = parse_marker(head) if head.startswith(OPENING) else None
        if marker is None:
            return None
        return self.side_files.locate(marker, piece.call_id, lambda name: name in self.columns.call_ids)


def _side_size(located: Located, measured: int, lines: int) -> tuple[int, int]:
    """Measure the full text of a side file; what the log says stands when the file vanished meanwhile."""
    assert located.file is not None
    text = PieceText([RawBytes(located.file.read, located.file.size)])
    try:
        return text.size, text.line_count
    except SourceChanged:
        return measured, lines
