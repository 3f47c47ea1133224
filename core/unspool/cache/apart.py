"""Reading a session in a process of its own, which keeps it: meanwhile all threads of the one that waits can run.

The process is told what to read by a line of JSON on its standard input. It ends with 0 when the session is kept, and
at once when the one that waits for it does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from subprocess import DEVNULL, PIPE
from threading import Thread
from typing import Any, Final

from unspool.cache.sessions import SessionCache
from unspool.columns.side_files import SideFiles
from unspool.errors import Unreadable
from unspool.formats import by_agent
from unspool.formats.base import Format
from unspool.stores.artifacts import ArtifactFolder
from unspool.views.opened import Opened

COMMAND: Final = (sys.executable or "python3", "-P", "-m", "unspool.cache.apart")
"""What is imported lies where the program is installed, and never in the folder that a person works in (`-P`)."""


def read_apart(cache: str, path: str, format: Format, side_files: SideFiles) -> bool:
    """Let another process read a session and keep it in a folder; say whether it did. Blobs it knows none."""
    if side_files.blobs is not None:
        return False
    asked = json.dumps([cache, path, format.agent, _told(side_files.folder)])
    try:
        with subprocess.Popen(COMMAND, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, text=True) as process:
            assert process.stdin is not None
            process.stdin.write(f"{asked}\n")
            process.stdin.flush()
            return process.wait() == 0  # its input stays open until it ends
    except OSError:
        return False


def main() -> int:
    """Read the session that standard input names; return 0 when it is kept."""
    cache, path, agent, folder = json.loads(sys.stdin.readline())
    format = by_agent(agent)
    assert format is not None, agent
    watch(sys.stdin.fileno(), lambda: os._exit(1))
    try:
        opened = Opened.open(path, format, SideFiles(_folder(folder)))
    except Unreadable:
        return 1
    return 0 if SessionCache(cache, kept_from=0).keep(opened) else 1


def watch(descriptor: int, end: Callable[[], None]) -> None:
    """Call `end` in a thread once whoever could write to a pipe is gone."""

    def wait() -> None:
        while os.read(descriptor, 1):
            pass
        end()

    Thread(target=wait, daemon=True).start()


def _told(folder: ArtifactFolder | None) -> list[Any] | None:
    return None if folder is None else [folder.base, folder.steps, _told(folder.runs)]


def _folder(told: list[Any] | None) -> ArtifactFolder | None:
    return None if told is None else ArtifactFolder(told[0], tuple(told[1]), _folder(told[2]))


if __name__ == "__main__":
    sys.exit(main())
