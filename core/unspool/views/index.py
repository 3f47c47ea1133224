"""The numbered pieces of a snapshot: what columns alone can answer, without touching the source.

Selections are bit sets: one byte of 0 or 1 per row, held as one big integer, so that filters combine with `&` and
count with `bit_count` at memory speed.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from functools import cached_property, reduce
from itertools import compress
from operator import or_
from typing import Final

from unspool.columns.table import NO_ROW, NO_TIME, Columns, code_of
from unspool.formats.base import Flag, Kind, ToolPart
from unspool.ids import EntryRange, EvidenceId
from unspool.views.counts import Counts
from unspool.views.filter import Filter

STORED: Final = Flag.PERSISTED | Flag.SHORTENED
"""What `is:stored` means: the model saw less than there was."""

CACHED_MASKS: Final = 40
"""Bit sets kept, a byte a row each: enough for all facets under one filter."""

_REPEATED: Final = Flag.TWIN | Flag.REPLAYED


class Index:
    """Rows of a snapshot. A row number is a position in the columns: it never changes when the session grows."""

    def __init__(self, columns: Columns, entry_range: EntryRange | None = None) -> None:
        self._columns = columns
        self._flags = columns.flags[:]
        self._peers = columns.peer[:]
        self._tools = columns.tool[:]
        self.entries = len(columns.offsets)
        self.entry_range = entry_range
        self._start, self._stop = 0, len(self._flags)
        if entry_range is not None:
            self._start, self._stop = self._rows_within(entry_range)
        self._masks: dict[object, int] = {}

    @property
    def rows(self) -> int:
        """Row numbers lie below this."""
        return self._stop

    def kind(self, row: int) -> Kind:
        """Return who speaks."""
        return self._columns.kind(row)

    def tool_part(self, row: int) -> ToolPart | None:
        """Return the half of a tool use, `None` for messages."""
        return self._columns.tool_part(row)

    def tool(self, row: int) -> str | None:
        """Return the tool's name, for results the call's; `None` where it is not known."""
        return self._columns.tools[self._tools[row]] or None

    def call_id(self, row: int) -> str | None:
        """Return the call id, `None` without one."""
        return self._columns.calls[self._columns.call[row]] or None

    def flags(self, row: int) -> Flag:
        """Return the flags as of this snapshot."""
        return Flag(self._flags[row])

    def id(self, row: int) -> EvidenceId:
        """Return the id of the row's piece."""
        return EvidenceId(self._columns.entry[row], self._columns.piece[row])

    def time(self, row: int) -> int | None:
        """Return the record's time in milliseconds since 1970 UTC."""
        time = self._columns.time[row]
        return None if time == NO_TIME else time

    def bytes(self, row: int) -> int:
        """Return the size of the full text."""
        return self._columns.bytes[row]

    def model_bytes(self, row: int) -> int | None:
        """Return the size of what the model saw, `None` when that is the full text."""
        seen = self._columns.model_bytes[row]
        return None if seen < 0 else seen

    def lines(self, row: int) -> int:
        """Return the lines of the full text."""
        return self._columns.lines[row]

    def images(self, row: int) -> int:
        """Return how many images the piece holds."""
        return self._columns.images[row]

    def peer_row(self, row: int) -> int | None:
        """Return the row of the first counterpart (call or result), `None` when this view holds none."""
        peer = self._peers[row]
        return peer if peer != NO_ROW and self._start <= peer < self._stop else None

    def peer_rows(self, row: int) -> list[int]:
        """Return all counterparts: the other half's rows with the same call id."""
        peer, part = self.peer_row(row), self.tool_part(row)
        crowd = self._crowded.get(self._columns.call[row])
        if crowd is None:
            return [] if peer is None else [peer]
        return [other for half, rows in crowd.items() if half != part for other in rows]

    @cached_property
    def _crowded(self) -> dict[int, dict[ToolPart, list[int]]]:
        """The rows of each call id that more than two pieces share, by half."""
        calls = self._columns.call[: len(self._flags)]
        crowds: dict[int, dict[ToolPart, list[int]]]
        crowds = {call: {} for call, rows in Counter(calls).items() if call and rows > 2}
        for row in range(self._start, self._stop) if crowds else ():
            part = self.tool_part(row)
            if calls[row] in crowds and part is not None:
                crowds[calls[row]].setdefault(part, []).append(row)
        return crowds

    @property
    def compactions(self) -> array[int]:
        """The rows, ascending, that stand where a compaction was made: boundaries and summaries."""
        rows = self._columns.compactions
        return rows[bisect_left(rows, self._start) : bisect_left(rows, self._stop)]

    def is_compaction(self, row: int) -> bool:
        """Say whether a row stands where a compaction was made."""
        rows = self._columns.compactions
        at = bisect_left(rows, row)
        return at < len(rows) and rows[at] == row

    def row_of(self, evidence_id: EvidenceId) -> int | None:
        """Return the row of an id, `None` when this view holds no such piece."""
        row = self.nearest_row(evidence_id.entry)
        while row < self._stop and self._columns.entry[row] == evidence_id.entry:
            if self._columns.piece[row] == evidence_id.piece:
                return row
            row += 1
        return None

    def nearest_row(self, entry: int) -> int:
        """Return the first row at or behind an entry (`rows` when there is none)."""
        return bisect_left(self._columns.entry, entry, self._start, self._stop)

    def rows_in(self, entry_range: EntryRange) -> list[int]:
        """Return the rows of a range, every flag."""
        return list(range(*self._rows_within(entry_range)))

    def select(self, filter: Filter) -> array[int]:
        """Return the rows that a filter wants, ascending (its `path` is not looked at: see `SessionView`)."""
        size = self._stop - self._start
        wanted = self._mask(filter).to_bytes(size, "little")
        return array("I", compress(range(self._start, self._stop), wanted))

    def without(self, filter: Filter, rows: array[int]) -> array[int]:
        """Return the rows that a filter wants, except the given ones."""
        wanted = bytearray(self._mask(filter).to_bytes(self._stop - self._start, "little"))
        for row in rows:
            wanted[row - self._start] = 0
        return array("I", compress(range(self._start, self._stop), wanted))

    def facets(self, filter: Filter) -> dict[str, int]:
        """Count what each facet would give with the rest of the filter.

        Keys: user, assistant, system, in, out, errors, stored, reasoning, hidden, and all.
        """
        free = filter.with_(kinds=frozenset(), tool_part=None, errors=False, stored=False)
        base = self._mask(free)
        narrowed = self._mask(filter.with_(kinds=frozenset(), tool_part=None))
        kinds = {"user": Kind.USER, "assistant": Kind.ASSISTANT, "system": Kind.SYSTEM}
        result = {"all": base.bit_count()}
        result |= {name: (narrowed & self._kind_mask(kind, None)).bit_count() for name, kind in kinds.items()}
        result["in"] = (narrowed & self._kind_mask(Kind.TOOL, ToolPart.INPUT)).bit_count()
        result["out"] = (narrowed & self._kind_mask(Kind.TOOL, ToolPart.OUTPUT)).bit_count()
        result["errors"] = self._mask(filter.with_(errors=True)).bit_count()
        result["stored"] = self._mask(filter.with_(stored=True)).bit_count()
        result["reasoning"] = (self._mask(filter.with_(reasoning=True)) & self._flag_mask(Flag.REASONING)).bit_count()
        unwanted = self._flag_mask(_REPEATED | Flag.ABANDONED)
        result["hidden"] = (self._mask(filter.with_(hidden=True)) & unwanted).bit_count()
        return result

    def tool_counts(self) -> dict[str, int]:
        """Count the calls of each tool, most used first."""
        counts: dict[int, int] = {}
        for row in self.select(Filter(tool_part=ToolPart.INPUT)):
            counts[self._tools[row]] = counts.get(self._tools[row], 0) + 1
        named = {self._columns.tools[number] or "?": count for number, count in counts.items()}
        return dict(sorted(named.items(), key=lambda item: (-item[1], item[0])))

    @property
    def counts(self) -> Counts:
        """Count the pieces by sort; each once."""
        left, numbers = self._all(), {}
        for name in ("twin", "replayed", "abandoned", "reasoning"):
            mask = left & self._flag_mask(Flag[name.upper()])
            numbers[name], left = mask.bit_count(), left & ~mask
        for kind in (Kind.USER, Kind.ASSISTANT, Kind.SYSTEM):
            numbers[str(kind)] = (left & self._kind_mask(kind, None)).bit_count()
        for part in ToolPart:
            numbers[f"tool_{part}"] = (left & self._kind_mask(Kind.TOOL, part)).bit_count()
        return Counts(**numbers)

    def _rows_within(self, entry_range: EntryRange) -> tuple[int, int]:
        """Return the half-open rows of a range, as far as this view holds them."""
        entry, piece = self._columns.entry, self._columns.piece
        start = bisect_left(entry, entry_range.first, self._start, self._stop)
        stop = bisect_left(entry, entry_range.last + 1, start, self._stop)
        if entry_range.first_piece is not None:
            behind = bisect_left(entry, entry_range.first + 1, start, stop)
            start = bisect_left(piece, entry_range.first_piece, start, behind)
        if entry_range.last_piece is not None:
            begin = bisect_left(entry, entry_range.last, start, stop)
            stop = bisect_left(piece, entry_range.last_piece + 1, begin, stop)
        return start, stop

    def _mask(self, filter: Filter) -> int:
        found = self._masks.get(filter)
        if found is None:
            if len(self._masks) > CACHED_MASKS:
                self._masks.clear()
            found = self._masks[filter] = self._make_mask(filter)
        return found

    def _make_mask(self, filter: Filter) -> int:
        mask = self._all()
        unwanted = Flag(0) if filter.reasoning else Flag.REASONING
        unwanted |= Flag(0) if filter.hidden and filter.twins else _REPEATED
        unwanted |= Flag(0) if filter.hidden else Flag.ABANDONED
        mask &= ~self._flag_mask(unwanted)
        if filter.kinds:
            mask &= _union(self._kind_mask(kind, None) for kind in filter.kinds)
        if filter.tool_part is not None:
            mask &= self._kind_mask(Kind.TOOL, filter.tool_part)
        if filter.tools:
            mask &= self._tool_mask(filter.tools)
        if filter.errors:
            mask &= self._flag_mask(Flag.ERROR)
        if filter.stored:
            mask &= self._flag_mask(STORED)
        if filter.within is not None:
            mask &= self._range_mask(*self._rows_within(filter.within))
        if filter.ids is not None:
            mask &= self._ids_mask(filter.ids)
        return mask

    def _all(self) -> int:
        return int.from_bytes(b"\1" * (self._stop - self._start), "little")

    def _kind_mask(self, kind: Kind, part: ToolPart | None) -> int:
        key = ("kind", kind, part)
        if key not in self._masks:
            parts = [part] if part is not None else [None, *ToolPart]
            wanted = {code_of(kind, each) for each in parts}
            table = bytes(code in wanted for code in range(256))
            codes = self._columns.code[self._start : self._stop].tobytes()
            self._masks[key] = int.from_bytes(codes.translate(table), "little")
        return self._masks[key]

    def _flag_mask(self, flags: Flag) -> int:
        """Return the rows that have any of the flags."""
        key = ("flag", flags)
        if key not in self._masks:
            raw = self._flags[self._start : self._stop].tobytes()
            size, mask = self._flags.itemsize, 0
            for plane in range(3):
                bits = int(flags) >> (8 * plane) & 0xFF
                if bits:
                    table = bytes(bool(value & bits) for value in range(256))
                    mask |= int.from_bytes(raw[_plane(plane, size) :: size].translate(table), "little")
            self._masks[key] = mask
        return self._masks[key]

    def _tool_mask(self, names: frozenset[str]) -> int:
        wanted = {name.casefold() for name in names}
        numbers = {number for number, name in enumerate(self._columns.tools) if name and name.casefold() in wanted}
        tools = self._tools[self._start : self._stop]
        return int.from_bytes(bytes(map(numbers.__contains__, tools)), "little")

    def _range_mask(self, start: int, stop: int) -> int:
        return int.from_bytes(b"\0" * (start - self._start) + b"\1" * (stop - start), "little")

    def _ids_mask(self, ids: frozenset[EvidenceId]) -> int:
        wanted = bytearray(self._stop - self._start)
        for row in map(self.row_of, ids):
            if row is not None:
                wanted[row - self._start] = 1
        return int.from_bytes(wanted, "little")


def _plane(plane: int, size: int) -> int:
    """Return where byte `plane` (0 is the least) of an item stands in memory."""
    return plane if sys.byteorder == "little" else size - 1 - plane


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)
