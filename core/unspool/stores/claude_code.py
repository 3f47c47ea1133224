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
import stat
from collections.abc import Iterator, Mapping
from typing import Final

from unspool.formats.fields import as_int, milliseconds, text
from unspool.stores import minicode
from unspool.stores.artifacts import ArtifactFolder
from unspool.stores.base import DEPTH, Alive, LiveState, ScanError, SourceFile, Spawn, entries, note, walk

_ENDING: Final = ".jsonl"
_HOMES: Final = (".claude", os.path.join(".config", "claude"))
_COMPANIONS: Final = ("history.jsonl", "file-history", "shell-snapshots", "statsig", ".credentials.json")
"""What Claude Code puts beside `projects` in a home of any name."""
_PROJECTS: Final = "projects"
_SUBAGENTS: Final = "subagents"
_ARTIFACTS: Final = "tool-results"
_AGENT: Final = "agent-"
_COMPACTING: Final = "agent-acompact-"
"""The summariser's own call: a full copy of the context, not work of a subagent."""
_NO_SESSIONS: Final = frozenset({"history.jsonl", "journal.jsonl"})
_NO_SESSION_FOLDERS: Final = frozenset({_ARTIFACTS, "memory", "file-history", "shell-snapshots", "todos"})
_LONG_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl\Z", re.IGNORECASE)
_LOOKED_AT: Final = 64
"""Project folders looked into for a session's file before a folder is taken for no home."""


class ClaudeCodeStore:
    """Claude Code's folders."""

    agent = "claude"

    def default_roots(self, environ: Mapping[str, str], home: str) -> list[str]:
        """Return the configured home, else the usual ones."""
        configured = environ.get("CLAUDE_CONFIG_DIR", "").strip()
        if configured:
            return [os.path.expanduser(folder.strip()) for folder in configured.split(",") if folder.strip()]
        return [os.path.join(home, name) for name in _HOMES]

    def recognise(self, path: str) -> str | None:
        """Return the home that a path is, lies in or holds."""
        path = os.path.abspath(path)
        return _home_of(path) or _home_of(os.path.realpath(path))

    def sources(self, root: str, *, errors: list[ScanError], depth: int = DEPTH) -> Iterator[SourceFile]:
        """List the session files below a root."""
        root = os.path.abspath(root)
        if not os.path.isdir(root):
            source = self.source(os.path.realpath(root))
            if source is not None:
                yield source
            return
        homes = [home for home in (root, *(os.path.join(root, name) for name in _HOMES)) if _is_home(home)]
        for folder in [os.path.join(home, _PROJECTS) for home in homes] or [root]:
            for entry in walk(folder, errors=errors, depth=depth, skip=_NO_SESSION_FOLDERS):
                if _is_session(entry.name):
                    yield from self._listed(entry, errors)

    def source(self, path: str) -> SourceFile | None:
        """Describe one file by its path."""
        path = os.path.abspath(path)
        try:
            state = os.lstat(path)
        except OSError:
            return None
        return _described(path, state) if stat.S_ISREG(state.st_mode) and _is_session(os.path.basename(path)) else None

    def artifacts(self, source: SourceFile) -> ArtifactFolder | None:
        """Return the folder of a session's side files; its subagents share it, once their session is known."""
        folder, name = os.path.split(source.path)
        own = ArtifactFolder(folder, (name.removesuffix(_ENDING), _ARTIFACTS))
        if source.part is None:
            return own
        session = _session_folder(source.path)
        if session is not None:
            return ArtifactFolder(os.path.dirname(session), (os.path.basename(session), _ARTIFACTS))
        return own.sibling(source.session_id) if source.session_id != own.steps[0] else None

    def blobs(self, source: SourceFile) -> str | None:
        """Return nothing: Claude Code has no blobs."""
        return None

    def spawn(self, source: SourceFile) -> Spawn | None:
        """Read the metadata beside a subagent's file."""
        told = note(f"{source.path.removesuffix(_ENDING)}.meta.json") if source.part is not None else {}
        if not told:
            return None
        return Spawn(text(told.get("toolUseId")), text(told.get("agentType")), text(told.get("description")))

    def live(self, home: str, *, alive: Alive) -> dict[str, LiveState]:
        """Return the sessions that running processes hold."""
        found: dict[str, LiveState] = {}
        for entry in entries(os.path.join(home, "sessions"), errors=[]):
            told = note(entry.path) if entry.name.endswith(".json") else {}
            pid, session = as_int(told.get("pid")), text(told.get("sessionId"))
            if pid is not None and session is not None and alive(pid):
                found[session] = LiveState(pid, text(told.get("status")), milliseconds(told.get("updatedAt")))
        return found

    def titles(self, home: str) -> dict[str, str]:
        """Return nothing: Claude Code writes titles into the sessions."""
        return {}

    def resume(self, session_id: str) -> tuple[str, ...]:
        """Return the command that goes on with a session."""
        return ("claude", "--resume", session_id)

    def _listed(self, entry: os.DirEntry[str], errors: list[ScanError]) -> Iterator[SourceFile]:
        try:
            yield _described(entry.path, entry.stat(follow_symlinks=False))
        except FileNotFoundError:
            return
        except OSError as error:
            errors.append(ScanError(entry.path, error.strerror or type(error).__name__))


CLAUDE_CODE_STORE: Final = ClaudeCodeStore()


def _is_session(name: str) -> bool:
    return name.endswith(_ENDING) and name not in _NO_SESSIONS


def _described(path: str, state: os.stat_result) -> SourceFile:
    name = os.path.basename(path)
    stem = name.removesuffix(_ENDING) or name
    session: str = stem
    part, parent = None, None
    if stem.startswith(_AGENT):
        part = stem.removeprefix(_AGENT) or stem
        folder = _session_folder(path)
        if folder is not None:
            session = os.path.basename(folder)
            parent = (session, None)
    return SourceFile(
        path, "claude", session, part, state.st_size, state.st_mtime_ns, parent, hidden=stem.startswith(_COMPACTING)
    )


def _session_folder(path: str) -> str | None:
    """Return the folder of the session that a subagent's path names: the one that holds `subagents`."""
    above = os.path.dirname(path)
    for _ in range(DEPTH):
        above, name = os.path.split(above)
        if name == _SUBAGENTS:
            return above if os.path.basename(above) else None
    return None


def _home_of(path: str) -> str | None:
    """Return the home that a path holds, is, or lies in; the nearest one."""
    for candidate in (*(os.path.join(path, name) for name in _HOMES), path):
        if _is_home(candidate):
            return candidate
    above, name = os.path.split(path)
    while name:
        if name == _PROJECTS and _is_home(above):
            return above
        above, name = os.path.split(above)
    return None


def _is_home(folder: str) -> bool:
    """Say whether a folder is Claude Code's: by its name, by what lies in it, or by a session's file in a project."""
    projects = os.path.join(folder, _PROJECTS)
    if not os.path.isdir(projects):
        return False
    if folder.endswith(tuple(os.sep + name for name in _HOMES)):
        return True
    if not minicode.is_home(folder) and any(os.path.lexists(os.path.join(folder, name)) for name in _COMPANIONS):
        return True
    looked_at = [entry for entry in entries(projects, errors=[])[:_LOOKED_AT] if entry.is_dir(follow_symlinks=False)]
    return any(_LONG_ID.match(file.name) for project in looked_at for file in entries(project.path, errors=[]))
