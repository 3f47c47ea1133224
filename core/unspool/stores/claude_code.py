"""Where Claude Code keeps its sessions.

    <home>/projects/<project>/<session>.jsonl                         a session
    <home>/projects/<project>/<session>/subagents/…/agent-<id>.jsonl  its subagents, each with `agent-<id>.meta.json`
    <home>/projects/<project>/<session>/tool-results/<name>.txt       full outputs
    <home>/projects/<project>/agent-<id>.jsonl                        before 2.1: subagents, named by their records only
    <home>/sessions/<pid>.json                                        running processes

`<home>` is `$CLAUDE_CONFIG_DIR`, else `~/.claude` or `~/.config/claude`. A project's folder name is its path with
every other character as `-`: it cannot be turned back, and is not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final

from unspool.formats.fields import as_int, milliseconds, text
from unspool.pattern import pattern
from unspool.stores.artifacts import ArtifactFolder
from unspool.stores.base import DEPTH, Alive, LiveState, SourceFile, Spawn, inode_of
from unspool.stores.homes import HomeStore
from unspool.stores.listing import entries, note

_ENDING: Final = ".jsonl"
_COMPRESSED: Final = ".zst"
"""What people put behind it who keep old sessions small: Claude Code itself compresses none."""
_COMPANIONS: Final = ("history.jsonl", "file-history", "shell-snapshots", "statsig", ".credentials.json")
"""What Claude Code puts beside `projects` in a home of any name."""
_PROJECTS: Final = "projects"
_SUBAGENTS: Final = "subagents"
_ARTIFACTS: Final = "tool-results"
_AGENT: Final = "agent-"
_COMPACTING: Final = "agent-acompact-"
"""The summariser's own call: a full copy of the context, not work of a subagent."""
_NO_SESSIONS: Final = frozenset({"history.jsonl", "journal.jsonl"})
_LONG_ID: Final = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl\Z", re.IGNORECASE)
_LOOKED_AT: Final = 64
"""Project folders looked into for a session's file before a folder is taken for no home."""


class ClaudeCodeStore(HomeStore):
    """Claude Code's folders."""

    agent = "claude"
    homes = (".claude", os.path.join(".config", "claude"))
    kept = (_PROJECTS,)
    skipped = frozenset({_ARTIFACTS, "memory", "file-history", "shell-snapshots", "todos"})

    def default_roots(self, environ: Mapping[str, str], home: str) -> list[str]:
        """Return the configured home, else the usual ones."""
        configured = environ.get("CLAUDE_CONFIG_DIR", "").strip()
        if configured:
            return [os.path.expanduser(folder.strip()) for folder in configured.split(",") if folder.strip()]
        return [os.path.join(home, name) for name in self.homes]

    def artifacts(self, source: SourceFile) -> ArtifactFolder | None:
        """Return the folder of a session's side files; its subagents share it, once their session is known."""
        folder, name = os.path.split(source.path)
        own = ArtifactFolder(folder, (_stem(name), _ARTIFACTS))
        if source.part is None:
            return own
        session = _session_folder(source.path)
        if session is not None:
            return ArtifactFolder(os.path.dirname(session), (os.path.basename(session), _ARTIFACTS))
        return own.sibling(source.session_id) if source.session_id != own.steps[0] else None

    def spawn(self, source: SourceFile) -> Spawn | None:
        """Read the metadata beside a subagent's file."""
        told = note(f"{_stem(source.path)}.meta.json") if source.part is not None else {}
        if not told:
            return None
        return Spawn(text(told.get("toolUseId")), text(told.get("description")))

    def live(self, home: str, *, alive: Alive) -> dict[str, LiveState]:
        """Return the sessions that running processes hold."""
        found: dict[str, LiveState] = {}
        for entry in entries(os.path.join(home, "sessions"), errors=[]):
            told = note(entry.path) if entry.name.endswith(".json") else {}
            pid, session = as_int(told.get("pid")), text(told.get("sessionId"))
            if pid is not None and session is not None and alive(pid):
                found[session] = LiveState(pid, text(told.get("status")), milliseconds(told.get("updatedAt")))
        return found

    def resume(self, session_id: str) -> tuple[str, ...]:
        """Return the command that goes on with a session."""
        return ("claude", "--resume", session_id)

    def is_home(self, folder: str) -> bool:
        """Judge by the folder's name, by what lies in it, or by a session's file in a project."""
        projects = os.path.join(folder, _PROJECTS)
        if not os.path.isdir(projects):
            return False
        if folder.endswith(tuple(os.sep + name for name in self.homes)):
            return True
        accompanied = any(os.path.lexists(os.path.join(folder, name)) for name in _COMPANIONS)
        if accompanied and not _is_minicode(folder):
            return True
        looked_at = [each for each in entries(projects, errors=[])[:_LOOKED_AT] if each.is_dir(follow_symlinks=False)]
        return any(_LONG_ID.match(file.name) for project in looked_at for file in entries(project.path, errors=[]))

    def is_session(self, name: str, *, strict: bool) -> bool:
        """Judge by the ending: names tell no more."""
        name = name.removesuffix(_COMPRESSED)
        return name.endswith(_ENDING) and name not in _NO_SESSIONS

    def described(self, path: str, state: os.stat_result) -> SourceFile:
        """Return what a path tells: the session, and of a subagent that lies in its session's folder the parent."""
        name = os.path.basename(path)
        stem, compressed = _stem(name) or name, name.endswith(_COMPRESSED)
        size, changed, inode = state.st_size, state.st_mtime_ns, inode_of(state)
        if not stem.startswith(_AGENT):
            return SourceFile(path, self.agent, stem, None, size, changed, compressed=compressed, inode=inode)
        part, hidden, folder = stem.removeprefix(_AGENT) or stem, stem.startswith(_COMPACTING), _session_folder(path)
        session = os.path.basename(folder) if folder is not None else stem
        parent = (session, None) if folder is not None else None
        return SourceFile(
            path, self.agent, session, part, size, changed, parent, compressed=compressed, hidden=hidden, inode=inode
        )


CLAUDE_CODE_STORE: Final = ClaudeCodeStore()


def _stem(name: str) -> str:
    return name.removesuffix(_COMPRESSED).removesuffix(_ENDING)


def _is_minicode(folder: str) -> bool:
    from unspool.stores.minicode import MINICODE_STORE

    return MINICODE_STORE.is_home(folder)


def _session_folder(path: str) -> str | None:
    """Return the folder of the session that a subagent's path names: the one that holds `subagents`."""
    above = os.path.dirname(path)
    for _ in range(DEPTH):
        above, name = os.path.split(above)
        if name == _SUBAGENTS:
            return above if os.path.basename(above) else None
    return None
