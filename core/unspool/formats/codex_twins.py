"""Which records of a rollout say one message twice.

Codex logs a message as an item (what the model gets) and as an event (what the app shows), newer versions as the item
of an `item_completed` event. The second one written is a twin. Two records of one kind never are, however equal.

The two texts are compared without white space, since blocks are joined differently, and without what only one side
has: marks around images, memory citations, plans (logged as a message of their own), editor context before a request.
A message is looked for among those of the same turn alone, the nearest first: the same words said again in another
turn are another message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from unspool.formats.base import Flag, Kind, Piece, TextPart
from unspool.formats.codex_context import REQUEST, without_image_tags
from unspool.sources.json_value import Clipped

_COMPARED: Final = 4_096
"""Characters of a clipped text that are compared: its end is not at hand."""

_CITATION = re.compile(r"<oai-mem-citation>.*?(?:</oai-mem-citation>|\Z)", re.DOTALL)
_PLAN = re.compile(r"<proposed_plan>(.*?)(?:</proposed_plan>|\Z)", re.DOTALL)


class Record(Enum):
    """The kinds of record that can say the same message."""

    ITEM = "response_item"
    EVENT = "event_msg"
    COMPLETED = "event_msg/item_completed"
    TURN_END = "event_msg/task_complete"

    @classmethod
    def of(cls, record_type: str) -> Record:
        """Return the kind of a decoded record by its type."""
        for kind in (cls.COMPLETED, cls.TURN_END):
            if record_type == kind.value:
                return kind
        return cls.EVENT if record_type.startswith(cls.EVENT.value) else cls.ITEM


class Channel(Enum):
    """Messages are compared with those of the same channel only."""

    USER = "user"
    ASSISTANT = "assistant"
    REASONING = "reasoning"
    SYSTEM = "system"

    @classmethod
    def of(cls, piece: Piece) -> Channel | None:
        """Return the channel of a piece; tools have none, they are linked by call id."""
        if piece.kind == Kind.ASSISTANT:
            return cls.REASONING if Flag.REASONING in piece.flags else cls.ASSISTANT
        return {Kind.USER: cls.USER, Kind.SYSTEM: cls.SYSTEM}.get(piece.kind)


@dataclass(frozen=True, slots=True)
class Words:
    """A text as it is compared: its first characters, and a hash of all where all are at hand."""

    head: str
    whole: int | None

    def same(self, other: Words) -> bool:
        """Say whether both are one text, as far as is known."""
        return self.head == other.head and (self.whole == other.whole or None in (self.whole, other.whole))

    @classmethod
    def of(cls, text: str) -> Words:
        """Return the words of a text."""
        if isinstance(text, Clipped):
            return cls("".join(text[:_COMPARED].split())[: _COMPARED // 4], None)
        solid = "".join(text.split())
        return cls("".join(text[:_COMPARED].split())[: _COMPARED // 4], hash(solid))


@dataclass(slots=True)
class Message:
    """One message of the current turn: its words, each with the kinds of record that said them.

    A plan inside an answer, and each text of a reasoning item, is logged as an event of its own.
    """

    said: list[tuple[Words, set[Record]]]

    def copy(self) -> Message:
        """Return an independent copy."""
        return Message([(words, set(records)) for words, records in self.said])


class Twins:
    """The messages of the current turn, by channel, oldest first."""

    def __init__(self) -> None:
        self._messages: dict[Channel, list[Message]] = {channel: [] for channel in Channel}

    def copy(self) -> Twins:
        """Return an independent copy."""
        twin = Twins()
        twin._messages = {channel: [each.copy() for each in found] for channel, found in self._messages.items()}
        return twin

    def forget(self, *channels: Channel) -> None:
        """End the turn for some channels: what comes now is no twin of what was."""
        for channel in channels:
            self._messages[channel].clear()

    def take(self, channel: Channel, record: Record, piece: Piece) -> bool:
        """Take the next message; say whether other kinds of record said all of it before."""
        messages, wanted = self._messages[channel], _words(channel, piece)
        found = [_nearest(messages, words, record) for words in wanted]
        heard = [records for records in found if records is not None]
        if wanted and len(heard) == len(wanted):
            for records in heard:
                records.add(record)
            return True
        messages.append(Message([(words, {record}) for words in wanted]))
        return False


def _nearest(messages: list[Message], words: Words, record: Record) -> set[Record] | None:
    """Return the kinds of record that said these words, of the newest message that this kind has not said yet."""
    for message in reversed(messages):
        for said, records in message.said:
            if record not in records and said.same(words):
                return records
    return None


def _words(channel: Channel, piece: Piece) -> list[Words]:
    texts = [part.value for part in piece.parts if isinstance(part, TextPart)]
    if channel == Channel.ASSISTANT:
        return [words for text in texts for words in _assistant_words(text)]
    if channel == Channel.REASONING or any(isinstance(text, Clipped) for text in texts):
        return [Words.of(text) for text in texts]
    if channel == Channel.USER:
        whole = without_image_tags("\n".join(texts))
        return [Words.of(whole.rpartition(REQUEST)[2])]
    return [Words.of("\n".join(texts))]


def _assistant_words(text: str) -> Iterable[Words]:
    if isinstance(text, Clipped):
        return [Words.of(text)]
    visible = _CITATION.sub("", text) if "<oai-mem-citation>" in text else text
    plans = _PLAN.findall(visible) if "<proposed_plan>" in visible else []
    visible = _PLAN.sub("", visible) if plans else visible
    spoken = [visible] if visible.strip() or not plans else []
    return [Words.of(words) for words in (*spoken, *plans)]
