"""Which records of a rollout say one message twice.

Codex logs a message as an item (what the model gets) and as an event (what the app shows), newer versions as the item
of an `item_completed` event. The second one written is a twin. Two records of one kind never are, however equal.

The two texts are compared without white space, since blocks are joined differently, and without what only one side
has: marks around images, memory citations, plans (logged as a message of their own), editor context before a request.
Blocks of one answer are pieces of their own, and its event holds them joined: so they are also compared as one text.
A message is looked for among those of the same turn alone, the nearest first: the same words said again in another
turn are another message.

An item of a person's prompt may look like context that Codex put there. If an event says that it was typed, the event
is the evidence, in whatever order, and the item the twin: the item cannot tell who wrote it, the app can.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from hashlib import blake2b
from typing import Final

from unspool.dataclass import dataclass
from unspool.formats.codex_context import without_editor, without_image_tags
from unspool.formats.key import text_key
from unspool.formats.piece import Flag, Kind, Piece, TextPart
from unspool.named_tuple import NamedTuple
from unspool.pattern import pattern
from unspool.sources.json_value import Clipped
from unspool.text import unspaced

_COMPARED: Final = 4_096
"""Characters that are compared of a text whose end is not at hand. A shorter text is never clipped; a longer one has
the digest that it would have then."""

_CITATION = pattern(r"<oai-mem-citation>.*?(?:</oai-mem-citation>|\Z)", re.DOTALL)
_PLAN = pattern(r"<proposed_plan>(.*?)(?:</proposed_plan>|\Z)", re.DOTALL)


_BY_USER, _REASONING = int(Flag.BY_USER), int(Flag.REASONING)

_ANY: Final = "any"
_CLIPPED: Final = "clipped"
"""Buckets beside those of one whole text: every text with a head, and those of which the head alone is at hand."""
_Key = tuple[int, int | str]
"""The head of words, and a bucket."""


class Record(enum.IntEnum):
    """The kinds of record that can say the same message; several of them are the sum of their numbers."""

    ITEM = 1
    EVENT = 2
    COMPLETED = 4
    TURN_END = 8

    @classmethod
    def of(cls, record_type: str) -> Record:
        """Return the kind of a decoded record by its type."""
        if not record_type.startswith("event_msg"):
            return cls.ITEM
        if record_type == "event_msg/item_completed":
            return cls.COMPLETED
        return cls.TURN_END if record_type == "event_msg/task_complete" else cls.EVENT


class Channel(enum.IntEnum):
    """Messages are compared with those of the same channel only."""

    USER = 0
    ASSISTANT = 1
    REASONING = 2
    SYSTEM = 3
    SHELL = 4

    @classmethod
    def of(cls, piece: Piece) -> Channel | None:
        """Return the channel of a piece; the agent's tools have none, they are linked by call id."""
        kind, flags = piece.kind, int(piece.flags)  # asked of every piece, and `in` costs a microsecond
        if kind == Kind.TOOL:
            return cls.SHELL if flags & _BY_USER else None
        if kind == Kind.ASSISTANT:
            return cls.REASONING if flags & _REASONING else cls.ASSISTANT
        return cls.USER if kind == Kind.USER else cls.SYSTEM


