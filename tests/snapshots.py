"""Bytes as the snapshot of a file, without a name in the file system."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager

from unspool.sources.identity import Identity
from unspool.sources.jsonl import JsonLines
from unspool.sources.lines import BLOCK, LINE_LIMIT
from unspool.sources.record import Entry


@contextmanager
def snapshot(data: bytes, limit: int = LINE_LIMIT) -> Generator[JsonLines, None, None]:
    """Open bytes as a source."""
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        descriptor = os.dup(file.fileno())
        with JsonLines("(bytes)", descriptor, descriptor, Identity.of(descriptor), limit) as lines:
            yield lines


def entries_of(
    data: bytes, start_entry: int = 0, start_offset: int = 0, *, block: int = BLOCK, limit: int = LINE_LIMIT
) -> list[Entry]:
    """Return the entries of bytes."""
    with snapshot(data, limit) as lines:
        return list(lines.entries(start_entry, start_offset, block=block))
