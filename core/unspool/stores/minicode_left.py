"""What MiniCode leaves behind: saved outputs that no session's log stands beside.

Logs that were taken away leave their folder, runs that kept no log have one of their own (`ephemeral-<uuid>`), and
first versions kept the outputs of all sessions in one place. None of them is a session, and MiniCode never removes
them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final, Literal

from unspool.dataclass import dataclass
from unspool.stores.listing import entries, walk
from unspool.stores.minicode import ARTIFACTS, ENDING, PROJECTS

Reason = Literal["log gone", "no log kept", "first versions"]

_EPHEMERAL: Final = "ephemeral-"
_DEPTH: Final = 2
"""Folders below one of runs, or of outputs: the outputs lie in it, or in the folders right below."""


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """A folder of saved outputs, why it stands alone, how many files it holds and how many bytes these have."""

    path: str
    reason: Reason
    files: int
    size: int


def left_behind(home: str) -> Iterator[LeftBehind]:
    """Yield the folders of a home that hold saved outputs and no session's log stands beside, in order of their names.

    Links are not followed; what cannot be read is passed by.
    """
    projects = os.path.join(home, PROJECTS)
    for folder in (projects, *(entry.path for entry in _folders(projects))):
        for entry in _folders(folder):
            outputs = os.path.join(entry.path, ARTIFACTS)
            if os.path.isdir(outputs) and not os.path.islink(outputs) and not os.path.lexists(entry.path + ENDING):
                reason: Reason = "no log kept" if entry.name.startswith(_EPHEMERAL) else "log gone"
                yield _measured(entry.path, outputs, reason)
    runs = os.path.join(home, ARTIFACTS)
    if os.path.isdir(runs) and not os.path.islink(runs):
        yield _measured(runs, runs, "first versions")


def _folders(folder: str) -> list[os.DirEntry[str]]:
    return [entry for entry in entries(folder, errors=[]) if entry.is_dir(follow_symlinks=False)]


def _measured(path: str, outputs: str, reason: Reason) -> LeftBehind:
    sizes = []
    for entry in walk(outputs, errors=[], depth=_DEPTH, skip=frozenset()):
        try:
            sizes.append(entry.stat(follow_symlinks=False).st_size)
        except OSError:
            continue
    return LeftBehind(path, reason, len(sizes), sum(sizes))
