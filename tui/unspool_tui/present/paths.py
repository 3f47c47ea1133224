"""Paths as they are told: of one that is too long its end, which names the file."""

from __future__ import annotations

import re
from typing import Final

from unspool.pattern import pattern
from unspool_tui.present.cells import end_of
from unspool_tui.present.width import cell_len

TOLD: Final = 32
"""Cells of a path within a sentence: a longer one would push out what the sentence says of it."""

_PATH = pattern(r"(?:~|[A-Za-z]:)?[/\\][^\s:;'\"]+")
_DRIVE: Final = (":/", ":\\")
"""What stands behind the letter with which a path begins on some systems."""
_NO_PATH: Final = '{[<"('
"""What a value begins with that may hold a path and is none."""


def is_path(said: str) -> bool:
    """Say whether words look like a path, and not like a value that holds one."""
    if said[:1] in _NO_PATH:
        return False
    on_a_drive = said[:1].isalpha() and said.startswith(_DRIVE, 1)
    return on_a_drive or (" " not in said and ("/" in said or "\\" in said))


def below(said: str, folder: str) -> str:
    """Return words with the paths in them told from a folder on."""
    if not folder:
        return said
    return said.replace(f"{folder}/", "").replace(f"{folder}\\", "")


def path_end(path: str, width: int) -> str:
    """Return the end of a path in `width` cells, from one of its names on where the last one fits."""
    if cell_len(path) <= width:
        return path
    parts = re.split(r"(?<=[/\\])", path)
    kept = ""
    for part in reversed(parts):
        if cell_len(part + kept) + 2 > width:
            break
        kept = part + kept
    sign = "\\" if "\\" in path and "/" not in path else "/"
    return f"…{sign}{kept}" if kept else end_of(path, width)


def with_short_paths(said: str) -> str:
    """Return a sentence whose long paths are told by their ends."""
    return _PATH.sub(lambda found: path_end(found[0], TOLD), said)
