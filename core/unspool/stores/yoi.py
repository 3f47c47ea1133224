"""Where yoi keeps its sessions, under each of the names that it has had.

    <home>/sessions/<session>.jsonl                 a session, until May 2026
    <home>/sessions/<session>/<segment>.jsonl       since then: the parts of a session, in the order of their ids
    <either>.trace.jsonl                            debug traces, never part of a session
    <home>/blobs/<id>.txt, <id>.json                full outputs of the first versions

`<home>` is `$YOI_DATA_DIR`, else `$YOI_HOME`, else `$XDG_DATA_HOME/yoi` or `~/.local/share/yoi`, and of older versions
`~/.yoi`. Sessions and segments are named by UUIDs. No registry says what runs, and no session which worker goes on
with it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final

from unspool.pattern import pattern
from unspool.stores.base import SourceFile, inode_of
from unspool.stores.homes import HomeStore
from unspool.stores.listing import entries

_VARIABLES: Final = ("YOI_DATA_DIR", "YOI_HOME")
_NAMES: Final = ("yoi", ".yoi")
_SESSIONS: Final = "sessions"
_BLOBS: Final = "blobs"
_ENDING: Final = ".jsonl"
_TRACE: Final = ".trace.jsonl"
_ID: Final = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_ORDERED_ID: Final = pattern(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_LOOKED_AT: Final = 64
"""Folders looked into for a segment's file before a folder is taken for no home."""


class YoiStore(HomeStore):
    """yoi's folders."""

    agent = "yoi"
    homes = (os.path.join(".local", "share", "yoi"), ".yoi")
    kept = (_SESSIONS,)

    def default_roots(self, environ: Mapping[str, str], home: str) -> list[str]:
        """Return the configured home, else the usual ones."""
        for variable in _VARIABLES:
            configured = environ.get(variable, "").strip()
            if configured:
                return [os.path.expanduser(configured)]
        data = environ.get("XDG_DATA_HOME", "").strip()
        usual = [os.path.join(home, name) for name in self.homes]
        return [os.path.join(os.path.expanduser(data), _NAMES[0]), *usual[1:]] if data else usual

    def blobs(self, source: SourceFile) -> str | None:
        """Return the folder `blobs` beside the folder `sessions` that a session lies in, existing or not."""
        above = os.path.dirname(source.path)
        for _ in range(2):
            above, name = os.path.split(above)
            if name == _SESSIONS:
                return os.path.join(above, _BLOBS)
        return None

    def is_home(self, folder: str) -> bool:
        """Say whether a folder is yoi's: by its name, or by a session in it that is a folder of segments."""
        sessions = os.path.join(folder, _SESSIONS)
        if not os.path.isdir(sessions):
            return False
        if os.path.basename(folder) in _NAMES:
            return True
        inside = [entry for entry in entries(sessions, errors=[]) if _ORDERED_ID.match(entry.name)]
        return any(_is_segment(file) for entry in inside[:_LOOKED_AT] for file in _files(entry))

    def is_session(self, name: str, *, strict: bool) -> bool:
        """Judge by the name: in yoi's own folders an id, elsewhere whatever has a session's ending."""
        if not name.endswith(_ENDING) or name.endswith(_TRACE):
            return False
        return not strict or _ID.match(name.removesuffix(_ENDING)) is not None

    def described(self, path: str, state: os.stat_result) -> SourceFile:
        """Return what a path tells: of a segment, which session it is a part of."""
        folder, name = os.path.split(path)
        stem, above = name.removesuffix(_ENDING) or name, os.path.basename(folder)
        size, changed, inode = state.st_size, state.st_mtime_ns, inode_of(state)
        if _ID.match(stem) and _ID.match(above):
            return SourceFile(path, self.agent, above, stem, size, changed, ordered=True, inode=inode)
        return SourceFile(path, self.agent, stem, None, size, changed, inode=inode)


YOI_STORE: Final = YoiStore()


def _files(entry: os.DirEntry[str]) -> list[os.DirEntry[str]]:
    return entries(entry.path, errors=[]) if entry.is_dir(follow_symlinks=False) else []


def _is_segment(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(_ENDING) and _ORDERED_ID.match(entry.name.removesuffix(_ENDING)) is not None
