"""How much of the beginning of a file is whole lines, so that it can be read before all others."""

from __future__ import annotations

import os

from unspool.errors import Unreadable
from unspool.sources import zstd
from unspool.sources.regular_file import open_regular


def whole_lines(path: str, most: int, lines: int | None = None) -> int | None:
    """Return how many bytes the whole lines at the beginning of a file take, at most `most`; of a shorter file all.

    With `lines` they are at most so many.
    `None` for a file that begins with a longer line, or of which no beginning can be read.
    """
    if path.endswith(zstd.SUFFIX):
        return None
    try:
        descriptor = open_regular(path)
    except Unreadable:
        return None
    try:
        head = os.pread(descriptor, most + 1, 0)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    size = len(head) if len(head) <= most else head.rfind(b"\n", 0, most) + 1 or None
    return size if lines is None or size is None else min(size, _end_of(head, lines) or size)


def _end_of(head: bytes, lines: int) -> int:
    """Return where so many lines end, 0 where there are fewer."""
    end = 0
    for _ in range(lines):
        end = head.find(b"\n", end) + 1
        if not end:
            break
    return end
