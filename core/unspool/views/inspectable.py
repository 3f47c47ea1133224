"""What can be inspected: a text of any size, reached by windows, and the JSON value that it stands for, if any.

Pieces of a session and stored outputs come to the same inspector in this form.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from unspool.blobs.opened import BLOCK, OpenBlob
from unspool.dataclass import dataclass
from unspool.errors import NotFound
from unspool.formats.piece import ToolPart
from unspool.sources.json_value import BadJson
from unspool.views.members import value_of

if TYPE_CHECKING:
    from unspool.ids import BlobId, EvidenceId
    from unspool.views.view import SessionView

VALUE_BYTES: Final = 16 << 20
"""The longest stored JSON that is taken apart: as a value it needs some ten times its bytes."""

COUNTED_BYTES: Final = 64 << 20
"""Up to here the lines of a stored output are counted unasked: that takes hundredths of a second."""

Shape = Literal["text", "json_array", "json_object", "json"]


class Windowed(Protocol):
    """A text by windows; offsets and sizes are bytes, lines count from 1 and end at LF."""

    @property
    def size(self) -> int:
        """Bytes of the whole text."""
        ...

    @property
    def line_count(self) -> int:
        """Lines of the whole text; counting them may need a walk to its end."""
        ...

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes of a half-open range, clamped to the text."""
        ...

    def blocks(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield (offset, block in UTF-8) from the block that holds byte `start` to the end."""
        ...

    def line_start(self, line: int) -> int | None:
        """Return the byte at which a line begins, `None` behind the last; an empty text may begin line 1."""
        ...

    def line_at(self, offset: int) -> int:
        """Return the line that holds a byte."""
        ...


@dataclass(frozen=True, slots=True)
class Inspectable:
    """One output. `value` is the list or dict that it stands for; `None` for text, scalars, and what is too long.

    `too_long` says that the text is that of a JSON value which is not taken apart, `by_lines` that `lines:` serves,
    `counted` that the lines are known or soon counted. `noun` names what it is when it is too long.
    """

    id: EvidenceId | BlobId
    text: Windowed
    type: Shape
    value: Any | None
    noun: str
    too_long: bool = False
    by_lines: bool = True
    counted: bool = True


def piece(view: SessionView, target: EvidenceId, *, model_view: bool = False) -> Inspectable:
    """Return a piece of a session; raises `NotFound`."""
    row = view.row_of(target)
    if row is None:
        raise NotFound(f"{view.ref}: {view.absence(target)}")
    text, value = view.text(target, model_view=model_view), view.structure(row)
    if isinstance(value, (dict, list)):
        return Inspectable(target, text, _shape(value), value, "call")
    # How a call begins tells whether it is structured, where it is too long for its value to be at hand.
    structured = view.tool_part(row) == ToolPart.INPUT and text.read(0, 1) in (b"{", b"[")
    return Inspectable(target, text, "text", None, "call", too_long=value is None and structured)


def blob(opened: OpenBlob) -> Inspectable:
    """Return a stored output, to be asked while it is open; its text is the one on disk, for JSON indented."""
    text, counted = BlobText(opened), opened.size <= COUNTED_BYTES
    if opened.kind == "text":
        return Inspectable(opened.id, text, "text", None, "blob", counted=counted)
    if opened.size > VALUE_BYTES:
        head = opened.read(0, BLOCK).lstrip()[:1]
        shape: Shape = {b"[": "json_array", b"{": "json_object"}.get(head, "json")  # type: ignore[assignment]
        return Inspectable(opened.id, text, shape, None, "JSON", too_long=True, counted=counted)
    try:
        value = value_of(opened.read(0, opened.size))
    except BadJson:
        return Inspectable(opened.id, text, "text", None, "blob")
    kept = value if isinstance(value, (dict, list)) else None
    return Inspectable(opened.id, text, _shape(value), kept, "JSON", by_lines=False)


class BlobText:
    """The text of an open blob; offsets are those of its file."""

    def __init__(self, opened: OpenBlob) -> None:
        self._opened = opened
        self.read = opened.read
        self.size = opened.size
        self.line_start = opened.lines.start
        self.line_at = opened.lines.at

    @property
    def line_count(self) -> int:
        """Lines of the whole text."""
        return self._opened.lines.count

    def blocks(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield blocks to search in: what is no UTF-8 is replaced byte by byte, so that offsets stay."""
        while start < self.size:
            data = self.read(start, start + BLOCK)
            text = _searchable(data, last=start + len(data) >= self.size)
            yield start, text
            start += len(text)


def _shape(value: Any) -> Shape:
    if isinstance(value, dict):
        return "json_object"
    return "json_array" if isinstance(value, list) else "json"


def _searchable(data: bytes, *, last: bool) -> bytes:
    """Return a block as UTF-8 of the same length, without the beginning of a character that goes on behind it."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and not last:
            return data[: error.start]
        return codecs.getincrementaldecoder("utf-8")(_SAME_LENGTH).decode(data, final=last).encode()
    return data


def _same_length(error: UnicodeError) -> tuple[str, int]:
    """Stand in for bytes that are no UTF-8, one character of one byte for each."""
    assert isinstance(error, UnicodeDecodeError)
    return _SUBSTITUTE * (error.end - error.start), error.end


_SAME_LENGTH: Final = "unspool.same_length"
_SUBSTITUTE: Final = "\x1a"
codecs.register_error(_SAME_LENGTH, _same_length)
