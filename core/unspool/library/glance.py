"""What the head and the tail of a session tell, so that a list never waits for a whole read.

The head is read until it has said what a list shows: the first prompt or a title, the folder, a time. The tail gives
the newest time and the newest title. A file that is short is simply known.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from unspool.errors import SourceChanged, Unreadable
from unspool.formats.key import text_key
from unspool.formats.piece import HIDDEN, Flag, Kind
from unspool.named_tuple import NamedTuple
from unspool.sources.binary import HEAD, refuse_binary
from unspool.sources.document import open_log
from unspool.sources.jsonl import JsonLines

if TYPE_CHECKING:
    from unspool.formats.base import Format
    from unspool.formats.facts import Facts
    from unspool.formats.waiting import Waiting
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

PROMPT_CHARACTERS: Final = 2_400
"""Characters kept of a first prompt: more than a title is made of, whatever spaces are in it."""

_NO_PROMPT: Final = Flag.BY_USER | Flag.REPLAYED
"""What a person said with one of these is no prompt of the session's own."""


class Glance(NamedTuple):
    """What was seen: of the records' facts those that lists show or compare, `None` until said.

    Times are milliseconds since 1970; `whole` says that every record was looked at, `spoken` that somebody said or did
    something. `prompt` is the first real one, cut to `PROMPT_CHARACTERS`. `joined_calls` maps the id of a subagent to
    the call that started it, `unknown` counts types of records that the format does not know. `fault` is why it cannot
    be read, in one line; the head of a torn archive is told all the same. `ids` are the keys of native ids from head
    and tail, 64 bits each.
    """

    session_id: str | None = None
    parent: str | None = None
    forked_from: str | None = None
    given_title: str | None = None
    generated_title: str | None = None
    prompt: str | None = None
    cwd: str | None = None
    branch: str | None = None
    model: str | None = None
    waiting: Waiting | None = None
    started_at: int | None = None
    last_activity: int | None = None
    spoken: bool = False
    whole: bool = False
    joined_calls: Mapping[str, str] = {}
    unknown: Mapping[str, int] = {}
    fault: str | None = None
    ids: bytes = b""

    @property
    def title(self) -> str | None:
        """The renamed title, else the generated one, else the first real prompt."""
        return self.given_title or self.generated_title or self.prompt

    @property
    def empty(self) -> bool:
        """Whether it is known that nobody said or did anything."""
        return self.whole and not self.spoken


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
    from unspool.sources.archive import open_beginning

    lines, head = open_beginning(source.path, HEAD_BYTES)
    with lines:
        refuse_binary(lines.read(0, min(lines.size, HEAD)), source.path)
        glance = _Looking(lines, format, source).look(tail=head.whole)
    if head.whole:
        return glance
    fault = str(head.fault) if head.fault is not None else None
    return glance._replace(whole=False, fault=fault, last_activity=source.mtime_ns // 1_000_000)


class _Looking:
    """One file being looked at."""

    def __init__(self, lines: JsonLines, format: Format, source: SourceFile) -> None:
        self.lines = lines
        self.format = format
        self.source = source
        self.fold = format.fold()
        self.facts = self.fold.facts
        self.started_at: int | None = None
        self.last_activity: int | None = None
        self.spoken = False
        self.whole = False
        self.prompted = False
        self.rows = 0
        self.ids: dict[str, None] = {}
        self.unknown: Counter[str] = Counter()

    def look(self, *, tail: bool = True) -> Glance:
        """Look at the head, and at the tail where the head was not all."""
        reached = self._head()
        if tail and not self.whole:
            self._tail(reached)
        facts, source = self.facts, self.source
        prompt = prompt_of(facts, source.session_id, source.part)
        return Glance(
            session_id=facts.session_id,
            parent=facts.parent,
            forked_from=facts.forked_from,
            given_title=facts.title,
            generated_title=facts.generated_title,
            prompt=prompt[:PROMPT_CHARACTERS] if prompt is not None else None,
            cwd=facts.cwd,
            branch=facts.branch,
            model=next(reversed(facts.models), None),
            waiting=facts.waiting,
            started_at=self.started_at,
            last_activity=self.last_activity,
            spoken=self.spoken,
            whole=self.whole,
            joined_calls=facts.joined_calls,
            unknown=self.unknown,
            ids=array("Q", map(text_key, self.ids)).tobytes(),
        )

    def _head(self) -> int:
        """Read on until the head has told enough; return the offset behind it."""
        for entry in self.lines.entries(block=BLOCK):
            for record in entry.records:
                self._take(record)
            if self._enough(entry):
                return entry.offset + entry.length
        self.whole = True
        return self.lines.size

    def _enough(self, entry: Entry) -> bool:
        reached = entry.offset + entry.length
        if self.lines.size <= SHORT_FILE or reached >= HEAD_BYTES:
            return self.lines.size > SHORT_FILE
        placed = self.facts.cwd is not None or reached >= PLACE_BYTES
        known = self.prompted and placed and self.started_at is not None
        return known and (bool(self.facts.models) or reached >= BLOCK)

    def _take(self, record: RawRecord) -> None:
        decoded = self.format.decode(record.value)
        rows = range(self.rows, self.rows + len(decoded.pieces))
        self.rows = rows.stop
        for _ in self.fold.add(record.value, decoded, rows):
            pass
        if not decoded.known:
            self.unknown[decoded.type] += 1
        for piece in decoded.pieces:
            if piece.kind != Kind.SYSTEM and not piece.flags & HIDDEN:
                self.spoken = True
            if piece.kind == Kind.USER and not piece.flags & _NO_PROMPT and not self._is_aside():
                self.prompted = True
        if decoded.native_id is not None and len(self.ids) < SEEN_IDS:
            self.ids[decoded.native_id] = None
        if decoded.time is not None:
            started, last = self.started_at, self.last_activity
            self.started_at = decoded.time if started is None else min(started, decoded.time)
            self.last_activity = decoded.time if last is None else max(last, decoded.time)

    def _is_aside(self) -> bool:
        return _is_aside(self.facts, self.source.session_id, self.source.part)

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
            self.last_activity = max(found, self.last_activity or found)

    def _tail_from(self, start: int, last: int | None) -> int | None:
        """Take titles and models from the tail; return its newest time. Only `last` long records are looked at."""
        fold, ids = self.format.fold(), self.ids
        newest, room = None, len(ids) + SEEN_IDS
        for record in _telling(self.lines, start, last):
            decoded = self.format.decode(record.value)
            if decoded.native_id is not None and len(ids) < room:
                ids[decoded.native_id] = None
            for _ in fold.add(record.value, decoded, range(0, len(decoded.pieces))):
                pass
            if decoded.time is not None:
                newest = decoded.time if newest is None else max(newest, decoded.time)
        facts, late = self.facts, fold.facts
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
