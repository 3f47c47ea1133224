"""What the head and the tail of a session tell, so that a list never waits for a whole read.

The head is read until it has said what a list shows: the first prompt or a title, the folder, a time. The tail gives
the newest time and the newest title. A file that is short is simply known.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass, field
from unspool.errors import SourceChanged, Unreadable
from unspool.formats.facts import Facts
from unspool.formats.piece import HIDDEN, Flag, Kind
from unspool.sources import zstd
from unspool.sources.binary import HEAD, refuse_binary
from unspool.sources.document import open_log
from unspool.sources.identity import Identity
from unspool.sources.jsonl import JsonLines

if TYPE_CHECKING:
    from unspool.formats.base import Format
    from unspool.sources.record import Entry, RawRecord
    from unspool.stores.base import SourceFile

HEAD_BYTES: Final = 4 << 20
"""Head read at most for a first prompt: injected context before it was seen to take some hundred KB."""

BLOCK: Final = 64 << 10
"""Bytes read at a time: a head and a tail of this size tell nearly every session."""

PLACE_BYTES: Final = 2 * BLOCK
"""Head read for a folder, once there was a prompt: agents tell it before or with what was said, or never."""

TAIL_BYTES: Final = 16 << 20
"""Tail read at most for a last time: a single record may be this long."""

SHORT_FILE: Final = 16 << 10
"""Bytes up to which a file is read whole: head and tail would be most of it."""

SHORT_RECORD: Final = 1_024
"""Bytes below which a record of the tail is looked at: titles are short, messages mostly long."""

LAST_RECORDS: Final = 12
"""Records at the very end that are all looked at: most carry a time, housekeeping at the end does not."""

SEEN_IDS: Final = 64
"""Native ids kept from the head, and as many from the tail: copies share the ids of their origin."""


_NO_PROMPT: Final = Flag.BY_USER | Flag.REPLAYED
"""What a person said with one of these is no prompt of the session's own."""


@dataclass(slots=True)
class Glance:
    """What was seen. Times are milliseconds since 1970; `whole` says that every record was looked at.

    `spoken` says that somebody said or did something; `ids` are hashes of native ids seen in head and tail.
    """

    facts: Facts = field(default_factory=Facts)
    model: str | None = None
    started_at: int | None = None
    last_activity: int | None = None
    prompt: str | None = None
    spoken: bool = False
    whole: bool = False
    ids: set[int] = field(default_factory=set)
    fault: str | None = None
    """Why it cannot be read, in one line; the head of a torn archive is told all the same."""
    unknown: Counter[str] = field(default_factory=Counter)
    """Types of the records seen that the format does not know."""

    @property
    def title(self) -> str | None:
        """The renamed title, else the generated one, else the first real prompt."""
        return self.facts.title or self.facts.generated_title or self.prompt

    @property
    def empty(self) -> bool:
        """Whether it is known that nobody said or did anything."""
        return self.whole and not self.spoken


class Glances:
    """Glances taken so far; a file that has not changed is not looked at again."""

    def __init__(self) -> None:
        self._taken: dict[str, tuple[tuple[int, int], Glance]] = {}

    def of(self, source: SourceFile, format: Format) -> Glance:
        """Look at a file; what cannot be read has a `fault`."""
        key = (source.size, source.mtime_ns)
        taken = self._taken.get(source.path)
        if taken is None or taken[0] != key:
            taken = self._taken[source.path] = (key, take_glance(source, format))
        return taken[1]


def take_glance(source: SourceFile, format: Format) -> Glance:
    """Look at the head and the tail of a file."""
    if source.size == 0:
        return Glance(whole=True)
    try:
        if source.compressed:
            return _archive_glance(source, format)
        with open_log(source.path) as lines:
            return _Looking(lines, format, source).look()
    except (Unreadable, SourceChanged, OSError) as error:
        return Glance(fault=str(error))


