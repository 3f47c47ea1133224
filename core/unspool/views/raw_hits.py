"""Searching what is no evidence: unreadable bytes and other records, as they stand and with their escapes decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from unspool.pattern import pattern
from unspool.sources.json_string import ESCAPE_BYTES, unescape
from unspool.text import utf8
from unspool.views.hits import RawHit

if TYPE_CHECKING:
    from unspool.search.needle import Needle
    from unspool.sources.jsonl import JsonLines
    from unspool.sources.record import Entry
    from unspool.views.index import Index

RAW_HITS: Final = 100
"""Raw hits listed: whoever looks into broken lines wants to see that there are some, and where."""

CONTEXT_BEFORE: Final = 60
CONTEXT_BYTES: Final = 240
"""Bytes of a snippet, and how many of them stand before the match."""

_BLOCK: Final = 1 << 20
_ESCAPES = pattern(r'(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))+')


def raw_hits(index: Index, needle: Needle, lines: JsonLines, stop: Callable[[], bool]) -> Iterator[RawHit]:
    """Yield the first matches, one for each unreadable stretch or other record, in order."""
    shown = 0
    for entry in lines.entries():
        if shown >= RAW_HITS or stop():
            return
        if index.entry_range is not None and not index.entry_range.first <= entry.number <= index.entry_range.last:
            continue
        for reason, offset, length in _no_evidence(index, entry):
            found = _match(lines, offset, length, needle)
            if found is not None:
                shown += 1
                yield RawHit(entry.number + 1, reason, found)


def _no_evidence(index: Index, entry: Entry) -> Iterator[tuple[str, int, int]]:
    """Yield (what it is, byte, length) of what is no evidence in a line; a line may hold both."""
    for bad in entry.unreadable:
        yield bad.reason, bad.offset, bad.length
    row = index.nearest_row(entry.number)
    if row < index.rows and index.id(row).entry == entry.number:
        return
    if entry.state == "pending":
        yield "pending", entry.offset, entry.length
    elif entry.state == "value":
        yield "other record", entry.offset, entry.length
    for record in entry.records:
        yield "other record", record.offset, record.length


def _match(lines: JsonLines, offset: int, length: int, needle: Needle) -> str | None:
    """Return the surroundings of the first match in some bytes, `None` without one.

    The bytes are searched as they stand, and with their escapes decoded.
    """
    start, overlap = 0, needle.overlap * ESCAPE_BYTES
    while start < length:
        data = lines.read(offset + start, min(_BLOCK + overlap, length - start))
        for form in (data, _unescaped(data)) if b"\\" in data else (data,):
            found = needle.find(form)
            if found >= 0:
                return form[max(0, found - CONTEXT_BEFORE) : found + CONTEXT_BYTES].decode(errors="replace")
        start += _outside_escapes(data, len(data) - overlap) if start + len(data) < length else len(data)
    return None


def _unescaped(data: bytes) -> bytes:
    """Return bytes with the escapes of JSON decoded wherever they stand; what is no escape stays."""
    return utf8(_ESCAPES.sub(lambda run: unescape(run[0]), data.decode(errors="replace")))


def _outside_escapes(data: bytes, end: int) -> int:
    """Return the last place up to `end` that has no backslash before it, where no escape is cut; `end` without one."""
    kept = data[:end].rstrip(b"\\")
    return len(kept) or end
