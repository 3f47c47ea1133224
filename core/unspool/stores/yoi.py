"""Where yoi keeps its sessions, under each of the names that it has had.

    <home>/sessions/<session>.jsonl                 a session, until May 2026
    <home>/sessions/<session>/<segment>.jsonl       since then: the parts of a session, in the order of their ids
    <either>.trace.jsonl                            debug traces, never part of a session
    <home>/blobs/<id>.txt, <id>.json                full outputs of the first versions

`<home>` is `$YOI_DATA_DIR`, else `$YOI_HOME`, else `$XDG_DATA_HOME/yoi` or `~/.local/share/yoi`, and of older versions
`~/.yoi`. Sessions and segments are named by UUIDs. No registry says what runs.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from typing import Final

from unspool.stores.artifacts import ArtifactFolder
from unspool.stores.base import DEPTH, Alive, LiveState, ScanError, SourceFile, Spawn, entries, walk

_VARIABLES: Final = ("YOI_DATA_DIR", "YOI_HOME")
_HOMES: Final = (os.path.join(".local", "share", "yoi"), ".yoi")
_NAMES: Final = ("yoi", ".yoi")
_SESSIONS: Final = "sessions"
_BLOBS: Final = "blobs"
_ENDING: Final = ".jsonl"
_TRACE: Final = ".trace.jsonl"
_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_ORDERED_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_LOOKED_AT: Final = 64
"""Folders looked into for a segment's file before a folder is taken for no home."""


class YoiStore:
    """yoi's folders."""

    agent = "yoi"

    def default_roots(self, environ: Mapping[str, str], home: str) -> list[str]:
        """Return the configured home, else the usual ones."""
        for variable in _VARIABLES:
            configured = environ.get(variable, "").strip()
            if configured:
                return [os.path.expanduser(configured)]
        data = environ.get("XDG_DATA_HOME", "").strip()
        usual = [os.path.join(home, name) for name in _HOMES]
        return [os.path.join(os.path.expanduser(data), _NAMES[0]), *usual[1:]] if data else usual

    def recognise(self, path: str) -> str | None:
        """Return the home that a path is, lies in or holds."""
        path = os.path.abspath(path)
        for candidate in (*(os.path.join(path, name) for name in _HOMES), path):
            if _is_home(candidate):
                return candidate
        above, name = os.path.split(path)
        while name:
            if name == _SESSIONS and _is_home(above):
                return above
            above, name = os.path.split(above)
        return None

    def sources(self, root: str, *, errors: list[ScanError], depth: int = DEPTH) -> Iterator[SourceFile]:
        """List the session files below a root."""
        root = os.path.abspath(root)
        if not os.path.isdir(root):
            source = self.source(os.path.realpath(root))
            if source is not None:
                yield source
            return
        homes = [home for home in (root, *(os.path.join(root, name) for name in _HOMES)) if _is_home(home)]
        strict = bool(homes) or self.recognise(root) is not None
        for folder in [os.path.join(home, _SESSIONS) for home in homes] or [root]:
            for entry in walk(folder, errors=errors, depth=depth, skip=frozenset()):
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
        """Return nothing: what yoi stores are blobs."""
        return None

    def blobs(self, source: SourceFile) -> str | None:
        """Return the folder `blobs` beside the folder `sessions` that a session lies in, existing or not."""
        above = os.path.dirname(source.path)
        for _ in range(2):
            above, name = os.path.split(above)
            if name == _SESSIONS:
                return os.path.join(above, _BLOBS)
        return None

    def spawn(self, source: SourceFile) -> Spawn | None:
        """Return nothing: sessions of yoi start no others that would be told of."""
        return None

    def live(self, home: str, *, alive: Alive) -> dict[str, LiveState]:
        """Return nothing: yoi keeps no registry of running processes among its sessions."""
        return {}

    def titles(self, home: str) -> dict[str, str]:
        """Return nothing: yoi gives its sessions no names."""
        return {}

    def resume(self, session_id: str) -> tuple[str, ...] | None:
        """Return nothing: yoi goes on with the workers that it lists itself, whose names no session tells."""
        return None


YOI_STORE: Final = YoiStore()


def _is_session(name: str, *, strict: bool) -> bool:
    """Judge by the name: in yoi's own folders an id, elsewhere whatever has a session's ending."""
    if not name.endswith(_ENDING) or name.endswith(_TRACE):
        return False
    return not strict or _ID.match(name.removesuffix(_ENDING)) is not None


def _is_home(folder: str) -> bool:
    """Say whether a folder is yoi's: by its name, or by a session in it that is a folder of segments."""
    sessions = os.path.join(folder, _SESSIONS)
    if not os.path.isdir(sessions):
        return False
    if os.path.basename(folder) in _NAMES:
        return True
    inside = [entry for entry in entries(sessions, errors=[]) if _ORDERED_ID.match(entry.name)]
    return any(_is_segment(file) for entry in inside[:_LOOKED_AT] for file in _files(entry))


def _files(entry: os.DirEntry[str]) -> list[os.DirEntry[str]]:
    return entries(entry.path, errors=[]) if entry.is_dir(follow_symlinks=False) else []


def _is_segment(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(_ENDING) and _ORDERED_ID.match(entry.name.removesuffix(_ENDING)) is not None


def _listed(entry: os.DirEntry[str], errors: list[ScanError]) -> Iterator[SourceFile]:
    try:
        yield _described(entry.path, entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        return
    except OSError as error:
        errors.append(ScanError(entry.path, error.strerror or type(error).__name__))


def _described(path: str, state: os.stat_result) -> SourceFile:
    folder, name = os.path.split(path)
    stem, above = name.removesuffix(_ENDING) or name, os.path.basename(folder)
    if _ID.match(stem) and _ID.match(above):
        return SourceFile(path, "yoi", above, stem, state.st_size, state.st_mtime_ns, ordered=True)
    return SourceFile(path, "yoi", stem, None, state.st_size, state.st_mtime_ns)
