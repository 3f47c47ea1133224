"""What was learned of sessions' files, kept in a file of the cache folder: only what has changed is looked at again.

The first line names the version. Each other one is of a session's file as it was found, and what was learned of it:

    <checksum> TAB <path> TAB <device> <inode> <changed> <size> <modified> TAB <JSON>

Lines are appended, and the last one of a path counts; once most are outdated the file is written anew. Whatever cannot
be read, or is not as it was written, is as good as not there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from unspool.blake2b import blake2b
from unspool.sources import codec

if TYPE_CHECKING:
    from unspool.stores.base import SourceFile

MOST_BYTES: Final = 64 << 20
"""Bytes of the file, some thirty thousand sessions: once it is longer, the newest half of it stays."""

_SLACK: Final = 1_000
"""Outdated lines that never matter."""

_MADE_BY: Final = ("formats", "sources", "library", "search")
"""Packages whose code decides what is learned."""


class KeptFile:
    """One such file; read when it is first asked."""

    def __init__(self, folder: str, name: str) -> None:
        self._path = os.path.join(folder, name)
        self._lines: dict[bytes, bytes] | None = None
        """What is known of each path, until it is asked for: whoever asks has it from then on."""
        self._found = 0
        """How many of these were asked for."""
        self._appended = False
        """Whether lines are appended to the file that is there; else it is written anew."""

    def find(self, source: SourceFile) -> Any:
        """Return what was learned of a file, `None` when it has changed since or nothing was."""
        if self._lines is None:
            self._lines = self._read()
        line = self._lines.pop(_name(source), None)
        if line is None or not _is_whole(line):
            return None
        self._found += 1
        _, _, state, told = line.split(b"\t", 3)
        return codec.loads(told) if state == _state(source) else None

    def gone(self) -> list[str]:
        """Return the paths of files that nobody asked for and that are no longer there, and forget them.

        They are looked for only where most of what is known was asked for: who asks for few looks at no others.
        """
        left = self._lines or {}
        paths = {name: _path(name) for name in left} if len(left) <= self._found else {}
        gone = {name: path for name, path in paths.items() if not os.path.lexists(path)}
        for name in gone:
            del left[name]
        if gone:
            with suppress(OSError):
                self._write(self._known())
        return [*gone.values()]

    def clear(self) -> None:
        """Write the file anew, if there is one, without what is outdated and without files that are no longer there."""
        with suppress(OSError):
            if os.path.exists(self._path):
                self._write(self._known())

    def add(self, learned: Iterable[tuple[SourceFile, Any]]) -> None:
        """Add what JSON can say of files; where that cannot be written nothing happens."""
        lines = [line for source, value in learned if (line := _line(source, value)) is not None]
        with suppress(OSError):
            if self._appended:
                self._append(lines)
            else:
                self._write([*self._known(), *lines])

    def _read(self) -> dict[bytes, bytes]:
        """Return the lines by path, none of another version; say whether more can be appended to them."""
        self._appended = False
        try:
            with open(self._path, "rb") as file:
                header, *lines = file.read(2 * MOST_BYTES).split(b"\n")
        except OSError:
            return {}
        if header != _header():
            return {}
        found: dict[bytes, bytes] = {}
        for line in filter(None, lines):
            name = line[9 : line.find(b"\t", 9)]
            found.pop(name, None)  # the order is that of the lines
            found[name] = line
        few = len(lines) <= 2 * len(found) + _SLACK
        self._appended = few and sum(map(len, lines)) < MOST_BYTES
        return found

    def _known(self) -> Iterable[bytes]:
        """Return the lines of files that are still there, the oldest first, as many as there is room for."""
        newest, left = list[bytes](), MOST_BYTES // 2
        for name, line in reversed(self._read().items()):
            left -= len(line)
            if left < 0:
                break
            if _is_whole(line) and os.path.lexists(_path(name)):
                newest.append(line)
        return reversed(newest)

    def _append(self, lines: Iterable[bytes]) -> None:
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            os.write(descriptor, b"\n" + b"\n".join(lines))  # the line before may be torn
        finally:
            os.close(descriptor)

    def _write(self, lines: Iterable[bytes]) -> None:
        os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
        temporary = f"{self._path}.{os.getpid()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            with open(os.open(temporary, flags, 0o600), "wb") as file:
                file.write(b"\n".join([_header(), *lines]))
            os.replace(temporary, self._path)
        except OSError:
            os.unlink(temporary)
            raise
        self._appended = True


def _line(source: SourceFile, value: Any) -> bytes | None:
    """Return the line of a file, `None` for what cannot be written: half a character, a number without measure."""
    import orjson

    try:
        told = orjson.dumps(value)
    except orjson.JSONEncodeError:
        return None
    line = b"\t".join([b" " * 8, _name(source), _state(source), told])
    return _checksum(line) + line[8:]


def _checksum(line: bytes) -> bytes:
    return b"%08x" % crc32(memoryview(line)[8:])


def _is_whole(line: bytes) -> bool:
    return _checksum(line) == line[:8]


def _name(source: SourceFile) -> bytes:
    """Return the path in JSON, each byte of it as one character: a path may be no UTF-8."""
    return codec.dumps(os.fsencode(source.path).decode("latin-1"))


def _path(name: bytes) -> str:
    return os.fsdecode(codec.loads(name).encode("latin-1"))


def _state(source: SourceFile) -> bytes:
    return " ".join(map(str, (*(source.inode or ()), source.size, source.mtime_ns))).encode()


@cache
def _header() -> bytes:
    """Return the first line, which changes with the code that learns, installed or worked on."""
    package = os.path.dirname(os.path.dirname(__file__))
    digest = blake2b(digest_size=8)
    for name in _MADE_BY:
        with os.scandir(os.path.join(package, name)) as listing:
            for entry in sorted(listing, key=lambda entry: entry.name):
                if entry.name.endswith(".py"):
                    state = entry.stat()
                    digest.update(f"{entry.name} {state.st_size} {state.st_mtime_ns}".encode())
    return b"unspool " + digest.hexdigest().encode()
