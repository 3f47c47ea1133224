"""What one session's log says to whoever would delete it: when it was last written, and whose outputs it points to."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.dataclass import dataclass, field
from unspool.errors import SourceChanged, Unreadable
from unspool.formats.fields import items, milliseconds
from unspool.formats.minicode import MINICODE
from unspool.pattern import pattern
from unspool.retention.folder import Folder, Identity, identity_of
from unspool.sources.binary import HEAD, refuse_binary
from unspool.sources.identity import Identity as Snapshot
from unspool.sources.json_value import leaves
from unspool.sources.jsonl import JsonLines
from unspool.stores.minicode import ARTIFACTS

if TYPE_CHECKING:
    from unspool.sources.record import Entry

_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
"""Non-blocking: opening a FIFO must not hang before it can be refused."""
_HEAD_RECORDS: Final = 20
"""Records that are looked at to tell whose a log is."""
_STRETCH: Final = 16 << 20
"""Bytes that are no record and are looked through for pointers; a longer stretch is not known through and through."""

_POINTER = pattern(rf"([^/\\\"\r\n]+)[/\\]+{ARTIFACTS}[/\\]+([^/\\\"\r\n]+)")
_TAG: Final = "persisted-output"
_TAGS = pattern(rf"(?<!/){_TAG}")
"""Where a marker begins, however its bracket is escaped, and not where it ends."""
_TORN_TAG = pattern(
    "(?:<|u003c)(?:" + "|".join(_TAG[:length] for length in range(3, len(_TAG))) + r")\Z", re.IGNORECASE
)
_PATH_TOLD = pattern(r"saved to:[^\"\r\n]*?\\n")
"""A path in a line that is no JSON, with the end of its line."""


@dataclass(frozen=True, slots=True)
class LogState:
    """Which file a log was, and how it was left."""

    identity: Identity
    size: int
    mtime_ns: int

    @classmethod
    def of(cls, state: os.stat_result) -> LogState:
        """Return what was looked at."""
        return cls(identity_of(state), state.st_size, state.st_mtime_ns)


@dataclass(slots=True)
class LogFacts:
    """What was read of a log. `fault` says why it is not known through and through, `None` when it is.

    `pointers` are the names, without regard to case, of the sessions and runs whose saved outputs it names: more of
    them than a reader follows, never fewer. `recorded` is the latest time of a record in milliseconds, `None` without.
    """

    state: LogState
    pointers: set[str] = field(default_factory=set)
    recorded: int | None = None
    fault: str | None = None


def open_file(folder: Folder, name: str) -> int:
    """Open a regular file of a folder, to be closed by the caller; raises `OSError`, and `Unreadable` for another."""
    descriptor = folder.calls.open(name, _READ, dir_fd=folder.descriptor)
    try:
        if stat.S_ISREG(folder.calls.stat(descriptor).st_mode):
            return descriptor
    except OSError:
        folder.calls.close(descriptor)
        raise
    folder.calls.close(descriptor)
    path = os.path.join(folder.path, name)
    raise Unreadable(f"{path}: no regular file", path=path)


def read_log(folder: Folder, name: str) -> LogFacts:
    """Read a log from end to end; raises `OSError`, and `Unreadable` for what cannot be opened as one."""
    path = os.path.join(folder.path, name)
    descriptor = open_file(folder, name)
    try:
        lines = JsonLines(path, descriptor, descriptor, Snapshot.of(descriptor))
    except OSError:
        folder.calls.close(descriptor)
        raise
    with lines:
        facts = LogFacts(LogState.of(folder.calls.stat(descriptor)))
        try:
            refuse_binary(lines.read(0, min(HEAD, lines.size)), path)
            facts.fault = _fault(lines, facts)
        except (Unreadable, SourceChanged) as error:
            facts.fault = str(error)
    return facts


def _fault(lines: JsonLines, facts: LogFacts) -> str | None:
    """Take all that the lines say; return why that is not all there is, `None` when it is."""
    head: list[Mapping[str, Any]] = []
    fault = None
    for entry in lines.entries():
        for record in entry.records:
            head += [record.value] if len(head) < _HEAD_RECORDS else []
            _take(record.value, facts)
        for offset, length in _unread(entry, lines.size):
            fault = fault or _stretch_fault(lines, facts, offset, length, entry.number + 1)
    if lines.size and not MINICODE.detect(head):
        return f"{lines.path}: no log of this format"
    return fault


def _take(record: Mapping[str, Any], facts: LogFacts) -> None:
    time = milliseconds(record.get("timestamp"))
    if time is not None:
        facts.recorded = max(time, facts.recorded or time)
    origins = record.get("forkedFrom")
    facts.pointers.update(name.casefold() for name in items(origins) if isinstance(name, str))
    facts.pointers.update(name for text in leaves(record) for name in pointers_of(text))


def pointers_of(text: str) -> Iterator[str]:
    """Yield the names of the sessions and runs that the paths in a text lead to, without regard to case."""
    if ARTIFACTS in text:
        for found in _POINTER.finditer(text):
            yield from (found[1].casefold(), found[2].casefold())


def _unread(entry: Entry, size: int) -> Iterator[tuple[int, int]]:
    """Yield offset and length of what an entry holds that is no record."""
    yield from ((bad.offset, bad.length) for bad in entry.unreadable)
    if entry.state == "pending":
        yield entry.offset, size - entry.offset


def _stretch_fault(lines: JsonLines, facts: LogFacts, offset: int, length: int, line: int) -> str | None:
    """Look for pointers in what is no record; return a fault when one is torn, so that nobody knows where it led."""
    if length > _STRETCH:
        return f"{lines.path}: line {line}: {length:,} bytes that cannot be read"
    text = lines.read(offset, length).decode(errors="replace")
    facts.pointers.update(pointers_of(text))
    _, *told = _TAGS.split(text)
    if all(_PATH_TOLD.search(each) for each in told) and not _TORN_TAG.search(text):
        return None
    return f"{lines.path}: line {line}: a pointer to saved outputs is torn"
