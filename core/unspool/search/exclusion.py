"""Whether the raw bytes of a session exclude that anything in it matches, so that it need not be read.

They do when the needle's fragment stands nowhere in them. Records that may hide it are decoded, one by one: those that
write characters as escapes, those whose texts are put together, and those of outputs that lie in a file of their own,
which is looked through too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

import stringzilla

from unspool.columns.records import decode
from unspool.columns.source import LineSource
from unspool.errors import SourceChanged
from unspool.formats.unwritten import UNWRITTEN, Unwritten, is_of_image
from unspool.outputs.marker import BLOB_OPENING, OPENING
from unspool.search.escapes import find_escape
from unspool.search.needle import Find, Needle
from unspool.sources.bad_json import BadJson
from unspool.sources.document import open_log
from unspool.sources.lines import LINE_LIMIT
from unspool.sources.raw_bytes import RawBytes
from unspool.sources.record import decode_record
from unspool.text import utf8

if TYPE_CHECKING:
    from unspool.columns.side_files import SideFiles
    from unspool.columns.stored_blob import StoredBlob
    from unspool.formats.base import Format
    from unspool.formats.piece import Piece
    from unspool.sources.jsonl import JsonLines
    from unspool.stores.artifacts import SideFile

BLOCK: Final = 128 << 10
"""Bytes looked through at a time, several times over: they stay in the processor's cache."""

ESCAPES: Final = "\\u"
"""The doubt that records raise which write characters as escapes; all others are named by their marks."""

Stamp = tuple[int, int]
"""Size in bytes and time of the last change in nanoseconds of a file."""

_PLAIN: Final = ".jsonl"
"""What a file ends with whose bytes are the session's."""

_STEP: Final = 64 << 10
"""Bytes read at a time to find where a line begins and ends."""

_LONGEST_DOUBT: Final = 32
"""Bytes that two neighbouring blocks share, so that nothing that raises a doubt is cut."""


class Exclusion:
    """One needle, ready to be looked for in session after session; `raw` searches all bytes, evidence or not."""

    def __init__(self, needle: Needle, *, raw: bool = False) -> None:
        self.needle = needle
        self.raw = raw
        self.shared = max(needle.overlap, _LONGEST_DOUBT)
        """Bytes that are looked at again with the next block."""
        self.room = memoryview(bytearray(BLOCK + self.shared))
        """Where blocks are read to, one after the other: room that is made anew for each would have to be cleared."""
        fragment = needle.fragment.decode()
        agents = [] if not fragment or is_of_image(fragment) else UNWRITTEN.items()
        self._marks = {
            agent: _marks(fragment, unwritten)
            for agent, unwritten in agents
            if all(needle.find(utf8(tool)) < 0 for tool in unwritten.tools)
        }

    def excludes(
        self,
        path: str,
        format: Format,
        side_files: SideFiles,
        stop: Callable[[], bool] = lambda: False,
        lacking: dict[Stamp, set[str]] | None = None,
    ) -> int | None:
        """Return the bytes of a session in which nothing can match; `None` where only reading it tells.

        `stop` is asked between blocks and ends it with `None`. `lacking` names doubts that nothing raises in the file
        as it was at a size and time; what was found to be lacking is added. Raises `Unreadable` and `SourceChanged`.
        """
        marks = self._marks.get(format.agent)
        if marks is None:
            return None
        lasting = _lasting_doubts(side_files)
        with ExitStack() as opened:
            file = RawBytes(path) if path.endswith(_PLAIN) else open_log(path)
            opened.enter_context(file)
            known = set[str]()
            if lacking is not None and isinstance(file, RawBytes):
                known = lacking.setdefault(file.stamp, known)
            doubts = {name: find for name, find in lasting.items() if name not in known}
            doubts |= {mark: partial(_find, mark.encode()) for mark in marks}
            search = _Search(file, path, self, format, side_files, opened)
            if not search.excludes(doubts, stop):
                return None
            file.check()
            known |= lasting.keys() - search.raised
            return file.size


