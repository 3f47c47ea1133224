"""Sessions that are opened from what was kept of them, and kept when they were read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final

from unspool.blake2b import blake2b
from unspool.cache import KEPT_FROM
from unspool.cache.folder import LARGEST, CacheFolder
from unspool.cache.kept import KeptBuilder, packed, unpacked
from unspool.cache.mark import Mark
from unspool.cache.packing import Unpackable, pack
from unspool.cache.unpacking import MISFITS, unpack
from unspool.cache.version import version
from unspool.columns.side_files import SideFiles
from unspool.errors import UnspoolError
from unspool.formats.base import Format
from unspool.formats.key import text_key
from unspool.views.opened import Opened

GROWN_SHARE: Final = 64
"""A session is kept again once this part of it was read anew: until then that is quicker than to write it all."""

_DIGEST: Final = 16
_NUMBER: Final = 8
"""Bytes of the version, and of each of the numbers behind it: a check of all that follows, and the lengths of parts."""
_HEAD: Final = _DIGEST + _NUMBER


class SessionCache:
    """Opens sessions. Whatever is wrong with what was kept of one, it is read from its source then.

    `kept_from` is the size in bytes from which a session is kept. `apart` is the one from which a process of its own
    reads it; without, none does.
    """

    def __init__(self, folder: str, kept_from: int = KEPT_FROM, apart: int | None = None) -> None:
        self._folder = CacheFolder(folder)
        self._kept_from = kept_from
        self._apart = apart

    def open(self, path: str, format: Format, side_files: SideFiles) -> Opened:
        """Open a source; raises `Unreadable`."""
        found = self.find(path, format, side_files)
        if found is None and self._is_read_apart(path, format, side_files):
            found = self.find(path, format, side_files)
        if found is None:
            found = Opened.open(path, format, side_files)
            self.keep(found)
        return found

    def find(self, path: str, format: Format, side_files: SideFiles, most: int | None = None) -> Opened | None:
        """Open a source from what was kept of it, and read what was appended since; `None` when that cannot be.

        `most` is how many bytes there may be to read.
        """
        try:
            data = self._folder.read(_name(path, format, side_files))
            parts = _parts(data) if data is not None else None
            if parts is None:
                return None
            mark = Mark(*unpack(parts[0]))
            lines = mark.reopened(path)
            if lines is None or (most is not None and os.path.getsize(path) - mark.identity.size > most):
                return None
            before = unpacked(parts[1], parts[2], lines, format, side_files)
            opened, found_again = before.refreshed().resaved(missing=True)
        except (*MISFITS, OSError, UnspoolError):
            return None
        grown = opened.lines.size - mark.size
        anew = not isinstance(opened.builder, KeptBuilder)
        if anew or found_again or grown > max(self._kept_from, mark.size // GROWN_SHARE):
            self.keep(opened)
        return opened

    def holds(self, path: str, format: Format, side_files: SideFiles) -> bool:
        """Say whether something was kept of a source, be it usable or not."""
        return self._folder.holds(_name(path, format, side_files))

    def keep(self, opened: Opened) -> bool:
        """Keep what was read, if it is worth it and rests; say whether it is kept."""
        from unspool.sources.blob_folder import BlobFolder

        lines, builder = opened.lines, opened.builder
        if lines.size < self._kept_from or isinstance(lines, BlobFolder):
            return False
        try:
            mark = Mark.of(lines)
            if mark is None:
                return False
            parts = pack(tuple(mark)), *packed(opened)
            name, blocks = _name(lines.path, builder.format, builder.side_files), _blocks(parts)
        except (Unpackable, OSError, UnspoolError):
            return False
        return sum(map(len, blocks)) <= LARGEST and self._folder.keep(name, blocks)

    def _is_read_apart(self, path: str, format: Format, side_files: SideFiles) -> bool:
        """Let another process read and keep a long source, where it can; say whether it did."""
        try:
            wanted = self._apart is not None and os.path.getsize(path) >= self._apart and self._folder.is_ready()
        except OSError:
            return False
        if not wanted:
            return False
        from unspool.cache.apart import read_apart

        return read_apart(self._folder.path, path, format, side_files)


def forget(folder: str, paths: Iterable[str]) -> None:
    """Remove what is kept in a folder of the sources at some paths."""
    CacheFolder(folder).drop(*map(_name_of_path, paths))


def _name(path: str, format: Format, side_files: SideFiles) -> str:
    """Return the name under which a session is kept: one for each place in which its saved texts are looked for."""
    where = path, format.agent, side_files.folder, getattr(side_files.blobs, "root", None)
    return f"{_name_of_path(path)}{blake2b(repr(where).encode(), digest_size=_DIGEST).hexdigest()}"


def _name_of_path(path: str) -> str:
    """Return how the names begin under which a session is kept."""
    return f"{blake2b(os.fsencode(path), digest_size=_DIGEST).hexdigest()}-"


def _blocks(parts: tuple[bytes, ...]) -> list[bytes]:
    """Return what a file consists of: who made it, a check of all behind it, and its parts behind their lengths."""
    content = b"".join([*(_number(len(part)) for part in parts), *parts])
    return [version(), _number(text_key(content)), content]


def _parts(data: bytes) -> list[memoryview] | None:
    """Return the three parts of a file; `None` for one of other code, or that is not whole."""
    view = memoryview(data)
    made_by, check, content = view[:_DIGEST], view[_DIGEST:_HEAD], view[_HEAD:]
    if made_by != version() or check != _number(text_key(content)):
        return None
    parts, start = list[memoryview](), 3 * _NUMBER
    for at in range(0, 3 * _NUMBER, _NUMBER):
        stop = start + int.from_bytes(content[at : at + _NUMBER], "little")
        parts.append(content[start:stop])
        start = stop
    return parts


def _number(number: int) -> bytes:
    return number.to_bytes(_NUMBER, "little")
