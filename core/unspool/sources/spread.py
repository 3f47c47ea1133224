"""Records that go over several physical lines, and the entries that lines become.

A line that ends inside a value is either torn or the beginning of a record spread over lines. It is joined with the
lines behind it only if the whole is one object. A line that begins as a record begins, or that is one, is never part
of another: so a torn line never swallows the record behind it, and what a record is does not depend on what is still
to be written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, Final

from unspool.sources.bad_json import BadJson
from unspool.sources.json_parser import Parser
from unspool.sources.judge import PADDING, Judgement, judge, judge_bytes
from unspool.sources.lines import Line, PhysicalLines, ReadInto
from unspool.sources.record import Entry, RawRecord, State
from unspool.sources.structure import Read

SPREAD_LINES: Final = 10_000
"""Lines that one record may take: a pretty-printed message has hundreds."""

_BLOCK: Final = 8_192
_RECORD_BEGINS = re.compile(rb'\{[ \t]*+"[^"\\]++"[ \t]*+:')


@dataclass(frozen=True, slots=True)
class _Spread:
    """What came of joining lines: a record that ends at `end`, or none.

    Without a record, `end` is where the line begins that does not go with those before, and `None` when the file ends
    first: then it may yet be one.
    """

    record: dict[str, Any] | None
    end: int | None
    terminated: bool = True


class Joining:
    """Turns physical lines, taken in order, into entries; reads ahead where a record may be spread."""

    def __init__(self, read: Read, read_into: ReadInto, size: int, limit: int) -> None:
        self.inside = False  # whether the next line belongs to a record that has begun, or may have begun
        self._read = read
        self._read_into = read_into
        self._size = size
        self._limit = limit
        self._spread = _Spread(None, 0)
        self._tried_to = 0  # joining was tried up to the line that begins here: each byte is tried once
        self._tried_first = 0  # where the second line of that try begins

    def entry(self, number: int, line: Line, record: RawRecord | None) -> Entry:
        """Return the entry of the next line; `record` is given when the line is plainly one."""
        if self.inside:
            return self._continuation(number, line)
        found = Judgement([record]) if record is not None else judge(line, number, self._read, self._limit)
        return self._begin(_entry(number, line, found), found, line)

    def _begin(self, entry: Entry, found: Judgement, line: Line) -> Entry:
        """Look ahead when the line ends inside a value; an unfinished line is pending unless it is whole records."""
        if not line.terminated:
            is_whole = entry.state in ("record", "blank") and not entry.unreadable
            return entry if is_whole else entry._replace(records=(), unreadable=(), state="pending")
        if found.torn_at is None or line.data is None or not self._may_begin(found.torn_at, line):
            return entry
        self._spread = spread = self._look_ahead(found.torn_at)
        self._tried_first = line.offset + line.length + 1
        self.inside = spread.record is not None or spread.end is None
        if spread.record is None or spread.end is None:
            self._tried_to = spread.end if spread.end is not None else self._size
            return entry._replace(settled=spread.end is not None)
        self._tried_to = spread.end
        length = spread.end - found.torn_at
        record = RawRecord(found.torn_at, length, spread.record, salvaged=len(entry.unreadable) > 1)
        return entry._replace(
            records=(*entry.records, record),
            unreadable=entry.unreadable[:-1],
            state="record",
            terminated=spread.terminated,
            settled=spread.terminated,
        )

    def _may_begin(self, torn_at: int, line: Line) -> bool:
        """Allow joining from behind all that was tried, and from a lone brace at either end of what was tried.

        A torn line takes a lone brace, the beginning of a record that was written with indentation, for text or for
        a nested object; that it was none shows only later.
        """
        if torn_at >= self._tried_to:
            return True
        is_lone_brace = bytes(line.data or b"").strip(PADDING) == b"{"
        at_an_end = line.offset == self._tried_first or line.offset + line.length + 1 == self._tried_to
        return is_lone_brace and at_an_end

    def _continuation(self, number: int, line: Line) -> Entry:
        """Return the entry of a line inside a record; in its last line something may be glued behind its end."""
        end = self._spread.end
        behind = line.offset + line.length
        if end is None:
            state: State = "continuation" if line.terminated else "pending"
            return Entry(number, line.offset, line.length, (), (), state, line.terminated, settled=False)
        if end > behind:
            return Entry(number, line.offset, line.length, (), (), "continuation", settled=self._spread.terminated)
        self.inside = False
        rest = Line(end, behind - end, None, line.terminated)
        found = judge(rest, number, self._read, self._limit)
        entry = _entry(number, line, found)
        if entry.state == "blank":
            return entry._replace(state="continuation")
        return self._begin(entry, found, line)

    def _look_ahead(self, start: int) -> _Spread:
        """Try to read one object from `start` over the ends of lines."""
        last = min(self._size, start + self._limit)
        lines = _Lines(PhysicalLines(self._read_into, start, last, block=_BLOCK, limit=self._limit), last)
        parser = Parser(more=lines.following)
        try:
            value = parser.value()
        except BadJson as error:
            if not error.at_end:
                return _Spread(None, lines.line_of(start + error.pos))
            if lines.foreign is None and last == self._size:
                return _Spread(None, None)
            return _Spread(None, lines.foreign if lines.foreign is not None else lines.line_of(last))
        end = start + parser.pos
        if not isinstance(value, dict):
            return _Spread(None, lines.line_of(end))
        return _Spread(value, end, self._is_terminated(end))

    def _is_terminated(self, offset: int) -> bool:
        return any(
            line.terminated for line in PhysicalLines(self._read_into, offset, self._size, block=_BLOCK, limit=0)
        )


class _Lines:
    """The bytes of lines for a parser, up to a line that is never part of a record which began before."""

    def __init__(self, lines: PhysicalLines, last: int) -> None:
        self.foreign: int | None = None
        self._lines = iter(lines)
        self._last = last
        self._starts: list[int] = []

    def following(self) -> bytes:
        """Return the next line with its LF; nothing when no more belong together."""
        line = next(self._lines, None) if self.foreign is None else None
        if line is None or line.data is None:
            return b""
        data = bytes(line.data)
        if self._starts and (_RECORD_BEGINS.match(data) or len(self._starts) >= SPREAD_LINES or _is_record(line, data)):
            self.foreign = line.offset
            return b""
        self._starts.append(line.offset)
        return data + b"\n" if line.terminated else data

    def line_of(self, offset: int) -> int:
        """Return where the line begins that holds a byte."""
        return self._starts[max(0, bisect_right(self._starts, offset) - 1)]


def _is_record(line: Line, data: bytes) -> bool:
    """Say whether a line is one or more whole records and nothing else (an empty object tells nothing)."""
    if not line.terminated or not data.strip(PADDING).startswith(b"{"):
        return False
    found = judge_bytes(data, line.offset, 0)
    return not found.unreadable and any(record.value for record in found.records)


def _entry(number: int, line: Line, found: Judgement) -> Entry:
    return Entry(
        number,
        line.offset,
        line.length,
        tuple(found.records),
        tuple(found.unreadable),
        found.state,
        terminated=line.terminated,
        settled=line.terminated,
    )
