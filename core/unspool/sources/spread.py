"""Records that go over several physical lines, and the entries that lines become.

A line that ends inside a value is either torn or the beginning of a record spread over lines. It is joined with the
lines behind it only if the whole is one object, however many lines that takes. A line that begins as a record begins,
at its first byte, is never part of another: so a torn line never swallows the record behind it, and what a record is
does not depend on what is still to be written.
"""

from __future__ import annotations

from typing import Final

from unspool.dataclass import dataclass
from unspool.pattern import pattern
from unspool.sources.bad_json import BadJson
from unspool.sources.json_parser import Parser
from unspool.sources.judge import PADDING, Judgement, judge
from unspool.sources.lines import Line
from unspool.sources.record import Entry, RawRecord, State, Unreadable, decode_record
from unspool.sources.structure import CLIP, WINDOW, Read

_FIRST_WINDOW: Final = 1_024
"""Bytes read first: most lines that end inside a value are torn, and the next line tells."""

_KEY = rb'"(?:[^"\\\n]|\\[^\n]){0,256}+'
_FOREIGN = pattern(rb"\n\0*+\{[ \t]*+" + _KEY + rb'"[ \t]*+:')
_MAY_BE_FOREIGN = pattern(rb"\n\0*+(?:\{[ \t]*+(?:" + _KEY + rb'(?:\\|"[ \t]*+)?)?)?\Z')


@dataclass(frozen=True, slots=True)
class _Spread:
    """What came of joining lines: an object that ends at `end`, or none.

    Without an object, `end` is where the line begins that does not go with those before, and `None` when the file ends
    first: then it may yet be one.
    """

    is_object: bool
    end: int | None
    terminated: bool = True


class Joining:
    """Turns physical lines, taken in order, into entries; reads ahead where a record may be spread."""

    def __init__(self, read: Read, size: int, limit: int) -> None:
        self.inside = False  # whether the next line belongs to a record that has begun, or may have begun
        self._read = read
        self._size = size
        self._limit = limit
        self._spread = _Spread(False, 0)
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
        if found.torn_at is None or not self._may_begin(found.torn_at, line):
            return entry
        self._spread = spread = self._look_ahead(found.torn_at)
        self._tried_first = line.offset + line.length + 1
        self._tried_to = spread.end if spread.end is not None else self._size
        self.inside = spread.is_object or spread.end is None
        if spread.is_object and spread.end is not None:
            return self._joined(entry, found.torn_at, spread.end, spread.terminated)
        return entry._replace(settled=spread.end is not None)

    def _joined(self, entry: Entry, start: int, end: int, terminated: bool) -> Entry:
        """Return the entry with the record that begins in it and goes over lines, or with why that is not read."""
        records, unreadable = entry.records, entry.unreadable[:-1]
        try:
            value = decode_record(self._read, start, end - start, self._limit)
        except BadJson as error:
            unreadable = (*unreadable, Unreadable(entry.number + 1, start, end - start, error.reason))
        else:
            records = (*records, RawRecord(start, end - start, value, salvaged=bool(unreadable)))
        state: State = "record" if records else "unreadable"
        return entry._replace(
            records=records, unreadable=unreadable, state=state, terminated=terminated, settled=terminated
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
        """Try to read one object from `start` over the ends of lines; nothing of it is held."""
        lines = _Lines(self._read, start, self._size)
        parser = Parser(more=lines.following, build=False, clip=CLIP)
        try:
            value = parser.value()
        except BadJson as error:
            if not error.at_end:
                return _Spread(False, self._line_of(start + error.pos))
            return _Spread(False, lines.foreign)
        end = start + parser.pos
        if not isinstance(value, dict):
            return _Spread(False, self._line_of(end))
        return _Spread(True, end, self._is_terminated(end))

    def _line_of(self, offset: int) -> int:
        """Return where the line begins that holds a byte."""
        while offset > 0:
            start = max(0, offset - _FIRST_WINDOW)
            found = self._read(start, offset - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            offset = start
        return 0

    def _is_terminated(self, offset: int) -> bool:
        while offset < self._size:
            window = self._read(offset, min(WINDOW, self._size - offset))
            if b"\n" in window:
                return True
            offset += len(window)
        return False


class _Lines:
    """The bytes of a file for a parser, up to a line that is never part of a record which began before."""

    def __init__(self, read: Read, start: int, size: int) -> None:
        self.foreign: int | None = None
        self._read = read
        self._next = start
        self._size = size
        self._window = _FIRST_WINDOW

    def following(self) -> bytes:
        """Return the next bytes; nothing when no more belong together."""
        if self.foreign is not None:
            return b""
        window = self._read(self._next, min(self._window, self._size - self._next))
        self._window = min(2 * self._window, WINDOW)
        found = _FOREIGN.search(window)
        if found is not None:
            self.foreign = self._next + found.start() + 1
            return window[: found.start() + 1]
        cut = _MAY_BE_FOREIGN.search(window)
        if cut is not None and self._next + len(window) < self._size:
            if not cut.start() and len(window) < WINDOW:
                return self.following()
            window = window[: cut.start()] or window
        self._next += len(window)
        return window


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
