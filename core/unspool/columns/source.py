"""What the pieces of a session are read from: bytes by offset, and the records that stand there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from unspool.errors import SourceChanged
from unspool.sources.json_value import BadJson
from unspool.sources.record import decode_record

if TYPE_CHECKING:
    from unspool.sources.jsonl import JsonLines, Stamp


class Source(Protocol):
    """What is read: bytes by offset, and records decoded from them."""

    def read(self, offset: int, length: int) -> bytes:
        """Return exactly `length` bytes; raises `SourceChanged`."""
        ...

    def record(self, offset: int, length: int, *, exact: bool = False) -> dict[str, Any]:
        """Decode the record in a range; with `exact` numbers keep their text. Raises `SourceChanged`."""
        ...

    @property
    def limit(self) -> int:
        """Bytes from which a record is not held: it comes as its skeleton."""
        ...

    def stamp(self) -> Stamp | None:
        """Return what the file is now if it was written since it was opened, be it only at its end; else `None`."""
        ...

    def changed(self, offset: int, length: int) -> SourceChanged:
        """Return the error that says that a range is no longer what it was."""
        ...


class LineSource:
    """A JSON Lines file as a source."""

    __slots__ = ("limit", "lines", "read")

    def __init__(self, lines: JsonLines) -> None:
        self.lines = lines
        self.limit = lines.limit
        self.read = lines.read

    def record(self, offset: int, length: int, *, exact: bool = False) -> dict[str, Any]:
        """Decode the record in a range; with `exact` numbers keep their text. Raises `SourceChanged`."""
        try:
            return decode_record(self.lines.read, offset, length, self.limit, exact=exact)
        except BadJson as error:
            raise self.changed(offset, length) from error

    def stamp(self) -> Stamp | None:
        """Return what the file is now if it was written since it was opened, be it only at its end; else `None`."""
        return self.lines.stamp()

    def changed(self, offset: int, length: int) -> SourceChanged:
        """Return the error that says that a range is no longer what it was."""
        message = f"{self.lines.path} was rewritten; open it again to see what it holds now"
        return SourceChanged(message, path=self.lines.path, byte_range=(offset, offset + length))
