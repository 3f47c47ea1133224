"""Where MiniCode keeps its sessions, and what records its log with this library.

    <home>/projects/<project>/<session>.jsonl                     a session; below `projects` itself, one of the root
    <home>/projects/<project>/<session>/tool-results/<name>.txt   full outputs, of structured results `.json`
    <home>/projects/<project>/ephemeral-<uuid>/tool-results/      those of runs that kept no log
    <home>/tool-results/<uuid>/<name>.txt                         full outputs of the first versions, a folder a run

`<home>` is `$MINI_CODE_HOME`, else `~/.mini-code`. A project's folder name is its path with each run of separators as
one `-`: several projects may share it, and only the records tell them apart. Sessions are named by eight hex digits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Final

from unspool.errors import SourceChanged, Unreadable
from unspool.formats.minicode_sign import is_typical
from unspool.pattern import pattern
from unspool.stores.artifacts import ArtifactFolder
from unspool.stores.base import SourceFile, inode_of
from unspool.stores.homes import HomeStore
from unspool.stores.listing import entries

_VARIABLE: Final = "MINI_CODE_HOME"
_HOME: Final = ".mini-code"
PROJECTS: Final = "projects"
ARTIFACTS: Final = "tool-results"
ENDING: Final = ".jsonl"
TRASH: Final = ".unspool-trash"
"""Where cleaning up a home puts what goes, for a while: no sessions for lists."""
_SESSION: Final = pattern(r"\A[0-9a-f]{8}\.jsonl\Z")
_ANY: Final = pattern(r"\.jsonl\Z")
"""Who records with this library names sessions at will."""
_LOOKED_AT: Final = 64
"""Project folders looked into for a session's file before a folder is taken for no home."""
_OPENED: Final = 4
"""Files opened of those that are named as MiniCode names sessions, and then of any."""
_HEAD_ENTRIES: Final = 20
"""Lines that are looked at to tell whose a file is."""
_HEAD_BYTES: Final = 256 << 10
"""Bytes in which they stand: a line of megabytes behind the first ones is not worth its reading."""
_HEAD_BLOCK: Final = 64 << 10
"""Bytes of a file that are read at a time for that."""


class MiniCodeStore(HomeStore):
    """MiniCode's folders."""

    agent = "minicode"
    homes = (_HOME,)
    kept = (PROJECTS,)
    skipped = frozenset({ARTIFACTS})

    def default_roots(self, environ: Mapping[str, str], home: str) -> list[str]:
        """Return the configured home, else the usual one."""
        configured = environ.get(_VARIABLE, "").strip()
        return [os.path.expanduser(configured) if configured else os.path.join(home, _HOME)]

    def artifacts(self, source: SourceFile) -> ArtifactFolder | None:
        """Return the folder of a session's side files, and where those of the first versions lie."""
        folder, name = os.path.split(source.path)
        home = _above_projects(folder)
        runs = ArtifactFolder(home, (ARTIFACTS,)) if home is not None else None
        return ArtifactFolder(folder, (name.removesuffix(ENDING), ARTIFACTS), runs)

    def is_home(self, folder: str) -> bool:
        """Judge by the folder's name, or by a session in a project, whose name alone would tell little."""
        projects = os.path.join(folder, PROJECTS)
        if not os.path.isdir(projects):
            return False
        if os.path.basename(folder) == _HOME:
            return True
        return any(any(map(_holds_events, islice(_logs(projects, named), _OPENED))) for named in (_SESSION, _ANY))

    def is_session(self, name: str, *, strict: bool) -> bool:
        """Judge by the ending: names tell no more."""
        return name.endswith(ENDING)

    def described(self, path: str, state: os.stat_result) -> SourceFile:
        """Return what a path tells: the session's id."""
        name = os.path.basename(path)
        size, changed, inode = state.st_size, state.st_mtime_ns, inode_of(state)
        return SourceFile(path, self.agent, name.removesuffix(ENDING) or name, None, size, changed, inode=inode)


MINICODE_STORE: Final = MiniCodeStore()


def _logs(projects: str, named: re.Pattern[str]) -> Iterator[str]:
    """Yield the paths of the logs that are named so, right below `projects` or in a project."""
    found = entries(projects, errors=[])
    looked_at = [entry for entry in found if entry.is_dir(follow_symlinks=False)][:_LOOKED_AT]
    inside = (file for project in looked_at for file in entries(project.path, errors=[]))
    return (entry.path for entry in chain(found, inside) if named.search(entry.name))


def _holds_events(path: str) -> bool:
    from unspool.sources.beginning import whole_lines
    from unspool.sources.jsonl import JsonLines

    try:
        size = whole_lines(path, _HEAD_BYTES)
        with JsonLines.open(path) if size is None else JsonLines.open_head(path, size) as lines:
            head = islice(lines.entries(block=_HEAD_BLOCK), _HEAD_ENTRIES)
            return any(is_typical(record.value) for entry in head for record in entry.records)
    except (Unreadable, SourceChanged):
        return False


def _above_projects(folder: str) -> str | None:
    """Return the home that a session's folder lies in, by the names alone."""
    above, name = os.path.split(folder)
    if name != PROJECTS:
        above, name = os.path.split(above)
    return above if name == PROJECTS else None
