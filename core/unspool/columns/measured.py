"""Bytes and lines of saved texts, measured once as long as they are the same, and only on from there when they grew."""

from __future__ import annotations

from _thread import allocate_lock
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import stringzilla

from unspool.blake2b import blake2b
from unspool.columns.piece_text import PieceText, RawBytes
from unspool.columns.stored_blob import StoredBlob
from unspool.named_tuple import NamedTuple
from unspool.stores.artifacts import SideFile
from unspool.text import utf8

Saved = SideFile | StoredBlob

MEASURED_FILES: Final = 8_192
"""Side files and blobs whose sizes are remembered: those of a few sessions that are opened again and again."""

_count: Callable[[str | bytes, str | bytes], int] = stringzilla.count
"""Counts a character ten times as fast as a string does."""
_AT_AN_END: Final = ("\n", "")
"""What a text ends with that has no line behind its last LF."""

BORDER_BYTES: Final = 4_096
"""Bytes before the border that must be as they were for a file to have only grown; it is looked for in as many."""


def sizes_of(text: str) -> tuple[int, int]:
    """Return bytes and lines of a text that is at hand."""
    if not text.isascii():
        data = utf8(text)
        return len(data), _count(data, b"\n") + (data[-1:] != b"\n")
    return len(text), _count(text, "\n") + (text[-1:] not in _AT_AN_END)


class Sizes(NamedTuple):
    """Bytes and lines of a text."""

    size: int
    lines: int


class _Border(NamedTuple):
    """Where the last whole line ends, as a raw offset; the text up to there; and what the bytes before it digest to."""

    offset: int = 0
    size: int = 0
    lines: int = 0
    digest: bytes = b""


class _Measured(NamedTuple):
    file: Saved
    sizes: Sizes
    border: _Border


class Measures:
    """The texts that were measured last."""

    def __init__(self, limit: int = MEASURED_FILES) -> None:
        self._limit = limit
        self._known: OrderedDict[object, _Measured] = OrderedDict()
        self._lock = allocate_lock()

    def of(self, file: Saved) -> Sizes:
        """Return the sizes of a saved text, read by windows; raises `SourceChanged`."""
        key = (file.folder, file.name) if isinstance(file, SideFile) else file
        with self._lock:
            known = self._known.get(key)
        if known is None or known.file != file:
            known = _measured(file, _border_of(known, file), growing=known is not None)
            with self._lock:
                self._known[key] = known
                while len(self._known) > self._limit:
                    self._known.popitem(last=False)
        return known.sizes


def _border_of(known: _Measured | None, file: Saved) -> _Border:
    """Return from where a file is to be measured: from its beginning, unless it only grew."""
    if known is None or not isinstance(known.file, SideFile) or not isinstance(file, SideFile):
        return _Border()
    border = known.border
    grew = file.inode == known.file.inode and file.size > known.file.size
    return border if grew and border.offset and _digest(file, border.offset) == border.digest else _Border()


def _measured(file: Saved, start: _Border, *, growing: bool) -> _Measured:
    """Measure from a border on; where the next one begins is looked for in files that change, which few do."""
    text = _text(file, start.offset)
    sizes = Sizes(start.size + text.size, start.lines + text.line_count)
    if not growing:
        return _Measured(file, sizes, start)
    look = min(BORDER_BYTES, file.size - start.offset)
    found = file.read(file.size - look, look).rfind(b"\n")
    if found < 0:
        return _Measured(file, sizes, start)
    offset = file.size - look + found + 1
    rest = _text(file, offset)
    border = _Border(offset, sizes.size - rest.size, sizes.lines - rest.line_count, _digest(file, offset))
    return _Measured(file, sizes, border)


def _text(file: Saved, offset: int) -> PieceText:
    return PieceText([RawBytes(lambda start, length: file.read(offset + start, length), file.size - offset)])


def _digest(file: Saved, offset: int) -> bytes:
    """Digest the bytes before an offset."""
    length = min(BORDER_BYTES, offset)
    return blake2b(file.read(offset - length, length), digest_size=16).digest()


MEASURES: Final = Measures()
"""Those of this process: sessions are opened again and again, and their saved texts rarely change."""