class Words(NamedTuple):
    """A text as it is compared: a hash of its first characters, and one of all where all are at hand."""

    head: int
    whole: int | None

    @classmethod
    def of(cls, text: str) -> Words:
        """Return the words of a text."""
        words = unspaced(text[:_COMPARED])
        head = text_key(words[: _COMPARED // 4])
        if isinstance(text, Clipped):
            return cls(head, None if text.words is None else text_key(text.words))
        if len(text) <= _COMPARED:
            return _words_of((head, head if len(words) <= _COMPARED // 4 else text_key(words)))
        return cls(head, text_key(blake2b(unspaced(text), digest_size=16).digest()))


_words_of: Final[Callable[[tuple[int, int | None]], Words]] = partial(tuple.__new__, Words)


class Said:
    """What was said in one channel of the current turn: words, by number in the order in which they are nearest.

    Each stands in the buckets under which it is looked for. The last of a bucket is mostly the one; where it is not, a
    kind of record gets the bucket for itself, and what it has said since is taken out when it comes up: so everything
    is put in and taken out once.
    """

    def __init__(self) -> None:
        self.anything = False
        self._records: list[int] = []
        self._rows: list[int | None] = []
        self._buckets: dict[_Key, list[int]] = {}
        self._own: dict[tuple[int, _Key], tuple[int, list[int]]] = {}
        """By kind of record and key: how many of a bucket it has got, and those that it has not said."""

    def nearest(self, words: Words, record: Record) -> int | None:
        """Return the number of the nearest words that are the same, as far as is known, and not said by this kind."""
        head, whole = words
        if whole is None:
            return self._last((head, _ANY), record)
        found = self._last((head, whole), record)
        if (head, _CLIPPED) not in self._buckets:
            return found
        clipped = self._last((head, _CLIPPED), record)
        return clipped if found is None or (clipped is not None and clipped > found) else found

    def _last(self, key: _Key, record: Record) -> int | None:
        bucket, records = self._buckets.get(key), self._records
        if bucket is None:
            return None
        if not record & records[bucket[-1]]:
            return bucket[-1]
        got, unsaid = self._own.get((int(record), key), (0, []))
        unsaid += bucket[got:]
        self._own[int(record), key] = len(bucket), unsaid
        while unsaid and record & records[unsaid[-1]]:
            unsaid.pop()
        return unsaid[-1] if unsaid else None

    def say(self, number: int, record: Record) -> int | None:
        """Note that one more kind of record has said words; return the row that they were remembered with, once."""
        self._records[number] |= int(record)
        row, self._rows[number] = self._rows[number], None
        return row

    def remember(self, message: Iterable[Words], record: Record, row: int | None) -> None:
        """Take a message: of its words the first are the nearest."""
        self.anything = True
        for words in reversed([*message]):
            number = len(self._records)
            self._records.append(int(record))
            self._rows.append(row)
            for each in (_CLIPPED if words.whole is None else words.whole, _ANY):
                self._buckets.setdefault((words.head, each), []).append(number)


@dataclass(frozen=True, slots=True)
class Heard:
    """A message that was said before: it is the twin, unless it `overrules` an earlier row, which is the twin then."""

    overrules: int | None


class Twins:
    """The messages of the current turn, by channel."""

    def __init__(self) -> None:
        self._said = [Said() for _ in Channel]
        self._answers: set[Words] = set()
        """All that the model said in the session: an echo may stand behind what the person put in between."""

    def is_answer(self, piece: Piece) -> bool:
        """Say whether the model said all of a piece before, in whatever turn."""
        return all(words in self._answers for words in _words(Channel.ASSISTANT, piece))

    def forget(self, *channels: Channel) -> None:
        """End the turn for some channels: what comes now is no twin of what was."""
        for channel in channels:
            if self._said[channel].anything:
                self._said[channel] = Said()

    def take(self, channel: Channel, record: Record, piece: Piece, row: int | None = None) -> Heard | None:
        """Take the next message; say whether other kinds of record said all of it before, `None` if not.

        With a `row` the message is a user's that looks like context, which an event of the same words overrules.
        """
        return self._take(channel, record, _words(channel, piece), row)

    def take_text(self, channel: Channel, record: Record, text: str) -> Heard | None:
        """Take the next message of the model, which is one text."""
        return self._take(channel, record, _assistant_words(text) if channel is Channel.ASSISTANT else [Words.of(text)])

    def _take(self, channel: Channel, record: Record, wanted: list[Words], row: int | None = None) -> Heard | None:
        said = self._said[channel]
        if channel is Channel.ASSISTANT:
            self._answers.update(wanted)
        heard: list[int] = []
        for words in wanted:
            number = said.nearest(words, record)
            if number is None:
                break
            heard.append(number)
        if not wanted or len(heard) < len(wanted):
            said.remember(wanted, record, row)
            return None
        rows = [said.say(number, record) for number in heard]
        return Heard(next((each for each in rows if each is not None), None))

    def hears(self, channel: Channel, record: Record, pieces: Sequence[Piece]) -> bool:
        """Say whether other kinds of record said the pieces of a message as one text before."""
        joined = _joined(channel, pieces)
        number = None if joined is None else self._said[channel].nearest(joined, record)
        if joined is None or number is None:
            return False
        self._said[channel].say(number, record)
        if channel is Channel.ASSISTANT:
            self._answers.add(joined)
            self._answers.update(words for piece in pieces for words in _words(channel, piece))
        return True

    def remember(self, channel: Channel, record: Record, pieces: Sequence[Piece]) -> None:
        """Take the pieces of a message as one text, beside each of them."""
        joined = _joined(channel, pieces)
        if joined is not None:
            self._said[channel].remember([joined], record, None)
            if channel is Channel.ASSISTANT:
                self._answers.add(joined)

    def take_context(self, piece: Piece, row: int) -> Heard | None:
        """Take an item in the user's name that looks like context: a notice has a twin too, and so has a prompt."""
        heard = self.take(Channel.SYSTEM, Record.ITEM, piece)
        return heard or self.take(Channel.USER, Record.ITEM, piece, row)


def _joined(channel: Channel, pieces: Sequence[Piece]) -> Words | None:
    """Return the words of several texts as one; `None` where there is only one, or where an end is not at hand."""
    texts = [part.value for piece in pieces for part in piece.parts if isinstance(part, TextPart)]
    if len(texts) < 2 or any(isinstance(text, Clipped) for text in texts):
        return None
    whole = "\n".join(texts)
    return Words.of(_CITATION.sub("", whole) if channel == Channel.ASSISTANT else whole)


def _words(channel: Channel, piece: Piece) -> list[Words]:
    texts = [part.value for part in piece.parts if type(part) is TextPart]
    if channel == Channel.ASSISTANT:
        return [words for text in texts for words in _assistant_words(text)]
    if channel == Channel.REASONING or any(isinstance(text, Clipped) for text in texts):
        return [Words.of(text) for text in texts]
    if channel == Channel.USER:
        whole = without_image_tags("\n".join(texts))
        return [Words.of(without_editor(whole))]
    return [Words.of("\n".join(texts))]


def _assistant_words(text: str) -> list[Words]:
    if isinstance(text, Clipped):
        return [Words.of(text)]
    visible = _CITATION.sub("", text) if "<oai-mem-citation>" in text else text
    if "<proposed_plan>" not in visible:
        return [Words.of(visible)]
    spoken = _PLAN.sub("", visible)
    return [Words.of(words) for words in (*([spoken] if spoken.strip() else []), *_PLAN.findall(visible))]
