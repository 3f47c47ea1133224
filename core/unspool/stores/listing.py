"""Listing folders: what they hold, in order, with errors reported and links passed by; and the small notes in them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Final

from unspool.sources.json_value import BadJson, loads
from unspool.stores.base import ScanError

_NOTE_BYTES: Final = 64 << 10
"""Notes beside sessions (registries, metadata) are far smaller; a longer one is not read."""


def walk(folder: str, *, errors: list[ScanError], depth: int, skip: frozenset[str]) -> Iterator[os.DirEntry[str]]:
    """Yield the plain files below a folder, sorted by name in each folder; links and `skip`ped folders are passed by.

    The folder itself may be a link: a person named it.
    """
    pending = [(folder, depth)]
    while pending:
        folder, left = pending.pop()
        folders = []
        for entry in entries(folder, errors=errors):
            try:
                if entry.is_file(follow_symlinks=False):
                    yield entry
                elif left > 0 and entry.name not in skip and entry.is_dir(follow_symlinks=False):
                    folders.append((entry.path, left - 1))
            except OSError as error:
                errors.append(ScanError(entry.path, reason(error)))
        pending += reversed(folders)


def entries(folder: str, *, errors: list[ScanError]) -> list[os.DirEntry[str]]:
    """Return what a folder holds, sorted by name; an unreadable one is reported, a missing one is empty."""
    try:
        with os.scandir(folder) as listing:
            return sorted(listing, key=lambda entry: entry.name)
    except FileNotFoundError:
        return []
    except OSError as error:
        errors.append(ScanError(folder, reason(error)))
        return []


def note(path: str) -> dict[str, Any]:
    """Read a small JSON object that lies beside sessions; an empty one when there is none that can be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            data = os.read(descriptor, _NOTE_BYTES + 1)
        finally:
            os.close(descriptor)
        value = loads(data) if len(data) <= _NOTE_BYTES else None
    except (OSError, BadJson):
        return {}
    return value if isinstance(value, dict) else {}


def reason(error: OSError) -> str:
    """Return why the system refused, in its own words."""
    return error.strerror or type(error).__name__
