"""Columns: one row per piece, integers in arrays, so that a million rows fit in tens of megabytes."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from unspool.formats.piece import Flag, Kind, ToolPart
from unspool.named_tuple import NamedTuple

NO_TIME: Final = -(1 << 62)
"""Stands in the time column for a record without a time; never leaves this package."""

NO_ROW: Final = -1
"""Stands in the peer column for a row without a counterpart; never leaves this package."""

MOST_TOOLS: Final = 0xFFFF
"""Names of tools that have numbers of their own, nothing among them: all others have the number behind these."""

OTHER_TOOLS: Final = "(other)"


class Span(NamedTuple):
    """Where a record lies when it is not simply its own physical line: bytes, half open."""

    first_piece: int
    offset: int
    length: int


class Columns:
    """The rows of one source, in order of entry and piece. Only a builder writes; readers stop at their own length."""

    __slots__ = (
        "bytes",
        "call",
        "call_ids",
        "calls",
        "check",
        "code",
        "compactions",
        "composed",
        "crowds",
        "details",
        "ends",
        "entry",
        "flags",
        "images",
        "lines",
        "model_bytes",
        "offsets",
        "peer",
        "piece",
        "spans",
        "time",
        "tool",
        "tool_ids",
        "tools",
    )

    facets: Mapping[str, int] | None = None
    """What was counted of all rows when they were kept; `None` for others, and once they may be written to."""

    def __init__(self) -> None:
        self.entry = array("Q")
        self.piece = array("I")
        self.code = array("B")
        self.tool = array("H")
        self.call = array("I")
        self.flags = array("I")
        self.time = array("q")
        self.bytes = array("Q")
        self.model_bytes = array("q")
        self.lines = array("Q")
        self.images = array("H")
        self.check = array("I")
        """Tells the text of the row's piece from others; of a record that is not held, its bytes."""
        self.peer = array("q")
        self.compactions = array("I")
        """The rows, ascending, that stand where a compaction was made."""
        self.crowds: dict[int, list[int]] = {}
        """The rows of each call id that more than two pieces share, ascending: a peer tells only of one."""
        self.composed: set[int] = set()
        """The rows whose text stands nowhere in the raw record as it reads."""
        self.offsets = array("Q")
        """Byte offset of every physical line, also of those without pieces."""
        self.ends = array("Q")
        """Byte offset behind every physical line, its LF excluded."""
        self.spans: dict[int, tuple[Span, ...]] = {}
        """Records that are not simply their line: salvaged, glued, or spread over lines; by entry."""
        self.details: dict[str, tuple[int, int]] = {}
        """Offset and length of the newest record that tells more about a call than its result does; by call id."""
        self.tools: list[str] = [""]
        self.tool_ids: dict[str, int] = {"": 0}
        self.calls: list[str] = [""]
        self.call_ids: dict[str, int] = {"": 0}

    def __len__(self) -> int:
        return len(self.entry)

    def note_line(self, number: int, offset: int, end: int) -> None:
        """Note where a physical line lies: the next one, or one that was noted before and has become longer."""
        if number == len(self.offsets):
            self.offsets.append(offset)
            self.ends.append(end)
        else:
            self.ends[number] = end

    def note_boundary(self, start: int) -> None:
        """Note the row at which a record tells a compaction: of its pieces, from `start` on, the first system one."""
        for row in range(start, len(self)):
            if self.kind(row) == Kind.SYSTEM:
                self.compactions.append(row)
                return

    def as_now(self, name: str) -> Sequence[int]:
        """Return a column as it is now, whatever is written to it later."""
        column: array[int] = getattr(self, name)
        return column[:]

    def resized(self) -> Columns:
        """Return these columns with sizes of their own; all else is shared, and only the new ones may be added to."""
        from copy import copy

        twin = copy(self)
        twin.bytes, twin.model_bytes, twin.lines = self.bytes[:], self.model_bytes[:], self.lines[:]
        return twin

    def kind(self, row: int) -> Kind:
        """Return who speaks."""
        return Kind(self.code[row] >> 2)

    def tool_part(self, row: int) -> ToolPart | None:
        """Return the half of a tool use, `None` for messages."""
        part = self.code[row] & 3
        return ToolPart(part - 1) if part else None

    def flag(self, row: int) -> Flag:
        """Return the flags."""
        return Flag(self.flags[row])

    def tool_number(self, name: str | None) -> int:
        """Return the number of a tool's name, a new one for a new name; 0 for none. The last number is for all others.

        The column holds no greater ones.
        """
        if not name:
            return 0
        number = self.tool_ids.get(name)
        if number is None and len(self.tools) >= MOST_TOOLS:
            name = OTHER_TOOLS
            number = self.tool_ids.get(name)
        if number is None:
            number = self.tool_ids[name] = len(self.tools)
            self.tools.append(name)
        return number

    def call_number(self, call_id: str | None) -> int:
        """Return the number of a call id, a new one for a new id; 0 for none."""
        if not call_id:
            return 0
        number = self.call_ids.get(call_id)
        if number is None:
            number = self.call_ids[call_id] = len(self.calls)
            self.calls.append(call_id)
        return number

    def span(self, row: int) -> tuple[int, int]:
        """Return (offset, length) in bytes of the record that holds the row's piece."""
        entry = self.entry[row]
        if entry not in self.spans:
            return self.offsets[entry], self.ends[entry] - self.offsets[entry]
        _, offset, length = self._apart(row)
        return offset, length

    def number(self, row: int) -> int:
        """Return the number of the row's piece in its own record: not all records begin their line."""
        return self.piece[row] - (self._apart(row).first_piece if self.entry[row] in self.spans else 0)

    def _apart(self, row: int) -> Span:
        spans = self.spans[self.entry[row]]
        return spans[bisect_right(spans, self.piece[row], key=attrgetter("first_piece")) - 1]


def code_of(kind: Kind, tool_part: ToolPart | None) -> int:
    """Return the byte that stores kind and part."""
    return kind << 2 | (0 if tool_part is None else tool_part + 1)


def plane_of(column: Sequence[int], number: int, start: int, stop: int) -> bytes:
    """Return one byte of each item in a range, number 0 the least; a column that is kept makes no items for that."""
    if not isinstance(column, array):
        kept: Any = column
        plane: bytes = kept.plane(number, start, stop)
        return plane
    size = column.itemsize
    return column[start:stop].tobytes()[number if sys.byteorder == "little" else size - 1 - number :: size]
