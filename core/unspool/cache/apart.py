"""Reading a session in a process of its own, which keeps it: meanwhile all threads of the one that waits can run.

The process is told on its standard input what to read, in JSON. It ends with 0 when the session is kept.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, Final

from unspool.cache.sessions import SessionCache
from unspool.columns.side_files import SideFiles
from unspool.errors import Unreadable
from unspool.formats import by_agent
from unspool.formats.base import Format
from unspool.stores.artifacts import ArtifactFolder
from unspool.views.opened import Opened

COMMAND: Final = (sys.executable, "-P", "-m", "unspool.cache.apart")
"""What is imported lies where the program is installed, and never in the folder that a person works in (`-P`)."""


def read_apart(cache: str, path: str, format: Format, side_files: SideFiles) -> bool:
    """Let another process read a session and keep it in a folder; say whether it did. Blobs it knows none."""
    if side_files.blobs is not None:
        return False
    asked = json.dumps([cache, path, format.agent, _told(side_files.folder)]).encode()
    try:
        done = subprocess.run(COMMAND, input=asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return False
    return done.returncode == 0


def main() -> int:
    """Read the session that standard input names; return 0 when it is kept."""
    cache, path, agent, folder = json.load(sys.stdin)
    format = by_agent(agent)
    assert format is not None, agent
    try:
        opened = Opened.open(path, format, SideFiles(_folder(folder)))
    except Unreadable:
        return 1
    return 0 if SessionCache(cache, kept_from=0).keep(opened) else 1


def _told(folder: ArtifactFolder | None) -> list[Any] | None:
    return None if folder is None else [folder.base, folder.steps, _told(folder.runs)]


def _folder(told: list[Any] | None) -> ArtifactFolder | None:
    return None if told is None else ArtifactFolder(told[0], tuple(told[1]), _folder(told[2]))


if __name__ == "__main__":
    sys.exit(main())
