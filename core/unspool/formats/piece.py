"""The vocabulary of pieces: who speaks, which half of a tool use, what is special, and the parts of their text."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum, IntFlag
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from unspool.dataclass import dataclass
from unspool.named_tuple import NamedTuple
from unspool.sources.json_value import Clipped, compact

if TYPE_CHECKING:
    from unspool.ids import BlobId

UNKNOWN_TYPE: Final = "?"
"""The media type of an image or other data of which nobody says what it is."""

Pointer = tuple[str | int, ...]
"""Keys and indexes from the record down to a value; `()` is the record itself."""


class Kind(IntEnum):
    """Who speaks in a piece."""

    USER = 0
    ASSISTANT = 1
    SYSTEM = 2
    TOOL = 3

    def __str__(self) -> str:
        return self.name.lower()


class ToolPart(IntEnum):
    """Which half of a tool use a tool piece is."""

    INPUT = 0
    OUTPUT = 1

    def __str__(self) -> str:
        return self.name.lower()


class Flag(IntFlag):
    """What is special about a piece (meanings in the order of design: see each line)."""

    ERROR = 1 << 0  # failed output, API error
    REASONING = 1 << 1
    PERSISTED = 1 << 2  # the full output lies elsewhere
    SHORTENED = 1 << 3  # the harness cut it
    MISSING = 1 << 4  # persisted, but not found
    UNANSWERED = 1 << 5  # a call without result
    ORPHAN = 1 << 6  # a result without call
    DUPLICATE = 1 << 7  # a second result of one call
    TWIN = 1 << 8  # one message logged as two kinds of record; the first written is the evidence
    REPLAYED = 1 << 9  # a native id seen before in this source, with the same content
    INHERITED = 1 << 10  # copied from another session by a fork or resume
    ABANDONED = 1 << 11  # a rewound or retried branch
    SALVAGED = 1 << 12  # recovered from behind a torn record
    UNTERMINATED = 1 << 13  # last record, complete but without LF yet
    BY_USER = 1 << 14  # a command that the person ran

    def names(self) -> tuple[str, ...]:
        """Return the lower-case names of the flags that are set, in declaration order."""
        return _names(int(self))


@lru_cache(maxsize=256)
def _names(flags: int) -> tuple[str, ...]:
    return tuple((member.name or "").lower() for member in Flag if member & flags)


HIDDEN: Final = Flag.REASONING | Flag.TWIN | Flag.REPLAYED | Flag.ABANDONED
"""Pieces with one of these stay out of default lists and of `counts`; each has a count of its own."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A string of the record, or text inside it: part of a piece's text as written.

    `value` may be a `Clipped` string (the head of a long one) when the record was too long to be decoded whole.
    """

    images: ClassVar[int] = 0
    pointer: Pointer
    value: str

    def text(self) -> str:
        """Return the text as written."""
        return self.value


@dataclass(frozen=True, slots=True)
class JsonPart:
    """A structured value of the record; its text is compact JSON in source order.

    With `encoded` the record holds it as a JSON document inside a string (Codex arguments); when that string is
    clipped, it stands for the value until someone reads on. `images` says how many lines about images, or other data
    in base64, stand in the value in place of the data.
    """

    pointer: Pointer
    value: Any
    encoded: bool = False
    images: int = 0

    def text(self) -> str:
        """Return the value as compact JSON."""
        return compact(self.value)


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An image: one line of metadata in the text. `size` is the decoded size in bytes, `None` when not stored.

    `clipped` is its base64 when the record was too long to be decoded whole: `size` is for who can read on.
    """

    images: ClassVar[int] = 1
    pointer: Pointer
    media_type: str
    size: int | None
    clipped: Clipped | None = None

    def text(self) -> str:
        """Return its line."""
        return image_line(self.media_type, self.size)


@dataclass(frozen=True, slots=True)
class SignPart:
    """Characters that the record does not hold as text: what stands for a thing that it names, as `@` before a path."""

    images: ClassVar[int] = 0
    pointer: Pointer
    value: str

    def text(self) -> str:
        """Return the characters."""
        return self.value


def image_line(media_type: str, size: int | None) -> str:
    """Return `[image <type> <bytes>]`, what is unknown left out."""
    return f"[image {media_type} {size}]" if size is not None else f"[image {media_type}]"


Part = TextPart | JsonPart | ImagePart | SignPart


class Piece(NamedTuple):
    """One thing inside a record.

    `number` is its structural place (index of its block); `parts`, with `joint` between them, are its text;
    `native_id` is the id that the agent itself gave to the piece or its record. Where all that the record holds of a
    piece is its name, `blob` is the text, and no model is known to have seen less.
    """

    number: int
    kind: Kind
    parts: tuple[Part, ...]
    tool_part: ToolPart | None = None
    tool: str | None = None
    call_id: str | None = None
    flags: Flag = Flag(0)
    native_id: str | None = None
    joint: str = "\n"
    blob: BlobId | None = None

    def text(self) -> str:
        """Return the whole text (clipped parts give their head only)."""
        parts = self.parts
        return parts[0].text() if len(parts) == 1 else self.joint.join([part.text() for part in parts])

    @property
    def is_composed(self) -> bool:
        """Whether its text stands nowhere in the record as it reads: runs of it go over parts, or are signs."""
        return self.joint != "\n" or SignPart in map(type, self.parts)

    @property
    def images(self) -> int:
        """How many images the piece holds, those inside structured values included."""
        return sum([part.images for part in self.parts])


piece_of: Final[Callable[[tuple[Any, ...]], Piece]] = partial(tuple.__new__, Piece)
"""Returns a piece from all its fields in order: in a third of the time, for what is made of every record."""
