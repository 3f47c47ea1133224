"""One session as the list shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unspool.ids import EvidenceId, SessionRef
from unspool.sources.record import Unreadable
from unspool.views.counts import Counts
from unspool.views.times import iso


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session, a part of one, or a subagent; `None` is what only a full read would tell.

    Times are milliseconds since 1970 UTC, taken from the records. `title` is the renamed one, else the generated one,
    else the first real prompt. `project` is the last name of `cwd`, the first working folder inside the records.
    `empty` says that nobody has said or done anything in it. `waiting` says that the agent waits for a person. `call`
    is the tool call that started a subagent, in its parent. `fault` says why the file cannot be read, as far as it was
    looked at. `path` may hold surrogate escapes for bytes that are not
    UTF-8; all texts are as the agent wrote them.
    """

    ref: SessionRef
    agent: str
    session_id: str
    part: str | None
    path: str
    bytes: int
    title: str | None = None
    project: str | None = None
    cwd: str | None = None
    started_at: int | None = None
    last_activity: int | None = None
    entries: int | None = None
    counts: Counts | None = None
    errors: int | None = None
    stored: int | None = None
    unreadable: int | None = None
    live: bool = False
    waiting: bool = False
    parent: SessionRef | None = None
    children: tuple[SessionRef, ...] = ()
    parts: tuple[SessionRef, ...] = ()
    forked_from: SessionRef | None = None
    model: str | None = None
    branch: str | None = None
    empty: bool = False
    compressed: bool = False
    call: EvidenceId | None = None
    call_id: str | None = None
    unreadable_lines: tuple[Unreadable, ...] | None = None
    fault: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON."""
        from unspool.views.stats import unreadable_json

        counts = self.counts
        broken = self.unreadable_lines
        return {
            "ref": str(self.ref),
            "agent": self.agent,
            "session_id": self.session_id,
            "part": self.part,
            "title": self.title,
            "project": self.project,
            "cwd": self.cwd,
            "path": self.path,
            "started_at": iso(self.started_at),
            "last_activity": iso(self.last_activity),
            "entries": self.entries,
            "bytes": self.bytes,
            "counts": counts.to_json() if counts else None,
            **(counts.others_to_json() if counts else dict.fromkeys(Counts().others_to_json())),
            "errors": self.errors,
            "stored": self.stored,
            "unreadable": [unreadable_json(each) for each in broken] if broken is not None else None,
            "live": self.live,
            "waiting": self.waiting,
            "parent": _text(self.parent),
            "children": [str(child) for child in self.children],
            "parts": [str(part) for part in self.parts],
            "forked_from": _text(self.forked_from),
            "call": _text(self.call),
            "call_id": self.call_id,
            "model": self.model,
            "branch": self.branch,
            "empty": self.empty,
            "compressed": self.compressed,
            "fault": self.fault,
        }


def _text(value: SessionRef | EvidenceId | None) -> str | None:
    return str(value) if value is not None else None
