"""What every format shares: the vocabulary of pieces, and the two halves of a format.

A format is pure. `decode` turns one record into pieces and looks at nothing else, so that ids never depend on
neighbours. `fold` returns a state that walks the records in order and says what one record tells about others:
twins, branches, titles, usage. Pairing of calls and results by call id, and replayed native ids, are the same for
every agent and live in `columns.build`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import Any, Final, Protocol, runtime_checkable

from unspool.ids import BlobId
from unspool.sources.json_value import Clipped, compact

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
        return tuple((member.name or "").lower() for member in Flag if member in self)


HIDDEN: Final = Flag.REASONING | Flag.TWIN | Flag.REPLAYED | Flag.ABANDONED
"""Pieces with one of these stay out of default lists and of `counts`; each has a count of its own."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A string of the record, or text inside it: part of a piece's text as written.

    `value` may be a `Clipped` string (the head of a long one) when the record was too long to be decoded whole.
    """

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

    pointer: Pointer
    value: str

    def text(self) -> str:
        """Return the characters."""
        return self.value


def image_line(media_type: str, size: int | None) -> str:
    """Return `[image <type> <bytes>]`, what is unknown left out."""
    return f"[image {media_type} {size}]" if size is not None else f"[image {media_type}]"


Part = TextPart | JsonPart | ImagePart | SignPart


@dataclass(frozen=True, slots=True)
class Piece:
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
        return self.joint.join(part.text() for part in self.parts)

    @property
    def is_composed(self) -> bool:
        """Whether its text stands nowhere in the record as it reads: runs of it go over parts, or are signs."""
        return self.joint != "\n" or any(isinstance(part, SignPart) for part in self.parts)

    @property
    def images(self) -> int:
        """How many images the piece holds, those inside structured values included."""
        return sum(part.images if isinstance(part, JsonPart) else isinstance(part, ImagePart) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Compaction:
    """What a record tells of a compaction: what set it off, tokens before and after; `None` where it does not tell."""

    trigger: str | None = None
    before: int | None = None
    after: int | None = None


class Seal(Protocol):
    """What a record of a chain says: its own hash, and that of the record before it.

    An agent that chains its records makes every change of one of them show.
    """

    @property
    def own(self) -> str:
        """The hash that the record says it has."""
        ...

    @property
    def before(self) -> str | None:
        """The hash of the record before it, `None` for the first of a chain."""
        ...

    def holds(self, blocks: Iterable[bytes]) -> bool:
        """Say whether the record's bytes, given block by block, have the hash that it says.

        Bytes that cannot be judged are taken at their word.
        """
        ...


@dataclass(frozen=True, slots=True)
class Decoded:
    """One record, understood.

    `type` names the record for the count of other records (`progress`, `event_msg/token_count`); `known` is False
    when the format has never heard of it or of one of its blocks. `time` is in milliseconds since 1970 UTC.
    A record without pieces is an other record, except an `empty` one: a message of which nothing is left to show
    (reasoning that the agent kept to itself, an empty text). `places` is how many piece numbers the record takes: one
    for each of its blocks, understood or not, so that what is glued behind it keeps its numbers. `detail_of` is the id
    of a call about which this record tells more than its result does.
    """

    type: str
    known: bool = True
    pieces: tuple[Piece, ...] = ()
    time: int | None = None
    native_id: str | None = None
    parent_id: str | None = None
    empty: bool = False
    places: int = 1
    compaction: Compaction | None = None
    """What the record tells of a compaction, when its system piece stands where one was made: boundary and summary."""
    detail_of: str | None = None
    seal: Seal | None = None
    echoes: frozenset[int] = frozenset()
    """Numbers of pieces that are none where something before says the same: see `Hearing`."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the agent reports them. `input` excludes what was read from or written to the cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )


@dataclass(slots=True)
class Facts:
    """What the records of one source say about the session as a whole; filled by a fold, `None` until said.

    `title` is the explicit (renamed) one, `generated_title` the agent's own, `first_prompt` the first real prompt;
    `sidechain` says that all that was said so far, and so the prompt, is of a side conversation as subagents hold it.
    `context_tokens` and `context_window` are the fill after the newest API message. `joined_calls` maps the id of a
    subagent to the call that started it, as far as this source tells.
    """

    session_id: str | None = None
    title: str | None = None
    generated_title: str | None = None
    first_prompt: str | None = None
    sidechain: bool = False
    cwd: str | None = None
    branch: str | None = None
    forked_from: str | None = None
    parent: str | None = None
    agent_name: str | None = None
    models: dict[str, int] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    usage: Usage | None = None
    context_tokens: int | None = None
    context_window: int | None = None
    joined_calls: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mark:
    """A flag that a later record sets on (or, with `on=False`, takes from) the row of an earlier piece."""

    row: int
    flag: Flag
    on: bool = True


class Fold(Protocol):
    """State that walks the records of one source in order. Copyable, so that a refreshed view goes on from it."""

    facts: Facts

    def add(self, record: Mapping[str, Any], decoded: Decoded, rows: range) -> Iterable[Mark]:
        """Take the next record, whose pieces got `rows` (one per piece, in order); return marks on any rows so far.

        Rows of this record may be marked too. Never called for unreadable records.
        """
        ...

    def copy(self) -> Fold:
        """Return an independent copy."""
        ...


@runtime_checkable
class Hearing(Protocol):
    """A fold of a format some of whose records repeat what was said, and now and then are the only ones to say it."""

    def unheard(self, decoded: Decoded) -> Decoded:
        """Return a record without those of its `echoes` that were said before it."""
        ...


class Format(Protocol):
    """What one agent's records mean."""

    @property
    def agent(self) -> str:
        """The name used in references: `claude`, `codex`."""
        ...

    def detect(self, head: Sequence[Mapping[str, Any]]) -> bool:
        """Say whether the first records of a source look like this agent's."""
        ...

    def decode(self, record: Mapping[str, Any]) -> Decoded:
        """Turn one record into pieces; must never raise, whatever JSON object it is given."""
        ...

    def fold(self) -> Fold:
        """Return a fresh fold state."""
        ...

    def headline(self, tool: str, arguments: Any) -> str:
        """Return the one argument that tells most about a call (a command, a path), or an empty string."""
        ...

    def files(self, tool: str, arguments: Any) -> tuple[str, ...]:
        """Return the paths that a call names in its structured arguments, in order, without repeats."""
        ...

    def detail(self, record: Mapping[str, Any]) -> Any | None:
        """Return the richer form of a tool result in its own record or in one with `detail_of`; mostly `None`."""
        ...
