"""The events of a log, line by line, from its beginning in one pass or its last one from its end.

What a line holds is judged as everywhere: of glued lines each record counts, of a torn one what stands whole behind
the tear. Lone surrogates and numbers of any size come as they were written, so that they can be written again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

import orjson

from unspool.blobs.calls import Os
from unspool.recording.event import Event
from unspool.sources.judge import judge_bytes
from unspool.sources.lines import Line, PhysicalLines

BLOCK: Final = 1 << 20
"""Bytes read at a time."""
_TAIL: Final = 1 << 16
"""Bytes of the end that are looked at first for the last event; twice as many whenever none is there."""

Read = Callable[[int, int], bytes]
"""Returns the bytes at an offset, fewer at the end."""


def reader(calls: Os, descriptor: int) -> Read:
    """Return what reads an open log."""
    return lambda offset, length: calls.read(descriptor, offset, length)


def events(read: Read, size: int) -> Iterator[tuple[int, Event]]:
    """Yield the events among so many first bytes, each with the number of its line from 0; each byte is read once.

    A torn end gives nothing, and neither does what is no event: blank lines, broken ones, values that are no objects.
    """
    for number, line in enumerate(lines_of(read, size)):
        try:
            event = orjson.loads(line.data or b"")
        except orjson.JSONDecodeError:
            for salvaged in _odd(line, number):
                yield number, salvaged
        else:
            if type(event) is dict:
                yield number, event


def lines_of(read: Read, size: int) -> Iterator[Line]:
    """Return the lines among so many first bytes; each holds its bytes until the next one is asked for."""

    def read_into(view: memoryview, offset: int) -> int:
        data = read(offset, len(view))
        view[: len(data)] = data
        return len(data)

    return iter(PhysicalLines(read_into, 0, size, block=BLOCK, limit=size))


def last_event(read: Read, size: int, has: Callable[[Event], bool]) -> Event | None:
    """Return the last event of a log that has something, looked for from the end; `None` when there is none."""
    length = _TAIL
    while True:
        length = min(length, size)
        data = read(size - length, length)
        lines = data.split(b"\n")
        for line in reversed(lines if length == size else lines[1:]):
            for event in reversed(events_in(line)):
                if has(event):
                    return event
        if length == size:
            return None
        length *= 2


def events_in(line: bytes) -> list[Event]:
    """Return the events of one line, without its LF."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return _odd(Line(0, len(line), memoryview(line), True), 0)
    return [value] if type(value) is dict else []


def _odd(line: Line, number: int) -> list[Event]:
    """Return the events of a line that is not plainly one."""
    data = bytes(line.data or b"")
    if not data.strip():
        return []
    value = _exact(data)
    if value is not None:
        return [value]
    return [record.value for record in judge_bytes(data, line.offset, number).records]


def _exact(data: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(data.decode())
    except (ValueError, RecursionError):
        return None
    return value if type(value) is dict else None
