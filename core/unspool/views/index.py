"""The numbered pieces of a snapshot: what columns alone can answer, without touching the source."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, Self

from unspool.columns.table import NO_ROW, NO_TIME, Columns
from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.views.filter import Filter
from unspool.views.masks import REPEATED, Masks, numbered
from unspool.views.rows import Rows
from unspool.views.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unspool.ids import EntryRange
    from unspool.views.counts import Counts


_EVERY: Final = Filter()

Marked = bytes
"""A byte for each row of a snapshot, 1 for those that are meant; the class below has a method of the type's name."""


class Index(Rows):
    """What the columns tell of each row, and which rows a filter wants."""

    def __init__(self, columns: Columns, entry_range: EntryRange | None = None) -> None:
        super().__init__(columns, entry_range)
        self._flags = columns.as_now("flags")
        self._peers = columns.as_now("peer")
        self._tools = columns.as_now("tool")
        self._facets = columns.facets if entry_range is None else None  # last: what is written to has none any more
        self.tools = tuple(columns.tools[1:])
        """The names of the tools, in the order in which they came."""
        self._masks = Masks(Rows(columns, entry_range), columns, self._flags, self._tools)
        self._halves: dict[int, dict[ToolPart, list[int]]] = {}
        """The calls and the results of each call id that more than two pieces share, by the first row of these."""

    def bare(self) -> Index:
        """Return these rows alone, for what a snapshot holds: so no snapshot is held by what it holds."""
        bare = Index.__new__(Index)
        bare._columns, bare.entries, bare.entry_range = self._columns, self.entries, self.entry_range
        bare._start, bare._stop = self._start, self._stop
        bare._flags, bare._peers, bare._tools, bare._masks = self._flags, self._peers, self._tools, self._masks
        bare.tools, bare._facets, bare._halves = self.tools, self._facets, self._halves
        return bare

    def apart(self) -> Self:
        """Return the same for another thread: it shares nothing that changes by reading."""
        from copy import copy

        other = copy(self)
        other._masks, other._halves = self._masks.apart(), {}
        return other

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

    def flagged(self, rows: Iterable[int], flag: Flag) -> list[int]:
        """Return those of some rows that have one of some flags."""
        flags, wanted = self._flags, int(flag)
        return [row for row in rows if flags[row] & wanted]

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
        crowd = self._columns.crowds.get(self._columns.call[row])
        if crowd is None:
            peer = self.peer_row(row)
            return [] if peer is None else [peer]
        halves = self._halves.get(crowd[0])
        if halves is None:  # once for all of them: each looking through all takes as long as they are many times many
            halves = self._halves[crowd[0]] = {part: [] for part in ToolPart}
            for other in crowd[bisect_left(crowd, self._start) : bisect_left(crowd, self._stop)]:
                if (half := self.tool_part(other)) is not None:
                    halves[half].append(other)
        return [other for part, rows in halves.items() if part != self.tool_part(row) for other in rows]

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

    def common_rows(self, other: Index) -> int:
        """Return how many rows from the first on another snapshot of the session has too, with the same texts."""
        low, high = 0, min(self._stop, other._stop)
        while low < high:
            middle = (low + high + 1) // 2
            if self._like(other, low, middle):
                low = middle
            else:
                high = middle - 1
        return low

    def first_shown_anew(self, other: Index, kept: int) -> int:
        """Return the first of the rows below `kept` that a list shows here, and not in another snapshot; else `kept`.

        What hid it may be gone: its twin that was written later, or the branch that was taken instead.
        """
        shown, before = self.chosen(_EVERY)[:kept], other.chosen(_EVERY)[:kept]
        if shown == before:
            return kept
        return next((row for row in range(kept) if shown[row] > before[row]), kept)

    def _like(self, other: Index, start: int, stop: int) -> bool:
        mine, theirs = self._columns, other._columns
        return mine is theirs or (
            mine.check[start:stop] == theirs.check[start:stop]
            and mine.entry[start:stop] == theirs.entry[start:stop]
            and mine.piece[start:stop] == theirs.piece[start:stop]
            and mine.code[start:stop] == theirs.code[start:stop]
        )

    def select(self, filter: Filter) -> array[int]:
        """Return the rows that a filter wants, ascending (its `path` is not looked at: see `SessionView`)."""
        return numbered(self.chosen(filter), self._start)

    def selection(self, filter: Filter) -> Selection:
        """Return the same rows as `select`, numbered where they are looked at."""
        return Selection(self.chosen(filter), self._start)

    def chosen(self, filter: Filter, *, having: Flag = Flag(0), without: Flag = Flag(0)) -> Marked:
        """Return a byte for each row, 1 for those that a filter wants and that have the flags asked for.

        Of these there is one of some that they are `having`, and none of those that they are `without`.
        """
        wanted = self._masks.of(filter) & ~self._masks.flag(without)
        if having:
            wanted &= self._masks.flag(having)
        return wanted.to_bytes(self._stop - self._start, "little")

    def count(self, filter: Filter) -> int:
        """Count the rows that a filter wants."""
        return self._masks.of(filter).bit_count()

    def without(self, filter: Filter, rows: array[int]) -> array[int]:
        """Return the rows that a filter wants, except the given ones."""
        wanted = bytearray(self._masks.of(filter).to_bytes(self._stop - self._start, "little"))
        for row in rows:
            wanted[row - self._start] = 0
        return numbered(wanted, self._start)

    def facets(self, filter: Filter) -> dict[str, int]:
        """Count what each facet would give with the rest of the filter.

        Keys: user, assistant, system, in, out, errors, stored, reasoning, hidden, and all.
        """
        if self._facets is not None and filter == _EVERY:
            return dict(self._facets)
        free = filter.with_(kinds=frozenset(), tool_part=None, errors=False, stored=False)
        base = self._masks.of(free)
        narrowed = self._masks.of(filter.with_(kinds=frozenset(), tool_part=None))
        kinds = {"user": Kind.USER, "assistant": Kind.ASSISTANT, "system": Kind.SYSTEM}
        result = {"all": base.bit_count()}
        result |= {name: (narrowed & self._masks.kind(kind, None)).bit_count() for name, kind in kinds.items()}
        result["in"] = (narrowed & self._masks.kind(Kind.TOOL, ToolPart.INPUT)).bit_count()
        result["out"] = (narrowed & self._masks.kind(Kind.TOOL, ToolPart.OUTPUT)).bit_count()
        result["errors"] = self._masks.of(filter.with_(errors=True)).bit_count()
        result["stored"] = self._masks.of(filter.with_(stored=True)).bit_count()
        reasoning, unwanted = self._masks.flag(Flag.REASONING), self._masks.flag(REPEATED | Flag.ABANDONED)
        result["reasoning"] = (self._masks.of(filter.with_(reasoning=True)) & reasoning).bit_count()
        result["hidden"] = (self._masks.of(filter.with_(hidden=True)) & unwanted).bit_count()
        return result

    def tool_counts(self) -> dict[str, int]:
        """Count the calls of each tool, most used first."""
        counts = self._masks.counted(Filter(tool_part=ToolPart.INPUT))
        named = {self._columns.tools[number] or "?": count for number, count in counts.items()}
        return dict(sorted(named.items(), key=lambda item: (-item[1], item[0])))

    @property
    def counts(self) -> Counts:
        """Count the pieces by sort; each once."""
        from unspool.views.counts import Counts

        left, numbers = self._masks.all(), {}
        for name in ("twin", "replayed", "abandoned", "reasoning"):
            mask = left & self._masks.flag(Flag[name.upper()])
            numbers[name], left = mask.bit_count(), left & ~mask
        for kind in (Kind.USER, Kind.ASSISTANT, Kind.SYSTEM):
            numbers[str(kind)] = (left & self._masks.kind(kind, None)).bit_count()
        for part in ToolPart:
            numbers[f"tool_{part}"] = (left & self._masks.kind(Kind.TOOL, part)).bit_count()
        return Counts(**numbers)
