"""Prompts that a person typed while Claude Code worked: they wait in a queue, whose log holds their words.

An `enqueue` is the person's prompt from the moment it is written, also when the session ends before anything took it
out. Mostly it is delivered: a user record, or an attachment, says it again in its place in the conversation, with an id
of its own and a parent. That one is the evidence then, and the waiting one its twin. What delivers a prompt:

- a record with the same words, also when these are wrapped in what the harness makes of them: a command's envelope or
  element, context in front;
- for what was taken out of the queue (`dequeue`, `remove`, `popAll`): the next prompt, when it holds the words as lines
  of its own, since prompts that waited together are delivered as one, or when it has them all but for references to
  pasted text, in whose place it has that text.

A next prompt of other words delivers nothing: what was taken out and is said nowhere else is the evidence itself.

The queue's other operations, and notifications of the harness that wait in it, are other records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final

from unspool.dataclass import dataclass, replace
from unspool.formats.base import Mark
from unspool.formats.claude_blocks import said_at
from unspool.formats.claude_message import Found, message_piece
from unspool.formats.claude_voice import as_typed
from unspool.formats.fields import mapping, text
from unspool.formats.piece import Flag, Kind, Part, Piece
from unspool.pattern import pattern
from unspool.sources.json_value import BadJson, Clipped, loads_exact

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded

WAITING: Final = 64
"""Prompts that are remembered as waiting: nobody queues more, and what is older was never delivered."""
_NOTICE_CHARACTERS: Final = 4_096
"""A notification in JSON is short; longer texts are not decoded to find out."""
_REFERENCE: Final = pattern(r"\[(?:Pasted text|\.\.\.Truncated text) #\d+(?: \+\d+ lines)?(?:\.\.\.)?\]")
"""What stands for a pasted text while a prompt waits."""


def queued_pieces(record: Mapping[str, Any]) -> Found:
    """Return the prompt that a record of the queue holds, if a person typed one."""
    if record.get("operation") != "enqueue":
        return [], True
    said, _ = said_at(("content",), record.get("content"))
    pieces = message_piece(record, said)
    return [piece for piece in pieces if piece.kind == Kind.USER and not _is_notice(piece)], True


class _State(Enum):
    QUEUED = auto()
    TAKEN = auto()
    PASSED = auto()
    """Taken out, and the next prompt held other words."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """What waits in the queue: its words, its row (`None` for a notification), and how far it got."""

    words: str
    row: int | None
    state: _State = _State.QUEUED


class Queue:
    """Follows the queue and marks the rows of prompts that were delivered."""

    def __init__(self) -> None:
        self._waiting: tuple[_Waiting, ...] = ()

    def add(self, record: Mapping[str, Any], decoded: Decoded, rows: range, *, aside: bool) -> list[Mark]:
        """Take the next record and return marks on earlier rows; what is said `aside` delivers nothing."""
        kind = record.get("type")
        if kind == "queue-operation":
            self.operate(record, rows)
        elif self._waiting and (kind == "user" or kind == "attachment") and not aside:
            for piece in decoded.pieces:
                if piece.kind != Kind.TOOL or Flag.BY_USER in piece.flags:
                    return self.delivered(piece)
        return []

    @property
    def waits(self) -> bool:
        """Whether anything waits to be delivered."""
        return bool(self._waiting)

    def operate(self, record: Mapping[str, Any], rows: range) -> None:
        """Take an operation on the queue; what it puts in has a row, if a person typed it."""
        operation, words = text(record.get("operation")), _words(record.get("content"))
        if operation == "enqueue":
            self._waiting = (*self._waiting, _Waiting(words, next(iter(rows), None)))[-WAITING:]
            return
        for place, one in enumerate(self._waiting):
            if one.state is _State.QUEUED and (operation != "remove" or one.words == words):
                self._waiting = (*self._waiting[:place], replace(one, state=_State.TAKEN), *self._waiting[place + 1 :])
                if operation != "popAll":
                    return

    def delivered(self, piece: Piece) -> list[Mark]:
        """Take what a piece delivers out of the queue, and mark it."""
        words = _exact(piece.parts)
        same = words, as_typed(words)
        found = [one for one in self._waiting if one.words in same][:1]
        if not found and _is_prompt(piece, words):
            taken = [one for one in self._waiting if one.state is _State.TAKEN and one.words]
            found = [one for one in taken if _holds(words, one.words)]
            if taken and not found:
                self._waiting = tuple(
                    replace(one, state=_State.PASSED) if one in taken else one for one in self._waiting
                )
        if found:
            self._waiting = tuple(one for one in self._waiting if one not in found)
        return [Mark(one.row, Flag.TWIN) for one in found if one.row is not None]


def _holds(prompt: str, words: str) -> bool:
    """Say whether a prompt holds words as lines of its own, or is them with texts in the place of their references."""
    if f"\n{words}\n" in f"\n{prompt}\n":
        return True
    first, *others = _REFERENCE.split(words)
    if not others or not prompt.startswith(first):
        return False
    position, last = len(first), others.pop()
    for own in others:
        found = prompt.find(own, position)
        if found < 0:
            return False
        position = found + len(own)
    return len(prompt) >= position + len(last) and prompt.endswith(last)


def _words(content: Any) -> str:
    parts = (part for _, parts in said_at((), content)[0] for part in parts)
    return _exact(parts)


def _exact(parts: Iterable[Part]) -> str:
    """Return a text; behind the head of one whose end is not held, what tells it from others."""
    texts = [part.text() for part in parts]
    told = [text.words.hex() for text in texts if isinstance(text, Clipped) and text.words is not None]
    return "\0".join(["\n".join(texts).strip(), *told])


def _is_prompt(piece: Piece, words: str) -> bool:
    """Say whether a piece is what a person sent: a prompt, a command for the app, or one for the shell."""
    return piece.kind != Kind.SYSTEM or words.startswith("<command-")


def _is_notice(piece: Piece) -> bool:
    """Say whether a prompt is a notification about a task, which older versions queued as JSON."""
    words = piece.text()
    if len(words) > _NOTICE_CHARACTERS or not words.startswith("{"):
        return False
    try:
        notice = mapping(loads_exact(words))
    except BadJson:
        return False
    return "task_id" in notice and ("task_type" in notice or "tool_use_id" in notice)
