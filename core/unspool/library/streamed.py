"""A session that streams in: collected in a file of which only its path tells, and known under `-`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.errors import BadReference, Unreadable
from unspool.ids import SessionRef
from unspool.library.catalogue import Listed
from unspool.stores.base import ScanError, SourceFile
from unspool.stores.discovery import HEAD_RECORDS, format_of, why_no_session

if TYPE_CHECKING:
    from unspool.views.view import SessionView

STREAM: Final = "-"
"""The target that names what streams in."""

ID: Final = "stdin"
"""Its session id in references: what the records say is the id of a file that an agent may keep beside the stream,
whose lines are others."""

Stream = Callable[[], str]
"""Returns the path of the file that collects what streams in, once its beginning or its end is there."""


def begins(path: str) -> bool:
    """Say whether the beginning of a stream tells whose it is, or is too long to be waited for any more.

    Raises `Unreadable`, as for a binary.
    """
    try:
        found = format_of(path)
    except Unreadable as error:
        raise _named(error, path) from None
    return found.format is not None or found.records >= HEAD_RECORDS


def listed_stream(stream: Stream | None) -> Listed:
    """Return the session that streams in; raises `BadReference` where none does, and `Unreadable`."""
    if stream is None:
        raise BadReference("no session streams in here; name one, `unspool sessions` lists them", text=STREAM)
    path = stream()
    try:
        format = format_of(path).format
    except Unreadable as error:
        raise _named(error, path) from None
    if format is None:
        raise Unreadable(f"standard input {why_no_session(path)}", path=STREAM)
    found = os.stat(path)
    source = SourceFile(path, format.agent, ID, None, found.st_size, found.st_mtime_ns)
    ref = SessionRef(format.agent, ID)
    return Listed(ref, source, ref)


def told_of_stream(error: Unreadable, listed: Listed) -> Unreadable:
    """Return why a session cannot be read, which names a stream by what it is and not by the file that collects it."""
    return _named(error, listed.source.path) if listed.ref.session_id == ID else error


def _named(error: Unreadable, path: str) -> Unreadable:
    return Unreadable(str(error).replace(path, "standard input"), path=STREAM)


@dataclass(frozen=True, slots=True, eq=False)
class StreamPlaces:
    """A stream as a follower sees it: one file that never goes elsewhere."""

    listed: Listed
    opener: Callable[[Listed], SessionView]

    def sources(self, below: str | None, errors: list[ScanError]) -> Iterator[SourceFile]:
        """List the file."""
        yield self.listed.source

    def ref(self, source: SourceFile) -> SessionRef:
        """Return its reference."""
        return self.listed.ref

    def open(self, source: SourceFile, ref: SessionRef) -> SessionView:
        """Read it; raises `Unreadable`."""
        return self.opener(self.listed)

    def folders(self) -> list[str]:
        """Return nothing to watch: who collects it writes to no folder."""
        return []

    def root(self, path: str) -> str | None:
        """Return no root."""
        return None

    def parent(self, source: SourceFile) -> str | None:
        """Return no session above it."""
        return None
