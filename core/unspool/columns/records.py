"""Reading the pieces of one source again: from a row to its record, its piece and its text."""

from __future__ import annotations

from _thread import LockType, allocate_lock
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

from unspool.columns.base64_lines import without_base64
from unspool.columns.segments import saved_text, text_of
from unspool.columns.verbatim import UNKNOWN, Verbatim
from unspool.dataclass import dataclass, field
from unspool.formats.decoded import Decoded
from unspool.formats.key import text_key
from unspool.formats.piece import JsonPart, Part, Piece, TextPart
from unspool.formats.row import is_flat
from unspool.sources.json_value import inexact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unspool.columns.piece_text import PieceText, Read
    from unspool.columns.side_files import Located
    from unspool.columns.source import Source
    from unspool.columns.table import Columns
    from unspool.formats.base import Format
    from unspool.sources.jsonl import Stamp

CACHED_RECORDS: Final = 64
CACHED_BYTES: Final = 8 << 20
"""Decoded records kept for the next look at a neighbour: a page of rows, and never much more than one long record."""
SKELETON_BYTES: Final = 1 << 20
"""What a record counts that is too long to be decoded whole: its long strings are not held."""

Range = tuple[int, int]
"""Offset and length of a record, in bytes."""
Understood = tuple[dict[str, Any], Decoded, dict[int, Piece]]
"""A record, its meaning, and its pieces by their number."""


def decode(format: Format, record: dict[str, Any], source: Source, offset: int, length: int) -> Decoded:
    """Decode a record, once more with exact numbers when a structured value holds a number that lost its text.

    Base64 has given way to a line about it: here, so that all that reads pieces agrees.
    """
    decoded = format.decode(record)
    if _is_as_written(decoded.pieces):
        return decoded
    if any(_has_lost(part) for piece in decoded.pieces for part in piece.parts):
        decoded = format.decode(source.record(offset, length, exact=True))

    def read(start: int, size: int) -> bytes:
        return source.read(offset + start, size)

    return without_base64(decoded if length <= source.limit else _unfolded(decoded, read), read)


def understood(record: dict[str, Any], decoded: Decoded) -> Understood:
    """Return a record with its meaning and its pieces."""
    return record, decoded, {piece.number: piece for piece in decoded.pieces}


def _has_lost(part: Part) -> bool:
    """Say whether a value may have lost the text of a number; a document inside a string was decoded by itself."""
    return isinstance(part, JsonPart) and not part.encoded and inexact(part.value)


def _unfolded(decoded: Decoded, read: Read) -> Decoded:
    from unspool.columns.nested import unfolded

    return unfolded(decoded, read)


def _is_as_written(pieces: Iterable[Piece]) -> bool:
    """Say whether pieces are nothing but texts, and objects of texts, with neither base64 nor numbers, as most are."""
    for piece in pieces:
        for part in piece.parts:
            if type(part) is not TextPart and (type(part) is not JsonPart or not is_flat(part.value)):
                return False
    return True


@dataclass(slots=True, eq=False)
class Records:
    """The pieces of one source, decoded on demand.

    `stored` maps a row to the side file of its full text. Safe to share between threads: a race decodes twice.
    """

    source: Source
    format: Format
    columns: Columns
    stored: dict[int, Located]
    verbatim: Verbatim = field(default_factory=Verbatim)
    fresh: dict[Range, Understood] = field(default_factory=dict)
    """Records that were appended last, as they were understood then, for those who ask for them at once."""
    _cache: OrderedDict[Range, Understood] = field(default_factory=OrderedDict)
    _cached_bytes: int = 0
    _unchanged: dict[Range, Stamp] = field(default_factory=dict)
    _lock: LockType = field(default_factory=allocate_lock)

    def decoded(self, row: int) -> tuple[dict[str, Any], Decoded]:
        """Return the row's record and its meaning."""
        record, decoded, _ = self._understood(row)
        return record, decoded

    def piece(self, row: int) -> Piece:
        """Return the row's piece as its record alone tells it; raises `SourceChanged` when it is not what it was."""
        piece = self._understood(row)[2].get(self.columns.number(row))
        if piece is None or not self._is_as_it_was(row, piece):
            raise self.source.changed(*self.columns.span(row))
        return piece

    def _understood(self, row: int) -> Understood:
        span = self.columns.span(row)
        found = self._cache.get(span) or self.fresh.get(span)
        if found is None:
            record = self.source.record(*span)
            found = understood(record, decode(self.format, record, self.source, *span))
            self._remember(span, found)
            self._note(row, span, found[2])
        return found

    def _note(self, row: int, span: Range, pieces: Mapping[int, Piece]) -> None:
        """Note where the texts of a record stand, unless that was done when it was read for the first time."""
        columns, verbatim = self.columns, self.verbatim
        verbatim.reach(len(columns))
        if verbatim.forms[row] != UNKNOWN or span[1] > self.source.limit or self.source.stamp() is not None:
            return
        raw, entry = self.source.read(*span), columns.entry[row]
        for each in range(bisect_left(columns.entry, entry), bisect_right(columns.entry, entry)):
            piece = pieces.get(columns.number(each)) if columns.span(each) == span else None
            if piece is not None:
                verbatim.note(each, piece, "" if each in self.stored else piece.text(), raw, span[0])

    def _is_as_it_was(self, row: int, piece: Piece | None = None) -> bool:
        """Compare with the text that was numbered; a record that is not held, byte for byte with what it was."""
        stamp = self.source.stamp()
        if stamp is None:
            return True
        span, check = self.columns.span(row), self.columns.check[row]
        if span[1] <= self.source.limit:
            return piece is None or check == check_of(piece.text())
        if self._unchanged.get(span) != stamp:
            if check != check_of_bytes(self.source, *span):
                return False
            self._unchanged[span] = stamp
        return True

    def text(self, row: int, *, model_view: bool = False) -> PieceText:
        """Return the row's text: the full one, or what the model saw."""
        located = self.stored.get(row)
        if located is not None and located.file is not None and not model_view:
            return saved_text(located.file, self.piece(row), self.reader(row))
        return text_of(self.piece(row), self.reader(row))

    def reader(self, row: int) -> Read:
        """Return a reader of bytes relative to the row's record; it raises `SourceChanged` once these are others."""
        start, size = self.columns.span(row)

        def read(offset: int, length: int) -> bytes:
            if not self._is_as_it_was(row):
                raise self.source.changed(start, size)
            return self.source.read(start + offset, length)

        return read

    def _remember(self, span: Range, found: Understood) -> None:
        with self._lock:
            if span not in self._cache:
                self._cached_bytes += self._cost(span)
            self._cache[span] = found
            while self._cached_bytes > CACHED_BYTES or len(self._cache) > CACHED_RECORDS:
                oldest, _ = self._cache.popitem(last=False)
                self._cached_bytes -= self._cost(oldest)

    def _cost(self, span: Range) -> int:
        return span[1] if span[1] <= self.source.limit else SKELETON_BYTES


def check_of(text: str) -> int:
    """Return a number that tells a text from nearly all others; never 0."""
    return check_of_key(text_key(text))


def check_of_key(key: int) -> int:
    """Return the check of a text from its key."""
    return key & 0xFFFF_FFFF or 1


def check_of_bytes(source: Source, offset: int, length: int) -> int:
    """Return a number that tells the bytes of a record from nearly all others, read by windows."""
    from zlib import crc32

    from unspool.sources.structure import WINDOW

    check = 0
    for start in range(offset, offset + length, WINDOW):
        check = crc32(source.read(start, min(WINDOW, offset + length - start)), check)
    return check
