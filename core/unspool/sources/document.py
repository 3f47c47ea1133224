"""A session that is one JSON document: an object whose members, or the members of whose arrays, are the records.

The file is written anew each time, so its entries hold for one revision: once it has changed, reads say so.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from unspool.sources.bad_json import BadJson
from unspool.sources.json_parser import Parser
from unspool.sources.jsonl import JsonLines
from unspool.sources.lines import BLOCK
from unspool.sources.record import Entry, RawRecord, Unreadable, decode_record

ENDING: Final = ".json"

DOCUMENT_LIMIT: Final = 16 << 20
"""Bytes of a document that is read: where its records are, only a walk through all of it tells, a few MB a second."""

Span = tuple[int, int]
"""Offset and length in bytes."""


def open_log(path: str | os.PathLike[str]) -> JsonLines:
    """Open a session's file by its ending, a document or lines, or a folder of blobs; raises `Unreadable`."""
    path = os.fspath(path)
    if os.path.isdir(path):
        from unspool.sources.blob_folder import BlobFolder

        return BlobFolder.open(path)
    return JsonDocument.open(path) if path.endswith(ENDING) else JsonLines.open(path)


class JsonDocument(JsonLines):
    """A snapshot of a document. What is no such document, or beyond `DOCUMENT_LIMIT`, is read as lines."""

    def entries(self, start_entry: int = 0, start_offset: int = 0, *, block: int = BLOCK) -> Iterator[Entry]:
        """Yield the records from one on, in their order; behind the last whole one, what cannot be read.

        Raises `SourceChanged`.
        """
        spans, fault = self._layout
        if not spans:
            yield from super().entries(start_entry, start_offset, block=block)
            return
        for number, span in enumerate(spans):
            if number >= start_entry and span[0] >= start_offset:
                yield self._entry(number, span)
        if fault is not None and self.size > start_offset:
            yield self._torn(len(spans), sum(spans[-1]), fault)

    def grown(self, start: int | None = None, most: int | None = None) -> JsonLines | None:
        """Return `None` if nothing was written; raises `SourceChanged` otherwise: a document is never appended to."""
        newer = super().grown(start)
        if newer is None:
            return None
        newer.close()
        raise self._changed("was written anew", (0, self.size))

    @cached_property
    def _layout(self) -> tuple[list[Span], BadJson | None]:
        """Where the records are, and what ended the walk early."""
        spans: list[Span] = []
        if self.size <= DOCUMENT_LIMIT:
            try:
                spans.extend(_record_spans(Parser(self.read(0, self.size), build=False)))
            except BadJson as fault:
                return spans, fault
        return spans, None

    def _entry(self, number: int, span: Span) -> Entry:
        offset, length = span
        try:
            record = RawRecord(offset, length, decode_record(self.read, offset, length, self.limit))
        except BadJson:
            return Entry(number, offset, length, (), (), "value")
        return Entry(number, offset, length, (record,), (), "record")

    def _torn(self, number: int, offset: int, fault: BadJson) -> Entry:
        length = self.size - offset
        fault_at = Unreadable(number + 1, offset, length, fault.reason)
        return Entry(number, offset, length, (), (fault_at,), "unreadable")


def _record_spans(parser: Parser) -> Iterator[Span]:
    """Yield where the members of the top-level object are that are objects, and the members of those that are arrays.

    Raises `BadJson` where the document breaks off.
    """
    if not parser.take(b"{"):
        return
    for _ in _members(parser, b"}"):
        kind = parser.peek()
        if kind == b"[":
            parser.take(b"[")
            yield from (_skipped(parser) for _ in _members(parser, b"]"))
        else:
            span = _skipped(parser)
            if kind == b"{":
                yield span
    parser.finish()


def _members(parser: Parser, closing: bytes) -> Iterator[None]:
    """Stand before each member of an open container, its key taken; whoever asks for the next has taken this one."""
    first = True
    while not parser.take(closing):
        if not first and not parser.take(b","):
            parser.value()  # refuses what stands there
            raise BadJson("syntax", parser.pos)
        if closing == b"}":
            parser.key()
        first = False
        yield


def _skipped(parser: Parser) -> Span:
    parser.peek()
    start = parser.pos
    parser.value()
    return start, parser.pos - start
