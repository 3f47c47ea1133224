"""What one physical line holds: whole records, glued records, the torn stub of one, records behind it.

The rule of salvage. A stub that a crash cut off is a beginning of valid JSON, so by itself it never breaks the syntax:
it only ends. What follows it on the same line breaks it, at the place where the next record begins: at its brace, or,
when the stub ends inside a string, behind the first quote of the next record, which closes that string. Only there,
and behind a closing brace or a hole of NULs where nothing can be nested, is a record looked for; and it must go on to
the end of the line or to yet another record. So nothing nested in a torn record is ever taken for a record. A stub
that ends where a value may follow (behind a colon, or inside an array) cannot be told from a record that nests the
next one: both are listed as torn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, Protocol

from unspool.dataclass import dataclass, field
from unspool.pattern import pattern
from unspool.sources import codec
from unspool.sources.bad_json import BadJson, Reason
from unspool.sources.json_parser import Parser
from unspool.sources.lines import LINE_LIMIT, Line
from unspool.sources.record import RawRecord, State, Unreadable, decode_record
from unspool.sources.structure import WINDOW, Read, value_at, windows

SALVAGE_TRIES: Final = 64
"""Places tried for a record behind one tear: real tears need one or two, and hostile lines must stay linear."""

SALVAGE_BYTES: Final = 64 << 20
"""Bytes read in vain behind one tear: a try may read a line of any length to its end."""

PADDING: Final = b" \t\r\n\0"

_SPACE = pattern(rb"[ \t\r\n\0]*+")
_HOLE_OR_BRACE = pattern(rb"[}\0][ \t\r\0]*+")
_HOLE = pattern(rb"\0[ \t\r\0]*+")
# Runs are taken whole, and what follows is looked at afterwards: tried again at each NUL, a hole would cost its square.
_OPENING = pattern(rb'\{[ \t]{0,16}+"')
_OPENING_BYTES: Final = 18
_BEHIND_ERROR: Final = 9
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_ZEROS: Final = bytes(WINDOW)


@dataclass(slots=True)
class Judgement:
    """What a line holds; `torn_at` is where in the file its last, unfinished value begins, if it has one."""

    records: list[RawRecord] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    is_value: bool = False
    torn_at: int | None = None

    @property
    def state(self) -> State:
        """How the line is called as an entry."""
        if self.records:
            return "record"
        if self.unreadable:
            return "unreadable"
        return "value" if self.is_value else "blank"


def judge(line: Line, number: int, read: Read, limit: int = LINE_LIMIT) -> Judgement:
    """Find the records of a line; `read(offset, size)` gives bytes of its file."""
    if line.data is not None:
        return judge_bytes(bytes(line.data), line.offset, number)
    start, end = _without_padding(read, line.offset, line.offset + line.length)
    if end - start <= limit:
        return judge_bytes(read(start, end - start), start, number)
    return _judge(_Located(read, start, end, limit), number)


def judge_bytes(data: bytes, offset: int, number: int) -> Judgement:
    """Find the records of a line whose bytes are at hand."""
    return _judge(_Held(data, offset), number)


class _Bytes(Protocol):
    """The bytes of a line between two places in the file, without the padding at its end."""

    start: int
    end: int

    def value(self, start: int) -> tuple[Any, int]:
        """Decode the value at a place; return it and the place behind it; raises `BadJson`."""
        ...

    def skip(self, pos: int) -> int:
        """Return the next place with neither white space nor padding."""
        ...

    def opens(self, pos: int) -> bool:
        """Say whether an object with a key begins at a place."""
        ...

    def opening(self, pos: int) -> int | None:
        """Return where an object begins whose first key begins just before a place, or the object soon behind it."""
        ...

    def behind(self, runs: re.Pattern[bytes], start: int, end: int) -> Iterator[int]:
        """Yield the places in a range where an object with a key begins right behind one of some runs of bytes."""
        ...


class _Held:
    """A line in memory."""

    def __init__(self, data: bytes, offset: int) -> None:
        if data.startswith(_BYTE_ORDER_MARK):
            data = b"   " + data[len(_BYTE_ORDER_MARK) :]
        self._data = data.rstrip(PADDING)
        self._is_new = True
        self.start = offset
        self.end = offset + len(self._data)

    def value(self, start: int) -> tuple[Any, int]:
        if self._is_new:
            self._is_new = False
            with suppress(ValueError):
                return codec.loads(memoryview(self._data)[start - self.start :]), self.end
        parser = Parser(self._data)
        try:
            value = parser.value(start - self.start)
        except BadJson as error:
            raise BadJson(error.reason, self.start + error.pos) from None
        return value, self.start + parser.pos

    def skip(self, pos: int) -> int:
        match = _SPACE.match(self._data, pos - self.start)
        return self.start + match.end() if match else pos

    def opens(self, pos: int) -> bool:
        return _OPENING.match(self._data, pos - self.start) is not None

    def opening(self, pos: int) -> int | None:
        found = _opening_around(self._data, pos - self.start)
        return None if found is None else self.start + found

    def behind(self, runs: re.Pattern[bytes], start: int, end: int) -> Iterator[int]:
        for match in runs.finditer(self._data, start - self.start, end - self.start):
            if _OPENING.match(self._data, match.end()):
                yield self.start + match.end()


class _Located:
    """A line that is too long to be held, read by windows."""

    def __init__(self, read: Read, start: int, end: int, limit: int) -> None:
        self._read = read
        self._limit = limit
        self._is_new = True
        self.start = start + (len(_BYTE_ORDER_MARK) if read(start, 3) == _BYTE_ORDER_MARK else 0)
        self.end = end

    def value(self, start: int) -> tuple[Any, int]:
        if self._is_new:
            self._is_new = False
            with suppress(BadJson):  # as nearly all lines it is one record
                return decode_record(self._read, start, self.end - start, self._limit), self.end
        value, behind = value_at(self._read, start, self.end)
        if isinstance(value, dict):
            value = decode_record(self._read, start, behind - start, self._limit)
        return value, behind

    def skip(self, pos: int) -> int:
        parser = Parser(more=windows(self._read, pos, self.end))
        parser.peek()
        return pos + parser.pos

    def opens(self, pos: int) -> bool:
        return _OPENING.match(self._read(pos, min(_OPENING_BYTES, self.end - pos))) is not None

    def opening(self, pos: int) -> int | None:
        first = max(self.start, pos - _OPENING_BYTES)
        found = _opening_around(self._read(first, min(3 * _OPENING_BYTES, self.end - first)), pos - first)
        return None if found is None else first + found

    def behind(self, runs: re.Pattern[bytes], start: int, end: int) -> Iterator[int]:
        while start < end:
            window = self._read(start, min(WINDOW, end - start))
            following = start + len(window)
            for match in runs.finditer(window):
                reached = start + match.end()
                if match.end() == len(window):
                    reached = following = self.skip(reached)
                if self.opens(reached):
                    yield reached
            start = following


def _judge(line: _Bytes, number: int) -> Judgement:
    result = Judgement()
    start = line.skip(line.start)
    while start < line.end:
        try:
            value, behind = line.value(start)
        except BadJson as error:
            behind = _judge_bad(result, line, start, error, number)
        else:
            if isinstance(value, dict):
                salvaged = bool(result.unreadable)
                result.records.append(RawRecord(start, behind - start, value, salvaged))
            elif behind == line.end and not result.records and not result.unreadable:
                result.is_value = True
            else:
                behind = _judge_bad(result, line, start, BadJson("syntax", behind), number)
        start = line.skip(behind)
    return result


def _judge_bad(result: Judgement, line: _Bytes, start: int, error: BadJson, number: int) -> int:
    """List the bytes from `start` on as unreadable, up to a record behind them or to the end; return that place."""
    restart = _salvage(line, start, error)
    behind = line.end if restart is None else restart
    reason: Reason = error.reason if restart is None else "torn"
    result.unreadable.append(Unreadable(number + 1, start, behind - start, reason))
    if restart is None and error.at_end:
        result.torn_at = start
    return behind


def _salvage(line: _Bytes, start: int, error: BadJson) -> int | None:
    """Return where a record begins behind the value at `start` that failed, or `None`."""
    waiting = [_candidates(line, start, error)]
    tried: set[int] = set()
    read = 0
    while waiting and len(tried) < SALVAGE_TRIES and read <= SALVAGE_BYTES:
        candidate = next(waiting[-1], None)
        if candidate is None:
            waiting.pop()
        if candidate is None or candidate in tried:
            continue
        tried.add(candidate)
        try:
            value, behind = line.value(candidate)
        except BadJson as failed:
            read += failed.pos - candidate
            waiting.append(_candidates(line, candidate, failed))
            continue
        behind = line.skip(behind)
        if isinstance(value, dict) and (behind == line.end or line.opens(behind)):
            return candidate
    return None


def _candidates(line: _Bytes, start: int, error: BadJson) -> Iterator[int]:
    """Yield where a record may begin behind a value that failed, from left to right."""
    if error.reason in ("syntax", "encoding", "torn"):
        yield from line.behind(_HOLE, start + 1, error.pos)
    if error.reason in ("syntax", "encoding"):
        candidate = line.opening(error.pos)
        if candidate is not None and candidate > start:
            yield candidate
        yield from line.behind(_HOLE_OR_BRACE, error.pos, line.end)


def _opening_around(data: bytes, pos: int) -> int | None:
    """Return where an object begins whose first quote is the one before `pos`, or that begins soon behind it."""
    for match in _OPENING.finditer(data, max(0, pos - _OPENING_BYTES), pos + _BEHIND_ERROR + _OPENING_BYTES):
        if match.end() >= pos:
            return match.start() if match.start() < pos + _BEHIND_ERROR else None
    return None


def _without_padding(read: Read, start: int, end: int) -> tuple[int, int]:
    """Return the range without the white space and NULs at its ends, found by windows."""
    while start < end:
        window = read(start, min(WINDOW, end - start))
        rest = b"" if window == _ZEROS else window.lstrip(PADDING)
        start += len(window) - len(rest)
        if rest:
            break
    while start < end:
        first = max(start, end - WINDOW)
        window = read(first, end - first)
        rest = b"" if window == _ZEROS else window.rstrip(PADDING)
        end = first + len(rest)
        if rest:
            break
    return start, end
