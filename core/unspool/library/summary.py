"""One session as the list shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from unspool.dataclass import dataclass, replace

if TYPE_CHECKING:
    from unspool.formats.waiting import Waiting
    from unspool.ids import EvidenceId, SessionRef
    from unspool.sources.record import Unreadable
    from unspool.views.counts import Counts


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session, a part of one, or a subagent; `None` is what only a full read would tell.

    Times are milliseconds since 1970 UTC, taken from the records. `title` is the renamed one, else the generated one,
    else the first real prompt. `project` is the last name of `cwd`, the first working folder inside the records.
    `parts` are the sources, in order, of a session that is made of several; its `path` is that of the newest. `empty`
    says that nobody has said or done anything in it. `waiting` says for what the agent of a live session waits
    (`permission`, `question`, `turn`), as far as its records and its registry tell. `call` is the
    tool call that started a subagent, in its parent. `fault` says why the file cannot be read, as far as it was looked
    at. `path` may hold surrogate escapes for bytes that are not UTF-8; all texts are as the agent wrote them.
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
    waiting: Waiting | None = None
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
        from unspool.views.counts import Counts
        from unspool.views.stats import unreadable_json
        from unspool.views.times import iso

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


_Value = TypeVar("_Value")


def whole(ref: SessionRef, parts: Sequence[SessionSummary]) -> SessionSummary:
    """Return the summary of a session that is made of parts, which are given in order.

    The beginning is that of the first part, the end that of the newest. What is not known of one is not known of all.
    """
    newest = parts[-1]
    counts = _known([each.counts for each in parts])
    broken = _known([each.unreadable_lines for each in parts])
    from unspool.views.counts import Counts

    return replace(
        newest,
        ref=ref,
        part=None,
        parts=tuple(each.ref for each in parts),
        bytes=sum(each.bytes for each in parts),
        title=_first(each.title for each in parts),
        project=_first(each.project for each in parts),
        cwd=_first(each.cwd for each in parts),
        branch=_first(each.branch for each in reversed(parts)),
        model=_first(each.model for each in reversed(parts)),
        started_at=min((each.started_at for each in parts if each.started_at is not None), default=None),
        last_activity=max((each.last_activity for each in parts if each.last_activity is not None), default=None),
        live=any(each.live for each in parts),
        empty=all(each.empty for each in parts),
        forked_from=_first(each.forked_from for each in parts),
        fault=_first(each.fault for each in reversed(parts)),
        counts=sum(counts, Counts()) if counts is not None else None,
        entries=_total([each.entries for each in parts]),
        errors=_total([each.errors for each in parts]),
        stored=_total([each.stored for each in parts]),
        unreadable=_total([each.unreadable for each in parts]),
        unreadable_lines=tuple(line for lines in broken for line in lines) if broken is not None else None,
    )


def _first(values: Iterable[_Value | None]) -> _Value | None:
    return next((value for value in values if value is not None), None)


def _known(values: Sequence[_Value | None]) -> list[_Value] | None:
    """Return the values when all are known."""
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else None


def _total(values: Sequence[int | None]) -> int | None:
    known = _known(values)
    return None if known is None else sum(known)


def _text(value: SessionRef | EvidenceId | None) -> str | None:
    return str(value) if value is not None else None
