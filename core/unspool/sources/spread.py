"""Records that go over several physical lines, and the entries that their lines become.

A line that ends inside a value is either torn or the beginning of a record spread over lines. It is joined with the
lines behind it only if the whole is one object; and a line that begins as a record begins, or that holds a record by
itself, is never part of another. So a torn line never swallows a record behind it, and what a record is does not
depend on what is still to be written.
"""

from __future__ import annotations

from typing import Any, Final

from unspool.sources.json_parser import BadJson, Parser
from unspool.sources.judge import PADDING, Judgement, judge
from unspool.sources.lines import Line
from unspool.sources.record import Entry, RawRecord
from unspool.sources.structure import Read, windows

SPREAD_LINES: Final = 10_000
"""Lines that one record may take: a pretty-printed message has hundreds."""

_WINDOW: Final = 65_536


class Joining:
    """Turns physical lines into entries; holds back the lines that may yet become one record."""

    def __init__(self, read: Read, size: int, limit: int) -> None:
        self.held: list[Entry] = []
        self._read = read
        self._size = size
        self._limit = limit
        self._torn_at = 0
        self._goal: tuple[dict[str, Any] | None, int] | None = None
        self._tried_to = 0  # joins were tried up to here, and begin behind it only: each byte is tried once

    def add(self, number: int, line: Line, record: RawRecord | None) -> list[Entry]:
        """Take the next line, with its record if it is plainly one; return the entries that are certain now."""
        found = Judgement([record]) if record is not None else judge(line, number, self._read, self._limit)
        entry = Entry(
            number,
            line.offset,
            line.length,
            tuple(found.records),
            tuple(found.unreadable),
            found.state,
            terminated=line.terminated,
            settled=line.terminated,
        )
        if not self.held:
            return self._begin(entry, found, line)
        if found.records or _begins_record(line) or len(self.held) >= SPREAD_LINES:
            return [*self._give_up(), *self._begin(entry, found, line)]
        return self._join(entry, found, line)

    def finish(self) -> list[Entry]:
        """Return what is still held at the end of the snapshot: the beginning of a record that may go on."""
        if not self.held:
            return []
        first, *others = self._give_up()
        entries = [entry._replace(unreadable=(), state="continuation", settled=False) for entry in others]
        if entries and not entries[-1].terminated:
            entries[-1] = entries[-1]._replace(state="pending")
        return [first._replace(settled=False), *entries]

    def _begin(self, entry: Entry, found: Judgement, line: Line) -> list[Entry]:
        """Hold a line that ends inside a value; anything else is certain."""
        if not line.terminated:
            if entry.unreadable or entry.state == "value":
                return [entry._replace(records=(), unreadable=(), state="pending")]
            return [entry]
        if found.torn_at is None or not self._may_begin(found.torn_at, line):
            return [entry]
        self.held = [entry]
        self._torn_at = found.torn_at
        self._goal = None
        return []

    def _may_begin(self, torn_at: int, line: Line) -> bool:
        """Allow a join behind all that was tried, and one from a lone brace right before the line where a try failed.

        A torn line that ends inside a string takes a lone brace, the beginning of a record that was written with
        indentation, for text; the quotes of the line behind it tell.
        """
        if torn_at >= self._tried_to:
            return True
        between = self._tried_to - line.offset - line.length - 1
        if between < 0 or between > _WINDOW or line.data is None or bytes(line.data).strip(PADDING) != b"{":
            return False
        return b"\n" not in self._read(line.offset + line.length + 1, between)

    def _join(self, entry: Entry, found: Judgement, line: Line) -> list[Entry]:
        if self._goal is None:
            self._goal = self._whole()
        value, end = self._goal
        if value is None and end < self._size:
            return [*self._give_up(), *self._begin(entry, found, line)]
        if value is None or end > line.offset + line.length:
            self.held.append(entry)
            return []
        return self._complete(value, end, entry, line)

    def _whole(self) -> tuple[dict[str, Any] | None, int]:
        """Read on over the lines: return the record and its end, or `None` and where it turned out to be none.

        That place is the end of the snapshot when the record may still be going on there.
        """
        last = min(self._size, self._torn_at + self._limit)
        parser = Parser(more=windows(self._read, self._torn_at, last, _WINDOW))
        try:
            value = parser.value()
        except BadJson as error:
            self._tried_to = self._torn_at + error.pos
            return None, self._size if error.at_end and last == self._size else min(self._tried_to, self._size - 1)
        self._tried_to = self._torn_at + parser.pos
        return (value if isinstance(value, dict) else None), self._tried_to

    def _complete(self, value: dict[str, Any], end: int, entry: Entry, line: Line) -> list[Entry]:
        """Return the entries of a record that ends in this line."""
        first, *others = self._give_up()
        record = RawRecord(self._torn_at, end - self._torn_at, value, salvaged=len(first.unreadable) > 1)
        first = first._replace(
            records=(*first.records, record),
            unreadable=first.unreadable[:-1],
            state="record",
            terminated=line.terminated,
            settled=line.terminated,
        )
        others = [other._replace(unreadable=(), state="continuation", settled=line.terminated) for other in others]
        return [first, *others, *self._behind(end, entry, line)]

    def _behind(self, end: int, entry: Entry, line: Line) -> list[Entry]:
        """Return the entry of the line in which a spread record ends; something may be glued behind its end."""
        length = line.offset + line.length - end
        rest = Line(end, length, memoryview(self._read(end, length)), line.terminated)
        found = judge(rest, entry.number, self._read, self._limit)
        state = "continuation" if found.state == "blank" else found.state
        entry = entry._replace(records=tuple(found.records), unreadable=tuple(found.unreadable), state=state)
        return self._begin(entry, found, line)

    def _give_up(self) -> list[Entry]:
        """Let the held lines be what they are by themselves."""
        held, self.held = self.held, []
        return held


def _begins_record(line: Line) -> bool:
    return line.data is not None and bytes(line.data[:2]) == b'{"'
