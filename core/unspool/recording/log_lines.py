"""The events of a log, line by line, from its beginning in one pass or its last one from its end.

What a line holds is judged as everywhere: of glued lines each record counts, of a torn one what stands whole behind
the tear. Lone surrogates and numbers of any size come as they were written, so that they can be written again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import orjson

from unspool.sources.judge import judge_bytes

if TYPE_CHECKING:
    from unspool.blobs.calls import Os
    from unspool.recording.event import Event

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

    A torn end gives nothing, and neither does what is no event: blank lines, broken ones, values that are no objects,
    objects without a type.
    """
    for number, line in enumerate(lines_of(read, size)):
        try:
            event = orjson.loads(line)
        except orjson.JSONDecodeError:
            for salvaged in _odd(line):
                yield number, salvaged
        else:
            if type(event) is dict and type(event.get("type")) is str:
                yield number, event


def lines_of(read: Read, size: int) -> Iterator[bytes]:
    """Yield the lines among so many first bytes, without their LF; the last one may be torn."""
    offset, begun = 0, [b""]
    while offset < size and (block := read(offset, min(BLOCK, size - offset))):
        offset += len(block)
        first, *others = block.split(b"\n")
        begun.append(first)
        if others:
            yield b"".join(begun)
            begun = [others.pop()]
            yield from others
    yield b"".join(begun)


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
        return _odd(line)
    return [value] if _is_event(value) else []


def _odd(line: bytes) -> list[Event]:
    """Return the events of a line that is not plainly one."""
    if not line.strip():
        return []
    value = _exact(line)
    if value is not None:
        return [value] if _is_event(value) else []
    return [record.value for record in judge_bytes(line, 0, 0).records if _is_event(record.value)]


def _is_event(value: Any) -> bool:
    return type(value) is dict and type(value.get("type")) is str


def _exact(data: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(data.decode())
    except (ValueError, RecursionError):
        return None
    return value if type(value) is dict else None
