"""A planted mistake: a blob is written under its own name, not linked to it when it is whole."""

from __future__ import annotations

import re

from unspool.blobs.calls import Os


class WrittenInPlace(Os):
    """The system's calls, with temporary files under the names that they are to have."""

    def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        return super().open(_named(path), flags, mode, dir_fd=dir_fd)

    def link(self, source: str, target: str, *, dir_fd: int) -> None:
        pass

    def unlink(self, name: str, *, dir_fd: int) -> None:
        if _named(name) == name:
            super().unlink(name, dir_fd=dir_fd)


def _named(path: str) -> str:
    """Return the name that a temporary file is to have, other names as they are."""
    return re.sub(r"^\.tmp-[0-9a-f]{8}-", "", path)