def _archive_glance(source: SourceFile, format: Format) -> Glance:
    """Look at the head of an archive; agents keep the time of a log's last record as the time of its archive."""
    descriptor = os.open(source.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        identity = Identity.of(descriptor)
        head = zstd.beginning(descriptor, source.path, HEAD_BYTES)
    except OSError:
        os.close(descriptor)
        raise
    with JsonLines(source.path, descriptor, head.descriptor, identity) as lines:
        refuse_binary(lines.read(0, min(lines.size, HEAD)), source.path)
        glance = _Looking(lines, format, source).look(tail=head.whole)
    glance.whole = glance.whole and head.whole
    glance.fault = str(head.fault) if head.fault is not None else None
    if not head.whole:
        glance.last_activity = source.mtime_ns // 1_000_000
    return glance


class _Looking:
    """One file being looked at."""

    def __init__(self, lines: JsonLines, format: Format, source: SourceFile) -> None:
        self.lines = lines
        self.format = format
        self.source = source
        self.fold = format.fold()
        self.glance = Glance(facts=self.fold.facts)
        self.rows = 0
        self.prompted = False

    def look(self, *, tail: bool = True) -> Glance:
        """Look at the head, and at the tail where the head was not all."""
        reached = self._head()
        if tail and not self.glance.whole:
            self._tail(reached)
        self.glance.model = next(reversed(self.glance.facts.models), None)
        self.glance.prompt = prompt_of(self.glance.facts, self.source.session_id, self.source.part)
        return self.glance

    def _head(self) -> int:
        """Read on until the head has told enough; return the offset behind it."""
        for entry in self.lines.entries(block=BLOCK):
            for record in entry.records:
                self._take(record)
            if self._enough(entry):
                return entry.offset + entry.length
        self.glance.whole = True
        return self.lines.size

    def _enough(self, entry: Entry) -> bool:
        reached = entry.offset + entry.length
        if self.lines.size <= SHORT_FILE or reached >= HEAD_BYTES:
            return self.lines.size > SHORT_FILE
        placed = self.glance.facts.cwd is not None or reached >= PLACE_BYTES
        known = self.prompted and placed and self.glance.started_at is not None
        return known and (bool(self.glance.facts.models) or reached >= BLOCK)

    def _take(self, record: RawRecord) -> None:
        decoded = self.format.decode(record.value)
        rows = range(self.rows, self.rows + len(decoded.pieces))
        self.rows = rows.stop
        for _ in self.fold.add(record.value, decoded, rows):
            pass
        glance = self.glance
        if not decoded.known:
            glance.unknown[decoded.type] += 1
        for piece in decoded.pieces:
            if piece.kind != Kind.SYSTEM and not piece.flags & HIDDEN:
                glance.spoken = True
            if piece.kind == Kind.USER and not piece.flags & _NO_PROMPT and not self._is_aside():
                self.prompted = True
        if decoded.native_id is not None and len(glance.ids) < SEEN_IDS:
            glance.ids.add(hash(decoded.native_id))
        if decoded.time is not None:
            started, last = glance.started_at, glance.last_activity
            glance.started_at = decoded.time if started is None else min(started, decoded.time)
            glance.last_activity = decoded.time if last is None else max(last, decoded.time)

    def _is_aside(self) -> bool:
        return _is_aside(self.glance.facts, self.source.session_id, self.source.part)

    def _tail(self, reached: int) -> None:
        """Look at the end, and further back while it holds no time."""
        size, step = self.lines.size, BLOCK
        while True:
            start = max(reached, size - step)
            found = self._tail_from(start, LAST_RECORDS if step == BLOCK else None)
            if found is not None or start <= reached or step >= TAIL_BYTES:
                break
            step *= 16
        if found is not None:
            self.glance.last_activity = max(found, self.glance.last_activity or found)

    def _tail_from(self, start: int, last: int | None) -> int | None:
        """Take titles and models from the tail; return its newest time. Only `last` long records are looked at."""
        fold, ids = self.format.fold(), self.glance.ids
        newest, room = None, len(ids) + SEEN_IDS
        for record in _telling(self.lines, start, last):
            decoded = self.format.decode(record.value)
            if decoded.native_id is not None and len(ids) < room:
                ids.add(hash(decoded.native_id))
            for _ in fold.add(record.value, decoded, range(0, len(decoded.pieces))):
                pass
            if decoded.time is not None:
                newest = decoded.time if newest is None else max(newest, decoded.time)
        facts, late = self.glance.facts, fold.facts
        facts.title = late.title or facts.title
        facts.generated_title = late.generated_title or facts.generated_title
        facts.branch = late.branch or facts.branch
        facts.waiting = late.waiting
        for model in late.models:
            facts.models.pop(model, None)
            facts.models[model] = late.models[model]
        return newest


def prompt_of(facts: Facts, session_id: str, part: str | None) -> str | None:
    """Return the first real prompt; what was said to subagents inside a session's own file is none."""
    return None if _is_aside(facts, session_id, part) else facts.first_prompt


def _is_aside(facts: Facts, session_id: str, part: str | None) -> bool:
    """Say whether all that was said so far was said to subagents, in a file that is no subagent's."""
    return facts.sidechain and part is None and facts.parent in (None, session_id)


def _telling(lines: JsonLines, start: int, last: int | None) -> Iterator[RawRecord]:
    """Yield the records of the tail that are looked at: the short ones, and the last of all (`None`: every one)."""
    held: list[RawRecord] = []
    for entry in lines.entries(start_offset=_line_start(lines, start), block=BLOCK):
        for record in entry.records:
            held.append(record)
            if last is None or len(held) > last:
                oldest = held.pop(0)
                if last is None or oldest.length <= SHORT_RECORD:
                    yield oldest
    yield from held


def _line_start(lines: JsonLines, offset: int) -> int:
    """Return where the first line that begins at or behind an offset begins."""
    position = max(0, offset - 1)
    while position < lines.size:
        block = lines.read(position, min(BLOCK, lines.size - position))
        end = block.find(b"\n")
        if end >= 0:
            return position + end + 1
        position += len(block)
    return lines.size
