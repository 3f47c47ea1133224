"""The way back into a session: the agent's own command, as a line that is safe to paste into a shell."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool.errors import NotResumable
from unspool.library.summary import SessionSummary
from unspool.pattern import pattern
from unspool.stores import by_agent
from unspool.text import clean

if TYPE_CHECKING:
    from unspool.ids import SessionRef
    from unspool.views.view import SessionView

_ID: Final = pattern(r"[0-9A-Za-z][0-9A-Za-z._-]{0,127}\Z")
"""Ids as agents make them; nothing that could be taken for an option or act in a shell."""


@dataclass(frozen=True, slots=True)
class _Left:
    """A session as it was left: `folder` is where it was worked in, `path` its file; `nested` ones are subagents'."""

    ref: SessionRef
    path: str
    folder: str | None
    nested: bool

    @classmethod
    def of(cls, session: SessionSummary | SessionView) -> _Left:
        if isinstance(session, SessionSummary):
            return cls(session.ref, session.path, session.cwd, session.parent is not None)
        return cls(session.ref, session.source_path, session.facts.cwd, session.facts.parent is not None)


def resume_command(session: SessionSummary | SessionView) -> str:
    """Return the line that goes on with a session in its folder: `cd FOLDER && claude --resume ID`.

    Where the folder is gone, or another machine's, it is the agent's command alone: `claude --resume ID`.

    Raises `NotResumable` for a subagent or part, for a file that lies where its agent does not look, and for an id or a
    folder with characters that act on a terminal or in a shell. It looks at the file system, and opens nothing.
    """
    left = _Left.of(session)
    store = by_agent(left.ref.agent)
    if store is None:
        raise NotResumable(f"no command is known that goes on with a session of {left.ref.agent}")
    command = store.resume(left.ref.session_id)
    if command is None:
        raise NotResumable(f"{left.ref.agent} has no command that goes on with a session by its id")
    if left.nested or left.ref.part is not None:
        raise NotResumable("a subagent goes on with the session that started it; open that one")
    if not _ID.match(left.ref.session_id):
        raise NotResumable(f"the session's id is no plain word, and is not to be pasted: {left.ref.session_id!r}")
    if store.recognise(left.path) is None:
        raise NotResumable(f"{left.path} lies where {left.ref.agent} would not find it")
    folder = _folder(left.folder)
    going = f"cd {shlex.quote(folder)} && " if folder is not None else ""
    return going + shlex.join(command)


def _folder(folder: str | None) -> str | None:
    """Return the folder that a session was worked in, `None` when it is not there; raises for one not safe to paste."""
    if folder is None:
        return None
    if clean(folder, newline=False) != folder:
        raise NotResumable(f"the session's folder has characters that act on a terminal: {folder!r}")
    return folder if os.path.isabs(folder) and os.path.isdir(folder) else None
