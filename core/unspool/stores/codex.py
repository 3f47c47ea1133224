"""Where the Codex CLI, its editor extension and its desktop app keep their sessions.

    <home>/sessions/YYYY/MM/DD/rollout-<local time>-<session>.jsonl    a session, a fork or a subagent
    <home>/archived_sessions/rollout-….jsonl                           put away by the person
    <either>/rollout-….jsonl.zst                                       compressed when old
    <either>/rollout-….json                                            one document, of the TypeScript CLI of 2025
    <home>/session_index.jsonl                                         names that people gave, the newest last

`<home>` is `$CODEX_HOME`, else `~/.codex`. Codex replaces a rollout by its compressed form and back: for a moment
both may exist, or the one just listed be gone. Which session a subagent or a fork comes from, only its records tell,
and no registry says what runs. The names that newer versions keep in SQLite alone are not read: opening a live database
may write beside it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from typing import Final

from unspool.formats.fields import mapping, text
from unspool.sources.document import DOCUMENT_LIMIT, ENDING
from unspool.sources.json_value import BadJson, loads
from unspool.stores.artifacts import ArtifactFolder
from unspool.stores.base import DEPTH, Alive, LiveState, ScanError, SourceFile, Spawn, entries, walk

_HOME: Final = ".codex"
_SESSIONS: Final = ("sessions", "archived_sessions")
_ENDINGS: Final = (".jsonl", ".jsonl.zst")
_COMPRESSED: Final = ".zst"
_ROLLOUT: Final = "rollout-"
_TOO_LARGE: Final = f"one JSON document of more than {DOCUMENT_LIMIT >> 20} MB: not read"
_INDEX: Final = "session_index.jsonl"
_NO_SESSIONS: Final = frozenset({_INDEX, "history.jsonl"})
_NO_SESSION_FOLDERS: Final = frozenset({".git", "log", "node_modules", "shell_snapshots"})
_SESSION_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_YEAR: Final = re.compile(r"20\d\d\Z")
_INDEX_BYTES: Final = 4 << 20
"""The end of the index that is read: some twenty thousand names."""


class CodexStore:
    """Codex's folders."""

    agent = "codex"

    def default_roots(self, environ: Mapping[str, str], home: str) -> list[str]:
        """Return the configured home, else the usual one."""
        configured = environ.get("CODEX_HOME", "").strip()
        return [os.path.expanduser(configured) if configured else os.path.join(home, _HOME)]

    def recognise(self, path: str) -> str | None:
        """Return the home that a path is, lies in or holds."""
        path = os.path.abspath(path)
        held = os.path.join(path, _HOME)
        if _is_home(held) or _is_home(path):
            return held if _is_home(held) else path
        above = os.path.dirname(path)
        while above != path:
            if os.path.basename(path) in _SESSIONS and _is_home(above):
                return above
            path, above = above, os.path.dirname(above)
        return None

    def sources(self, root: str, *, errors: list[ScanError], depth: int = DEPTH) -> Iterator[SourceFile]:
        """List the session files below a root; a plain file and its compressed form are both listed."""
        root = os.path.abspath(root)
        if not os.path.isdir(root):
            source = self.source(os.path.realpath(root))
            if source is not None:
                yield source
            return
        homes = [home for home in (root, os.path.join(root, _HOME)) if _is_home(home)]
        folders = [os.path.join(home, name) for home in homes for name in _SESSIONS]
        strict = bool(folders) or self.recognise(root) is not None
        for folder in folders or [root]:
            for entry in walk(folder, errors=errors, depth=depth, skip=_NO_SESSION_FOLDERS):
                if _is_session(entry.name, strict=strict):
                    yield from _listed(entry, errors)

    def source(self, path: str) -> SourceFile | None:
        """Describe one file by its path."""
        path = os.path.abspath(path)
        try:
            state = os.lstat(path)
        except OSError:
            return None
        known = stat.S_ISREG(state.st_mode) and _is_session(os.path.basename(path), strict=False)
        return _described(path, state) if known else None

    def artifacts(self, source: SourceFile) -> ArtifactFolder | None:
        """Return nothing: Codex keeps whole outputs nowhere."""
        return None

    def blobs(self, source: SourceFile) -> str | None:
        """Return nothing: Codex has no blobs."""
        return None

    def spawn(self, source: SourceFile) -> Spawn | None:
        """Return nothing: what is known about a subagent's start stands in records."""
        return None

    def live(self, home: str, *, alive: Alive) -> dict[str, LiveState]:
        """Return nothing: Codex keeps no registry of running processes."""
        return {}

    def titles(self, home: str) -> dict[str, str]:
        """Return the names of sessions by session id, the newest of each, from the index that older versions append."""
        found: dict[str, str] = {}
        for line in _tail(os.path.join(home, _INDEX)).split(b"\n"):
            try:
                told = mapping(loads(line)) if line.strip() else {}
            except BadJson:
                continue
            session, name = text(told.get("id")), (text(told.get("thread_name")) or "").strip()
            if session and name:
                found[session] = name
        return found

    def resume(self, session_id: str) -> tuple[str, ...]:
        """Return the command that goes on with a session."""
        return ("codex", "resume", session_id)


CODEX_STORE: Final = CodexStore()


def _is_session(name: str, *, strict: bool) -> bool:
    """Judge by the name: in Codex's own folders a rollout, elsewhere whatever has a session's ending.

    A document is a session only by its whole name: `.json` says nothing.
    """
    if name.endswith(ENDING):
        return name.startswith(_ROLLOUT)
    return name.endswith(_ENDINGS) and (name.startswith(_ROLLOUT) if strict else name not in _NO_SESSIONS)


def _is_home(folder: str) -> bool:
    """Say whether a folder holds sessions as Codex lays them out; one of the usual name needs no session yet."""
    kept = [os.path.join(folder, name) for name in _SESSIONS]
    if os.path.basename(folder) == _HOME:
        return any(map(os.path.isdir, kept))
    return any(_is_layout(entry) for each in kept for entry in entries(each, errors=[]))


def _is_layout(entry: os.DirEntry[str]) -> bool:
    try:
        if entry.is_dir(follow_symlinks=False):
            return _YEAR.match(entry.name) is not None
    except OSError:
        return False
    return _is_session(entry.name, strict=True)


def _listed(entry: os.DirEntry[str], errors: list[ScanError]) -> Iterator[SourceFile]:
    try:
        source = _described(entry.path, entry.stat(follow_symlinks=False))
        if source.size > DOCUMENT_LIMIT and source.path.endswith(ENDING):
            errors.append(ScanError(source.path, _TOO_LARGE))
        else:
            yield source
    except FileNotFoundError:
        return
    except OSError as error:
        errors.append(ScanError(entry.path, error.strerror or type(error).__name__))


def _described(path: str, state: os.stat_result) -> SourceFile:
    name = os.path.basename(path)
    stem = name.removesuffix(_COMPRESSED).removesuffix(_ENDINGS[0]).removesuffix(ENDING) or name
    found = _SESSION_ID.search(stem)
    session = found[0] if found else stem
    compressed = name.endswith(_COMPRESSED)
    return SourceFile(path, "codex", session, None, state.st_size, state.st_mtime_ns, compressed=compressed)


def _tail(path: str) -> bytes:
    """Return the whole lines at the end of a file, as many as the limit allows; nothing when it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            start = max(0, os.fstat(descriptor).st_size - _INDEX_BYTES)
            data = os.pread(descriptor, _INDEX_BYTES, start)
        finally:
            os.close(descriptor)
    except OSError:
        return b""
    return data.partition(b"\n")[2] if start else data
