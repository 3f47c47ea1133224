"""What a follower tells: one typed event for each thing that happened, in the order in which it was seen.

A reader who keeps a list of evidence keeps it true like this: `evidence` is added, or takes the place of the row of the
same id; at `truncated` and `replaced` everything from the entry `from_entry` on is dropped, and told again as far as it
is there. All other events leave the list as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.formats.waiting import Waiting
    from unspool.ids import SessionRef
    from unspool.views.evidence import Evidence

How = Literal["replaced", "rewritten"]
"""Another file was put in its place, or the file itself was written anew."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened to a session."""

    event: ClassVar[str]
    ref: SessionRef

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON."""
        return {"event": self.event, "ref": str(self.ref), **self._fields()}

    def _fields(self) -> dict[str, Any]:
        return {}


@dataclass(frozen=True, slots=True)
class SessionAppeared(Event):
    """A session's file is there now; `parent` is the session that started it, as far as its path tells."""

    event = "session"
    agent: str
    session_id: str
    part: str | None
    path: str
    bytes: int
    parent: SessionRef | None = None

    def _fields(self) -> dict[str, Any]:
        parent = str(self.parent) if self.parent is not None else None
        ids = {"agent": self.agent, "session_id": self.session_id, "part": self.part}
        return {**ids, "path": self.path, "bytes": self.bytes, "parent": parent}


@dataclass(frozen=True, slots=True)
class EvidenceAdded(Event):
    """A piece was written."""

    event = "evidence"
    evidence: Evidence

    def _fields(self) -> dict[str, Any]:
        return self.evidence.to_json()


@dataclass(frozen=True, slots=True)
class SideFileChanged(Event):
    """The file with the full text of a piece appeared, grew, changed or went; `evidence` is the row as it is now."""

    event = "side_file"
    evidence: Evidence

    def _fields(self) -> dict[str, Any]:
        return self.evidence.to_json()


@dataclass(frozen=True, slots=True)
class Pending(Event):
    """The last line is still being written: its bytes so far, half open. This is no error."""

    event = "pending"
    byte_range: tuple[int, int]

    def _fields(self) -> dict[str, Any]:
        return {"byte_range": list(self.byte_range)}


@dataclass(frozen=True, slots=True)
class LineUnreadable(Event):
    """Bytes that are no record; without a line (which counts from 1) the file itself cannot be read now."""

    event = "unreadable"
    line: int | None
    byte_range: tuple[int, int] | None
    reason: str

    def _fields(self) -> dict[str, Any]:
        place = list(self.byte_range) if self.byte_range is not None else None
        return {"line": self.line, "byte_range": place, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Truncated(Event):
    """The file was cut; what is before `from_entry` stands as it stood, and `pieces` are left."""

    event = "truncated"
    from_entry: int
    entries: int
    pieces: int

    def _fields(self) -> dict[str, Any]:
        return {"from_entry": self.from_entry, "entries": self.entries, "pieces": self.pieces}


@dataclass(frozen=True, slots=True)
class Replaced(Event):
    """The file holds something else now from `from_entry` on: `entries` lines with `pieces` pieces in all."""

    event = "replaced"
    from_entry: int
    entries: int
    pieces: int
    how: How

    def _fields(self) -> dict[str, Any]:
        return {"from_entry": self.from_entry, "entries": self.entries, "pieces": self.pieces, "how": self.how}


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """The session's file lies elsewhere now, was compressed, or is back where it was."""

    event = "moved"
    path: str
    before: str

    def _fields(self) -> dict[str, Any]:
        return {"path": self.path, "from": self.before}


@dataclass(frozen=True, slots=True)
class Gone(Event):
    """The session's file is no longer there; what was read of it stays true."""

    event = "gone"
    path: str

    def _fields(self) -> dict[str, Any]:
        return {"path": self.path}


@dataclass(frozen=True, slots=True)
class WaitingChanged(Event):
    """The agent waits for a person now, or (`None`) goes on; of subagents nobody is told."""

    event = "waiting"
    waiting: Waiting | None

    def _fields(self) -> dict[str, Any]:
        return {"waiting": self.waiting}


@dataclass(frozen=True, slots=True)
class Polling:
    """Changes are found by looking again and again, for the reason that is given; or (`None`) no longer."""

    event: ClassVar[str] = "polling"
    reason: str | None

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON."""
        return {"event": self.event, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A folder or file under a root cannot be listed; the others are followed all the same."""

    event: ClassVar[str] = "unreadable"
    path: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON."""
        place = {"ref": None, "line": None, "byte_range": None}
        return {"event": self.event, **place, "path": self.path, "reason": self.reason}


AnyEvent = Event | Polling | Unlisted
