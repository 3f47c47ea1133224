"""An open JSON Lines file, plain or compressed, that may grow while it is read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, Self

from unspool.errors import SourceChanged, Unreadable
from unspool.sources import codec, zstd
from unspool.sources.binary import HEAD, refuse_binary
from unspool.sources.identity import TAIL_BYTES, Identity, tail_digest
from unspool.sources.lines import BLOCK, LINE_LIMIT, Line, PhysicalLines
from unspool.sources.record import Entry, RawRecord, entry_of, record_of
from unspool.sources.regular_file import open_regular, unreadable

if TYPE_CHECKING:
    from unspool.sources.spread import Joining

Stamp = tuple[int, int]
"""Size and time of a file's last change in nanoseconds: another one whenever it was written."""

_OPEN_BRACE, _CLOSE_BRACE = ord("{"), ord("}")

LOOKED_BACK: Final = 8 << 10
"""Bytes in which the end of a line is looked for where a part of what was appended is read."""

SMALL_BLOCK: Final = 64 << 10
"""Bytes read at a time of what was appended: buffers of whole blocks would cost more than reading it."""


def _close(descriptor: int, data: int, close: Callable[[int], None] = os.close) -> None:
    for number in {descriptor, data} - {-1}:
        close(number)


class JsonLines:
    """A snapshot of a file: the bytes that were there when it was opened, read by offset.

    `size` is their number (for a `.zst` file: decompressed); `identity` is that of the file itself. Records of over
    `limit` bytes are read by windows.
    """

    _descriptor = _data = -1

    def __init__(self, path: str, descriptor: int, data: int, identity: Identity, limit: int = LINE_LIMIT) -> None:
        self.path = path
        self.limit = limit
        self.identity = identity
        self.size = identity.size if data == descriptor else os.fstat(data).st_size
        self._tail = identity.tail if data == descriptor else tail_digest(data, self.size)
        self._kept = self.size, b""
        self._lines: PhysicalLines | None = None
        """Those that are read now: what is decoded is not read from the file again."""
        self._seen = (identity.size, identity.mtime_ns, identity.ctime_ns)
        self._descriptor, self._data = descriptor, data  # last: from here on they are closed with it

    @classmethod
    def open(cls, path: str | os.PathLike[str], limit: int = LINE_LIMIT) -> Self:
        """Open a file; raises `Unreadable` when it is missing, forbidden, no regular file, or binary."""
        return cls._text(os.fspath(path), limit, None)

    @classmethod
    def open_head(cls, path: str, size: int, limit: int = LINE_LIMIT) -> Self:
        """Open a file as it was when it had so many bytes; `grown` goes on from there. Raises `Unreadable`."""
        return cls._text(path, limit, size)

    @classmethod
    def _text(cls, path: str, limit: int, size: int | None) -> Self:
        opened = cls._open(path, limit, size)
        try:
            refuse_binary(os.pread(opened._data, HEAD, 0), opened.path)
        except OSError as error:
            opened.close()
            raise unreadable(opened.path, error) from error
        except Unreadable:
            opened.close()
            raise
        return opened

    @classmethod
    def _open(cls, path: str, limit: int, size: int | None = None) -> Self:
        descriptor = open_regular(path)
        data = descriptor
        try:
            identity = Identity.of(descriptor, size)
            if path.endswith(zstd.SUFFIX):
                data = zstd.decompressed(descriptor, path)
            return cls(path, descriptor, data, identity, limit)
        except OSError as error:
            _close(descriptor, data)
            raise unreadable(path, error) from error
        except Unreadable:
            _close(descriptor, data)
            raise

    @property
    def held(self) -> int:
        """Bytes of what the records tell: of the file itself, unless it only lists other files."""
        return self.size

    def read(self, offset: int, length: int) -> bytes:
        """Return exactly these bytes; raises `SourceChanged` when they are not there or the file was rewritten.

        Raises `Unreadable` when the disk, or who lends it, gives nothing now.
        """
        begin, held = self._kept
        if begin <= offset and offset + length <= self.size and held:
            return held[offset - begin : offset - begin + length]
        if self._lines is not None and (found := self._lines.held(offset, length)) is not None:
            return found
        if self._touched():
            self.check()
        return self._exactly(offset, length)

    def _exactly(self, offset: int, length: int) -> bytes:
        try:
            data = os.pread(self._data, length, offset) if offset + length <= self.size else b""
            while len(data) < length:
                more = os.pread(self._data, length - len(data), offset + len(data)) if data else b""
                if not more:
                    raise self._changed("is shorter than it was", (offset, offset + length))
                data += more
        except OSError as error:
            raise unreadable(self.path, error) from error
        return data

    def stamp(self) -> Stamp | None:
        """Return what the file is now if it was written since it was opened, be it only at its end; else `None`."""
        now = self._state()
        if (now.st_size, now.st_mtime_ns) == (self.identity.size, self.identity.mtime_ns):
            return None
        return now.st_size, now.st_mtime_ns

    def check(self) -> None:
        """Raise `SourceChanged` unless the file is still the one that was opened; growth is fine."""
        now = self._in_place()
        try:
            tail = tail_digest(self._descriptor, self.identity.size)
        except OSError as error:
            raise unreadable(self.path, error) from error
        if tail != self.identity.tail:
            raise self._changed("was rewritten", (0, self.size))
        self._seen = (now.st_size, now.st_mtime_ns, now.st_ctime_ns)

    def grown(self, start: int | None = None, most: int | None = None) -> JsonLines | None:
        """Return a snapshot with what was appended since, `None` if nothing was; raises `SourceChanged` otherwise.

        What lies behind `start` (default: the end) is read now and held by the new snapshot, see `hold`; what the old
        one holds of it is not read again. Of more than `most` bytes that were appended it has the whole lines within
        these, or within some times as many where they are long, and can grow at once. A closed one can be asked too.
        """
        if self._in_place().st_size == self.identity.size:
            self.check()
            return None
        newer = self._open(self.path, self.limit)
        start = self.size if start is None else start
        try:
            if most is not None and newer.size - self.size > most:
                newer = newer._cut(self.size, most)
            if tail_digest(newer._data, self.size) != self._tail:
                raise self._changed("was rewritten", (0, self.size))
            newer._take_over(self, start)
            if self.size < TAIL_BYTES:  # too little to have been judged by
                refuse_binary(newer._head(), self.path)
        except OSError as error:
            newer.close()
            raise unreadable(self.path, error) from error
        except (SourceChanged, Unreadable):
            newer.close()
            raise
        return newer

    def _cut(self, start: int, most: int) -> Self:
        """Return a snapshot that ends with the last whole line within `most` bytes behind `start`.

        Where none ends shortly before these end, four times as many are taken; of what is compressed it is itself.
        """
        while self._data == self._descriptor and start + most < self.size:
            behind = start + max(0, most - LOOKED_BACK)
            whole = os.pread(self._data, start + most - behind, behind).rfind(b"\n") + 1
            if whole:
                self.close()
                return self._open(self.path, self.limit, behind + whole)
            most *= 4
        return self

    def hold(self, start: int) -> None:
        """Keep the bytes from `start` on in memory if they are not too many, and no others: they are read once."""
        self._take_over(self, start)

    def _take_over(self, older: JsonLines, start: int) -> None:
        begin, held = older._kept
        known = held[start - begin :] if begin <= start else b""
        if self.size - start > LINE_LIMIT:
            self._kept = self.size, b""
        elif len(known) < self.size - start:
            behind = start + len(known)
            self._kept = start, known + self._exactly(behind, self.size - behind)
        else:
            self._kept = start, known

    def _head(self) -> bytes:
        begin, held = self._kept
        return os.pread(self._data, min(begin, HEAD), 0) + held[: max(0, HEAD - begin)]

    def _in_place(self) -> os.stat_result:
        """Look at the file by its path; raises `SourceChanged` unless it is the one that was opened, and no shorter."""
        whole = (0, self.size)
        try:
            now = os.stat(self.path)
        except (FileNotFoundError, NotADirectoryError):
            raise self._changed("is gone", whole) from None
        except OSError as error:
            raise unreadable(self.path, error) from error
        if (now.st_dev, now.st_ino) != (self.identity.device, self.identity.inode):
            raise self._changed("was replaced", whole)
        if now.st_size < self.identity.size:
            raise self._changed("is shorter than it was", whole)
        return now

    def close(self) -> None:
        """Let go of the file; later reads raise `Unreadable`. It happens by itself when nobody holds the snapshot."""
        descriptor, data = self._descriptor, self._data
        self._descriptor = self._data = -1
        _close(descriptor, data)

    def __del__(self, close: Callable[[int, int], None] = _close) -> None:
        """Close the file, by what is still there when the interpreter ends and has taken this module apart."""
        close(self._descriptor, self._data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def entries(self, start_entry: int = 0, start_offset: int = 0, *, block: int = BLOCK) -> Iterator[Entry]:
        """Yield the physical lines from one on; `start_offset` is where line number `start_entry` begins.

        Reading on after growth begins at the first entry that was not `settled`. Raises `SourceChanged`.
        """
        joining: Joining | None = None
        lines = PhysicalLines(self._read_into, start_offset, self.size, block=block, limit=self.limit)
        self._lines = lines
        try:
            for number, line in enumerate(lines, start_entry):
                record = None if joining is not None and joining.inside else _plain_record(line)
                if record is not None and line.terminated:
                    yield entry_of((number, line.offset, line.length, (record,), (), "record", True, True))
                else:
                    joining = joining or self._joining()
                    yield joining.entry(number, line, record)
        finally:
            self._lines = None

    def _joining(self) -> Joining:
        """Return what tells what a line is that is not simply one record, as nearly all are."""
        from unspool.sources.spread import Joining

        return Joining(self.read, self.size, self.limit)

    def _read_into(self, target: memoryview, offset: int) -> int:
        begin, held = self._kept
        if held and begin <= offset:
            piece = held[offset - begin : offset - begin + len(target)]
            target[: len(piece)] = piece
            return len(piece)
        try:
            count = os.preadv(self._data, [target], offset)
        except OSError as error:
            raise unreadable(self.path, error) from error
        if not count:
            raise self._changed("is shorter than it was", (offset, offset + len(target)))
        return count

    def _state(self) -> os.stat_result:
        try:
            return os.fstat(self._descriptor)
        except OSError as error:
            raise unreadable(self.path, error) from error

    def _touched(self) -> bool:
        now = self._state()
        return (now.st_size, now.st_mtime_ns, now.st_ctime_ns) != self._seen

    def _changed(self, how: str, byte_range: tuple[int, int]) -> SourceChanged:
        message = f"{self.path} {how}; open it again to see what it holds now"
        return SourceChanged(message, path=self.path, byte_range=byte_range)


def _plain_record(line: Line) -> RawRecord | None:
    """Return the record of a line that is one object from its first byte to its last, as nearly all lines are."""
    data = line.data
    if data is None or len(data) < 2 or data[0] != _OPEN_BRACE or data[-1] != _CLOSE_BRACE:
        return None
    try:
        value = codec.loads(data)
    except ValueError:
        return None
    return record_of((line.offset, line.length, value, False))
