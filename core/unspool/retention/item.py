"""What retention deals with: a session with its saved outputs, or saved outputs that no log stands beside."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

from unspool.dataclass import dataclass
from unspool.views.times import iso

if TYPE_CHECKING:
    from unspool.retention.folder import Identity
    from unspool.retention.log_facts import LogState

Kind = Literal["session", "outputs", "run"]
"""A session; saved outputs whose log is gone or was never kept; those of a run of first versions."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """A folder of saved outputs: which one it is, and how the folder inside that holds the files was left.

    `stray` is the path of something in it that is no saved output, `None` when it holds nothing else.
    """

    identity: Identity
    held: tuple[Identity, int] | None
    files: int
    bytes: int
    written_ns: int
    stray: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that goes or stays as a whole.

    `place` are the folders from the home down to the one that it lies in. `pointers` are the names, without regard to
    case, whose saved outputs its log names. `recorded` is the latest time of a record, in milliseconds. `locked` says
    that an agent has it open. `begun` names the batch of the trash that holds its log already: an earlier run was
    interrupted.
    """

    kind: Kind
    place: tuple[str, ...]
    name: str
    log: LogState | None = None
    outputs: Outputs | None = None
    pointers: frozenset[str] = frozenset()
    recorded: int | None = None
    locked: bool = False
    pinned: bool = False
    fault: str | None = None
    begun: str | None = None

    @property
    def files(self) -> int:
        """How many files it is."""
        return (self.log is not None) + (self.outputs.files if self.outputs is not None else 0)

    @property
    def bytes(self) -> int:
        """How many bytes these have."""
        sizes = (self.log.size if self.log is not None else 0, self.outputs.bytes if self.outputs is not None else 0)
        return sum(sizes)

    @property
    def stamped(self) -> int:
        """When any file of it was last written, as the file system tells, in milliseconds."""
        log = self.log.mtime_ns if self.log is not None else 0
        return max(log, self.outputs.written_ns if self.outputs is not None else 0) // 1_000_000

    @property
    def last_activity(self) -> int | None:
        """The moment its age counts from, in milliseconds: of a session the newer of its last record and its log.

        `None` for a log that cannot be opened.
        """
        if self.log is not None:
            return max(self.recorded or 0, self.log.mtime_ns // 1_000_000)
        return self.outputs.written_ns // 1_000_000 if self.kind != "session" and self.outputs is not None else None

    def path(self, home: str) -> str:
        """Return where it lies: the path of its log, or of its folder."""
        return os.path.join(home, *self.place, self.name + (".jsonl" if self.kind == "session" else ""))

    def to_json(self, home: str) -> dict[str, Any]:
        """Return what a program is told of it."""
        return {
            "kind": self.kind,
            "path": self.path(home),
            "project": self.place[1] if len(self.place) > 1 else None,
            "session_id": self.name if self.kind == "session" else None,
            "last_activity": iso(self.last_activity),
            "files": self.files,
            "bytes": self.bytes,
        }
