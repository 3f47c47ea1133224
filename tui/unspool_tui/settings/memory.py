"""What the app remembers between runs. Losing it costs nothing.

A file that cannot be read, or not be written, is passed over.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any, Final

from unspool.dataclass import dataclass
from unspool.sources.codec import plain

MODE: Final = 0o600
FOLDER_MODE: Final = 0o700
"""For its owner alone: references name what a person works on."""

LARGEST: Final = 4_096
"""Bytes of the file: a theme and a reference take a tenth of it."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The theme that was changed to by key (`dark` or `light`), and the reference of the session that was read last."""

    theme: str | None = None
    session: str | None = None


def recall(path: str) -> Memory:
    """Return what was remembered, nothing when there is nothing to be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            found = _decoded(os.read(descriptor, LARGEST))
        finally:
            os.close(descriptor)
    except (OSError, ValueError, RecursionError):
        return Memory()
    known = found if isinstance(found, dict) else {}
    theme, session = known.get("theme"), known.get("session")
    return Memory(theme if theme in ("dark", "light") else None, session if isinstance(session, str) else None)


def _decoded(data: bytes) -> Any:
    try:
        return plain(data)
    except ValueError:  # a reference to a path that is no text
        import json

        return json.loads(data)


def keep(path: str, memory: Memory) -> None:
    """Write what is to be remembered, whole or not at all."""
    import json

    content = json.dumps({"theme": memory.theme, "session": memory.session}).encode()
    if len(content) > LARGEST or memory == recall(path):
        return
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), FOLDER_MODE, exist_ok=True)
        _replace(path, f"{path}.{os.getpid()}", content)


def _replace(path: str, beside: str, content: bytes) -> None:
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, MODE)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
        os.replace(beside, path)
    except OSError:
        os.unlink(beside)
