"""Bounded reads: windows over pieces that fit together without a byte lost or doubled, and slices of one piece."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from unspool.columns.piece_text import PieceText, RawBytes, border_after, border_before
from unspool.dataclass import dataclass, replace
from unspool.errors import BadQuery, NotFound
from unspool.formats.piece import Kind, ToolPart
from unspool.ids import EntryRange, EvidenceId
from unspool.pattern import pattern
from unspool.views.bounds import BYTES_PER_TOKEN, MIN_BYTES, Bounds, Reason, Truncation
from unspool.views.members import readable
from unspool.views.reading import RawPiece, Reading, ReadPiece, Slice

if TYPE_CHECKING:
    from unspool.columns.source import Source
    from unspool.views.material import Material

_AFTER = pattern(r"([Ee]\d{1,15}\.\d{1,9})\+(\d{1,15})\Z")


DETAILS: Final = ("full", "compact", "readable")
"""How tool pieces are read: their texts, what and how big they are, or told by their members where they have any."""


@dataclass(slots=True)
class Room:
    """What is left of the bounds while an answer grows."""

    bounds: Bounds
    items: int
    left: int
    tokens: int

    @classmethod
    def of(cls, bounds: Bounds) -> Room:
        """Return the whole room."""
        return cls(bounds, bounds.max_items, bounds.max_bytes, bounds.max_tokens)

    @property
    def limit(self) -> int:
        """Bytes that the next window may take at most; a tokens callable is asked afterwards."""
        by_tokens = self.left if self.bounds.tokens else self.tokens * BYTES_PER_TOKEN
        return max(0, min(self.left, by_tokens))

    def fit(self, data: bytes) -> tuple[bytes, Reason]:
        """Return the longest beginning of a window that fits, cut on a character border, and what would cut it."""
        by_bytes = self.bounds.tokens is not None or self.left <= self.tokens * BYTES_PER_TOKEN
        data = data[: border_before(data, self.limit)]
        count = self.bounds.tokens
        if count is None or count(data.decode()) <= self.tokens:
            return data, "bytes" if by_bytes else "tokens"
        low, high = 0, len(data)
        while low < high:
            middle = (low + high + 1) // 2
            fits = count(data[: border_before(data, middle)].decode()) <= self.tokens
            low, high = (middle, high) if fits else (low, middle - 1)
        return data[: border_before(data, low)], "tokens"

    def take(self, data: bytes) -> None:
        """Note a window as given."""
        self.items -= 1
        self.left -= len(data)
        count = self.bounds.tokens
        self.tokens -= count(data.decode()) if count else -(-len(data) // BYTES_PER_TOKEN)


def parse_after(after: str | None) -> tuple[EvidenceId | None, int]:
    """Split a continuation token into piece and byte offset; raises `BadQuery`."""
    if after is None:
        return None, 0
    found = _AFTER.match(after.strip())
    if found is None:
        raise BadQuery(f"not a continuation of a read: {after!r}; pass the `next` of the answer before")
    return EvidenceId.parse(found[1]), int(found[2])


def read_rows(
    material: Material, rows: Sequence[int], bounds: Bounds, after: str | None, detail: str, model_view: bool
) -> Reading:
    """Read the texts of rows within bounds, from a continuation token on."""
    if detail not in DETAILS:
        raise BadQuery(f"no detail {detail!r}; it is {', '.join(DETAILS[:-1])} or {DETAILS[-1]}")
    index = material.index
    start, offset = parse_after(after)
    rows = rows[bisect_left(rows, start, key=index.id) :] if start is not None else rows
    stopped = partial(_stopped, material, size=partial(_size, material, detail=detail, model_view=model_view))
    room = Room.of(bounds)
    pieces: list[ReadPiece] = []
    for position, row in enumerate(rows):
        text = _text(material, row, detail, model_view)
        begin = text.border_after(offset) if index.id(row) == start else 0
        if room.items <= 0:
            return stopped(pieces, rows[position:], begin, "items", whole=text.size)
        data, reason = room.fit(text.read(begin, begin + room.limit + MIN_BYTES))
        unfinished = begin + len(data) < text.size
        if unfinished and not data:
            if not pieces:
                raise BadQuery("max_tokens is too small for one character of this text; raise it")
            return stopped(pieces, rows[position:], begin, reason, whole=text.size)
        room.take(data)
        pieces.append(
            ReadPiece(material.evidence(row), data.decode(), begin, text.line_at(begin), material.notice(row))
        )
        if unfinished:
            return stopped(pieces, rows[position:], begin + len(data), reason, whole=text.size)
    return Reading(tuple(pieces), Truncation(False, len(pieces)))


def _stopped(
    material: Material,
    pieces: list[ReadPiece],
    left: Sequence[int],
    offset: int,
    reason: Reason,
    *,
    whole: int,
    size: Callable[[int], int],
) -> Reading:
    """Say what was left out: of the first of `left`, which has `whole` bytes, from `offset` on, and the others."""
    begun = 1 if offset else 0
    omitted = sum(map(size, left[begun:])) + (whole - offset if begun else 0)
    token = f"{material.index.id(left[0])}+{offset}"
    return Reading(tuple(pieces), Truncation(True, len(pieces), reason, len(left) - begun, max(0, omitted), token))


def _size(material: Material, row: int, *, detail: str, model_view: bool) -> int:
    if detail == "compact" and material.index.kind(row) == Kind.TOOL:
        return _text(material, row, detail, model_view).size
    seen = material.index.model_bytes(row) if model_view else None
    return material.index.bytes(row) if seen is None else seen


def _text(material: Material, row: int, detail: str, model_view: bool) -> PieceText:
    """Return the row's text; compact, tool pieces only say what and how big they are; readable, they tell members."""
    if detail == "readable" and not (model_view and material.index.model_bytes(row) is not None):
        members = material.members(row)
        return material.text(row) if members is None else PieceText.of(readable(members))
    if detail == "compact" and material.index.kind(row) == Kind.TOOL:
        evidence = material.evidence(row)
        what = "arguments" if evidence.tool_part == ToolPart.INPUT else "content"
        sizes = f"{_counted(evidence.bytes, 'byte')}, {_counted(evidence.lines, 'line')}"
        return PieceText.of(f"{evidence.label} ({what} {sizes})")
    return material.text(row, model_view)


