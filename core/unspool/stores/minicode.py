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
import stat
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Final

from unspool.errors import SourceChanged, Unreadable
from unspool.formats.minicode import MINICODE
from unspool.sources.document import open_log
from unspool.stores.artifacts import ArtifactFolder
from unspool.stores.base import DEPTH, Alive, LiveState, ScanError, SourceFile, Spawn, entries, walk

_VARIABLE: Final = "MINI_CODE_HOME"
_HOME: Final = ".mini-code"
PROJECTS: Final = "projects"
ARTIFACTS: Final = "tool-results"
ENDING: Final = ".jsonl"
_SESSION: Final = re.compile(r"[0-9a-f]{8}\.jsonl\Z")
_LOOKED_AT: Final = 64
"""Project folders looked into for a session's file before a folder is taken for no home."""
_OPENED: Final = 4
"""Files opened of those that are named as sessions are."""
_HEAD_ENTRIES: Final = 20
"""Lines that are looked at to tell whose a file is."""


class MiniCodeStore:
    """MiniCode's folders."""

    agent = "minicode"

    def default_roots(self, environ: Mapping[str, str], home: str) -> list[str]:
        """Return the configured home, else the usual one."""
        configured = environ.get(_VARIABLE, "").strip()
        return [os.path.expanduser(configured) if configured else os.path.join(home, _HOME)]

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
        homes = [home for home in (root, os.path.join(root, _HOME)) if is_home(home)]
        for folder in [os.path.join(home, PROJECTS) for home in homes] or [root]:
            for entry in walk(folder, errors=errors, depth=depth, skip=frozenset({ARTIFACTS})):
                if entry.name.endswith(ENDING):
                    yield from _listed(entry, errors)

    def source(self, path: str) -> SourceFile | None:
        """Describe one file by its path."""
        path = os.path.abspath(path)
        try:
            state = os.lstat(path)
        except OSError:
            return None
        return _described(path, state) if stat.S_ISREG(state.st_mode) and path.endswith(ENDING) else None

    def artifacts(self, source: SourceFile) -> ArtifactFolder | None:
        """Return the folder of a session's side files, and where those of the first versions lie."""
        folder, name = os.path.split(source.path)
        home = _above_projects(folder)
        runs = ArtifactFolder(home, (ARTIFACTS,)) if home is not None else None
        return ArtifactFolder(folder, (name.removesuffix(ENDING), ARTIFACTS), runs)

    def blobs(self, source: SourceFile) -> str | None:
        """Return nothing: MiniCode has no blobs."""
        return None

    def spawn(self, source: SourceFile) -> Spawn | None:
        """Return nothing: sessions of MiniCode start no others."""
        return None

    def live(self, home: str, *, alive: Alive) -> dict[str, LiveState]:
        """Return nothing: MiniCode keeps no registry of running processes."""
        return {}

    def titles(self, home: str) -> dict[str, str]:
        """Return nothing: MiniCode writes names into the sessions."""
        return {}

    def resume(self, session_id: str) -> tuple[str, ...] | None:
        """Return nothing: MiniCode goes on with a session from a list of its own."""
        return None


MINICODE_STORE: Final = MiniCodeStore()


def is_home(folder: str) -> bool:
    """Say whether a folder is a home: by its name, or by a session in a project, whose name alone would tell little."""
    projects = os.path.join(folder, PROJECTS)
    if not os.path.isdir(projects):
        return False
    if os.path.basename(folder) == _HOME:
        return True
    found = entries(projects, errors=[])
    looked_at = [entry for entry in found if entry.is_dir(follow_symlinks=False)][:_LOOKED_AT]
    inside = (file for project in looked_at for file in entries(project.path, errors=[]))
    named = (entry.path for entry in chain(found, inside) if _SESSION.match(entry.name))
    return any(map(_holds_events, islice(named, _OPENED)))


def _holds_events(path: str) -> bool:
    try:
        with open_log(path) as lines:
            records = (record.value for entry in islice(lines.entries(), _HEAD_ENTRIES) for record in entry.records)
            return MINICODE.detect(list(records))
    except (Unreadable, SourceChanged):
        return False


def _home_of(path: str) -> str | None:
    """Return the home that a path holds, is, or lies in; the nearest one."""
    for candidate in (os.path.join(path, _HOME), path):
        if is_home(candidate):
            return candidate
    above, name = os.path.split(path)
    while name:
        if name == PROJECTS and is_home(above):
            return above
        above, name = os.path.split(above)
    return None


def _above_projects(folder: str) -> str | None:
    """Return the home that a session's folder lies in, by the names alone."""
    above, name = os.path.split(folder)
    if name != PROJECTS:
        above, name = os.path.split(above)
    return above if name == PROJECTS else None


def _listed(entry: os.DirEntry[str], errors: list[ScanError]) -> Iterator[SourceFile]:
    try:
        yield _described(entry.path, entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        return
    except OSError as error:
        errors.append(ScanError(entry.path, error.strerror or type(error).__name__))


def _described(path: str, state: os.stat_result) -> SourceFile:
    name = os.path.basename(path)
    return SourceFile(path, "minicode", name.removesuffix(ENDING) or name, None, state.st_size, state.st_mtime_ns)
