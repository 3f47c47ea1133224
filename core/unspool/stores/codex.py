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
from collections.abc import Mapping
from typing import Final

from unspool.formats.fields import mapping, text
from unspool.pattern import pattern
from unspool.sources.json_value import BadJson, loads
from unspool.stores.base import SourceFile, inode_of
from unspool.stores.homes import HomeStore
from unspool.stores.listing import entries

_HOME: Final = ".codex"
_ENDINGS: Final = (".jsonl", ".jsonl.zst")
_COMPRESSED: Final = ".zst"
_ROLLOUT: Final = "rollout-"
_DOCUMENT: Final = ".json"
_INDEX: Final = "session_index.jsonl"
_NO_SESSIONS: Final = frozenset({_INDEX, "history.jsonl"})
_SESSION_ID: Final = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_YEAR: Final = pattern(r"20\d\d\Z")
_INDEX_BYTES: Final = 4 << 20
"""The end of the index that is read: some twenty thousand names."""


class CodexStore(HomeStore):
    """Codex's folders."""

    agent = "codex"
    homes = (_HOME,)
    kept = ("sessions", "archived_sessions")
    skipped = frozenset({".git", "log", "node_modules", "shell_snapshots"})

    def default_roots(self, environ: Mapping[str, str], home: str) -> list[str]:
        """Return the configured home, else the usual one."""
        configured = environ.get("CODEX_HOME", "").strip()
        return [os.path.expanduser(configured) if configured else os.path.join(home, _HOME)]

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

    def is_home(self, folder: str) -> bool:
        """Say whether a folder holds sessions as Codex lays them out; one of the usual name needs no session yet."""
        kept = [os.path.join(folder, name) for name in self.kept]
        if os.path.basename(folder) == _HOME:
            return any(map(os.path.isdir, kept))
        return any(self._is_layout(entry) for each in kept for entry in entries(each, errors=[]))

    def is_session(self, name: str, *, strict: bool) -> bool:
        """Judge by the name: in Codex's own folders a rollout, elsewhere whatever has a session's ending.

        A document is a session only by its whole name: `.json` says nothing.
        """
        if name.endswith(_DOCUMENT):
            return name.startswith(_ROLLOUT)
        return name.endswith(_ENDINGS) and (name.startswith(_ROLLOUT) if strict else name not in _NO_SESSIONS)

    def described(self, path: str, state: os.stat_result) -> SourceFile:
        """Return what a path tells: the session's id, and whether it is compressed."""
        name = os.path.basename(path)
        stem = name.removesuffix(_COMPRESSED).removesuffix(_ENDINGS[0]).removesuffix(_DOCUMENT) or name
        found = _SESSION_ID.search(stem)
        session, compressed = found[0] if found else stem, name.endswith(_COMPRESSED)
        size, changed, inode = state.st_size, state.st_mtime_ns, inode_of(state)
        return SourceFile(path, self.agent, session, None, size, changed, compressed=compressed, inode=inode)

    def refusal(self, source: SourceFile) -> str | None:
        """Refuse a document that would have to be decoded as a whole and is too large for that."""
        if not source.path.endswith(_DOCUMENT):
            return None
        from unspool.sources.document import DOCUMENT_LIMIT

        too_large = f"one JSON document of more than {DOCUMENT_LIMIT >> 20} MB: not read"
        return too_large if source.size > DOCUMENT_LIMIT else None

    def _is_layout(self, entry: os.DirEntry[str]) -> bool:
        try:
            if entry.is_dir(follow_symlinks=False):
                return _YEAR.match(entry.name) is not None
        except OSError:
            return False
        return self.is_session(entry.name, strict=True)


CODEX_STORE: Final = CodexStore()


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