def _counted(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def read_raw(material: Material, source: Source, wanted: EntryRange, bounds: Bounds, after: str | None) -> Reading:
    """Read the lines of a range themselves, as they stand in the source; continuation tokens name piece 0.

    A record that is spread over lines is one piece, under the first of them.
    """
    start, offset = parse_after(after)
    first, last = _raw_entries(material, wanted, start.entry if start else wanted.first)
    room = Room.of(bounds)
    pieces: list[RawPiece] = []
    for entry, begins, ends in _raw_lines(material, first, last):
        text = PieceText([RawBytes(partial(_read_at, source, begins), ends - begins)])
        begin = text.border_after(offset) if start and entry == start.entry else 0
        data, reason = room.fit(text.read(begin, begin + room.limit + MIN_BYTES))
        reason = reason if room.items > 0 else "items"
        shown = room.items > 0 and (bool(data) or begin >= text.size)
        if shown:
            room.take(data)
            pieces.append(RawPiece(entry, data.decode(), begin))
            begin += len(data)
        if not shown or begin < text.size:
            left = max(ends, material.records.columns.ends[last]) - begins - begin
            stop = Truncation(True, len(pieces), reason, last - entry + (0 if begin else 1), left)
            return Reading(tuple(pieces), replace(stop, next=f"E{entry}.0+{begin}"))
    return Reading(tuple(pieces), Truncation(False, len(pieces)))


def _raw_entries(material: Material, wanted: EntryRange, first: int) -> tuple[int, int]:
    """Return the first and last entry of a range, from one on, that the view holds; raises `NotFound` for none."""
    index = material.index
    within = index.entry_range or EntryRange(0, index.entries)
    last = min(wanted.last, within.last, index.entries - 1)
    if max(first, within.first) > last:
        raise NotFound(f"there is no entry E{first} here; the last is E{max(0, index.entries - 1)}")
    return max(first, within.first), last


def _raw_lines(material: Material, first: int, last: int) -> Iterator[tuple[int, int, int]]:
    """Yield (entry, byte, byte behind) of each line that is not inside a record that was yielded before."""
    index, records = material.index, material.records
    columns, reached = records.columns, 0
    for entry in range(first, last + 1):
        begins, ends = columns.offsets[entry], columns.ends[entry]
        if ends <= reached and begins < reached:
            continue
        row = index.nearest_row(entry)
        if row < index.rows and columns.entry[row] == entry:
            records.piece(row)  # refuses a record that is no longer what it was
        reached = max(ends, *(span.offset + span.length for span in columns.spans.get(entry, ())), 0)
        yield entry, begins, reached


def _read_at(source: Source, begins: int, offset: int, length: int) -> bytes:
    return source.read(begins + offset, length)


def slice_text(
    text: PieceText,
    *,
    lines: tuple[int, int] | None,
    bytes: tuple[int, int] | None,  # noqa: A002 (the word of the contract)
    max_bytes: int,
) -> Slice:
    """Return a window of a text: lines (1-based, inclusive) or bytes (half open, cut inwards to characters).

    Ends are clamped. A window of more than `max_bytes` ends early, at a line's end where one lies in its second half.
    """
    if max_bytes < MIN_BYTES:
        raise BadQuery(f"max_bytes is {max_bytes}; it must be at least {MIN_BYTES}")
    if lines is not None:
        start, stop = _line_bytes(text, *lines)
    else:
        start, stop = bytes if bytes is not None else (0, max_bytes)
    start = max(0, min(start, text.size))
    stop = max(start, min(stop, text.size))
    clipped = stop - start > max_bytes
    data = text.read(start, min(stop, start + max_bytes) + MIN_BYTES)
    wanted = min(stop - start, max_bytes)
    first, last = border_after(data, 0), border_before(data, wanted)
    if clipped and lines is not None:
        end = data.rfind(b"\n", last // 2, last)
        last = end + 1 if end >= 0 else last
    last = max(first, last)
    begin = start + first
    line = text.line_at(begin)
    return Slice(
        text=data[first:last].decode(),
        start=begin,
        stop=start + last,
        first_line=line,
        starts_line=begin == 0 or text.read(begin - 1, begin) == b"\n",
        total_bytes=text.size,
        total_lines=text.line_count,
    )


def _line_bytes(text: PieceText, first: int, last: int) -> tuple[int, int]:
    if first < 1 or last < first:
        raise BadQuery(f"lines {first}-{last}: lines count from 1 and go up")
    start = text.line_start(first)
    stop = text.line_start(last + 1)
    return text.size if start is None else start, text.size if stop is None else stop
