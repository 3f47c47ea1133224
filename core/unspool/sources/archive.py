"""The beginning of a compressed log: enough to tell what it is, without decompressing it."""

from __future__ import annotations

import os

from unspool.errors import Unreadable
from unspool.sources import zstd
from unspool.sources.identity import Identity
from unspool.sources.jsonl import JsonLines


def open_beginning(path: str, limit: int) -> tuple[JsonLines, zstd.Beginning]:
    """Open about the first `limit` bytes that an archive holds, and say how they were had.

    Of a torn or corrupt archive they are what can be had. Raises `Unreadable` when the file cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise Unreadable(f"{path} cannot be opened: {error.strerror}", path=path) from error
    try:
        identity = Identity.of(descriptor)
        head = zstd.beginning(descriptor, path, limit)
    except OSError as error:
        os.close(descriptor)
        raise Unreadable(f"{path} cannot be read: {error.strerror}", path=path) from error
    return JsonLines(path, descriptor, head.descriptor, identity), head