class _Search:
    """One session being looked through; what is `opened` for that is closed by who began."""

    def __init__(
        self,
        file: RawBytes | JsonLines,
        path: str,
        exclusion: Exclusion,
        format: Format,
        side_files: SideFiles,
        opened: ExitStack,
    ) -> None:
        self.file = file
        self.path = path
        self.needle = exclusion.needle
        self.shared, self.room = exclusion.shared, exclusion.room
        self.find = exclusion.needle.fragment_finder
        self.raw = exclusion.raw
        self.format = format
        self.side_files = side_files
        self.opened = opened
        self.raised: set[str] = set()
        """The doubts that something raised."""

    @cached_property
    def source(self) -> LineSource:
        """What records are decoded from."""
        return LineSource(self.opened.enter_context(open_log(self.path)))

    def excludes(self, doubts: Mapping[str, Find], stop: Callable[[], bool]) -> bool:
        """Look through all blocks, as long as nothing is found."""
        size, settled = self.file.size, 0
        for offset in range(0, size, BLOCK):
            start = max(0, offset - self.shared)
            block = self._block(start, min(offset + BLOCK, size) - start)
            if stop() or self.find(block, 0) >= 0:
                return False
            for at in self._positions(block, doubts):
                if start + at >= settled:
                    begin, settled = self._line_around(start + at)
                    if self._may_match(begin, settled - begin):
                        return False
        return True

    def _block(self, offset: int, length: int) -> bytes | memoryview:
        """Return the bytes of a block, which stay until the next is read."""
        if isinstance(self.file, RawBytes):
            return self.file.read_into(self.room[:length], offset)
        return self.file.read(offset, length)

    def _positions(self, block: bytes | memoryview, doubts: Mapping[str, Find]) -> list[int]:
        """Return where the doubts of a block are, in order; each raised one is noted."""
        places: list[int] = []
        for name, find in doubts.items():
            found = [*_each(block, find)]
            if found:
                self.raised.add(name)
                places += found
        return sorted(places)

    def _line_around(self, place: int) -> tuple[int, int]:
        """Return where the line at a place begins and ends, as far as a line is read at once."""
        begin = end = place
        while begin > max(0, place - LINE_LIMIT):
            before = max(0, begin - _STEP)
            found = self.file.read(before, begin - before).rfind(b"\n")
            if found >= 0:
                begin = before + found + 1
                break
            begin = before
        while end < min(self.file.size, place + LINE_LIMIT):
            block = self.file.read(end, min(_STEP, self.file.size - end))
            found = block.find(b"\n")
            end += found if found >= 0 else len(block)
            if found >= 0 or not block:
                break
        return begin, end

    def _may_match(self, offset: int, length: int) -> bool:
        """Decode a line; whatever is no whole record may match."""
        if self.raw or length > LINE_LIMIT:
            return True
        try:
            record = decode_record(self.file.read, offset, length, LINE_LIMIT)
        except BadJson:
            return True
        return any(map(self._is_hit, decode(self.format, record, self.source, offset, length).pieces))

    def _is_hit(self, piece: Piece) -> bool:
        """Say whether a piece holds the fragment, or what is kept elsewhere of it does."""
        if piece.tool is not None and self.needle.find(utf8(piece.tool)) >= 0:
            return True
        if self.find(utf8(piece.text()), 0) >= 0:
            return True
        located = self.side_files.locate_piece(piece)
        return located is not None and located.file is not None and self._holds(located.file)

    def _holds(self, file: SideFile | StoredBlob) -> bool:
        """Look through a side file or a blob; one that cannot be read is for the search to tell of."""
        try:
            for offset in range(0, file.size, BLOCK):
                start = max(0, offset - self.needle.overlap)
                if self.find(file.read(start, min(offset + BLOCK, file.size) - start), 0) >= 0:
                    return True
        except SourceChanged:
            return True
        return False


def _lasting_doubts(side_files: SideFiles) -> dict[str, Find]:
    """Return the doubts that do not depend on what is looked for."""
    saved = [OPENING] if side_files.folder is not None else []
    saved += [BLOB_OPENING] if side_files.blobs is not None else []
    return {ESCAPES: find_escape, **{mark: partial(_find, mark.encode()) for mark in saved}}


def _marks(fragment: str, unwritten: Unwritten) -> tuple[str, ...]:
    """Return what stands where the fragment may be hidden: in raw JSON a `/` may have a backslash before it."""
    solidus = ("\\/",) if "/" in fragment else ()
    return solidus + (tuple(mark.decode() for mark in unwritten.marks) if unwritten.joint in fragment else ())


def _each(block: bytes | memoryview, find: Find) -> Iterator[int]:
    """Yield the first place in each line of a block that one doubt is about."""
    at = find(block, 0)
    while at >= 0:
        yield at
        following = _find(b"\n", block, at)
        at = find(block, following) if following >= 0 else -1


def _find(mark: bytes, block: bytes | memoryview, start: int) -> int:
    return int(stringzilla.find(block, mark, start))
