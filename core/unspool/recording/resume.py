"""Going on with a session: thin faces of `ActiveLog`, for hosts that need one thing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unspool.dataclass import dataclass
from unspool.errors import NotFound
from unspool.recording.active_log import ActiveLog

if TYPE_CHECKING:
    from unspool.recording.collapse import CollapseState
    from unspool.recording.place import Session
    from unspool.recording.replacement_state import ReplacementState
    from unspool.recording.transcript import TranscriptEntry


@dataclass(frozen=True, slots=True)
class RuntimeState:
    """What an agent goes on with: what its model sees, what was decided on results, what was collapsed."""

    messages: list[dict[str, Any]]
    replacements: ReplacementState
    collapse: CollapseState | None


def load_runtime_state(session: Session) -> RuntimeState | None:
    """Return what an agent goes on with; `None` when the session has no log or no messages.

    `session` is a `SessionLog`, a `SessionPlace`, or the path of a log. A host that shows the transcript too reads the
    log once: `ActiveLog.read(session)`. Raises `Unreadable` and `BadReference`.
    """
    active = _read(session)
    messages = active.messages() if active else []
    if active is None or not messages:
        return None
    return RuntimeState(messages, active.replacements(), active.collapse_state())


def load_transcript(session: Session) -> list[TranscriptEntry] | None:
    """Return a session as people read it; `None` when it has no log or says nothing.

    Raises `Unreadable` and `BadReference`.
    """
    active = _read(session)
    return (active.transcript() or None) if active else None


def _read(session: Session) -> ActiveLog | None:
    try:
        return ActiveLog.read(session)
    except NotFound:
        return None
