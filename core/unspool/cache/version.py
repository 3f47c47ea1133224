"""By what code columns were made: columns of other code are never read."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Final

from unspool import __version__
from unspool.blake2b import blake2b
from unspool.formats.key import text_key

LAYOUT: Final = 2
"""Counts the ways in which columns were laid out."""

_MAKERS: Final = ("blobs", "cache", "columns", "formats", "outputs", "sources", "stores", "views")
"""Packages whose code decides what columns hold."""


@cache
def version() -> bytes:
    """Return 16 bytes that are others whenever columns may be; raises `OSError` where the code lies in no folder."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    digest = blake2b(digest_size=16)
    made_by = LAYOUT, __version__, sys.version, sys.byteorder, text_key("unspool")
    digest.update(repr((made_by, [_code(os.path.join(home, name)) for name in ("", *_MAKERS)])).encode())
    return digest.digest()


def _code(folder: str) -> list[tuple[str, int, int]]:
    """Return name, size and time of each module of a package."""
    with os.scandir(folder) as listing:
        modules = [(entry.name, entry.stat()) for entry in listing if entry.name.endswith(".py")]
    return sorted((name, found.st_size, found.st_mtime_ns) for name, found in modules)
