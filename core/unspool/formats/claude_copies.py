"""What Claude Code wrote again within one API message, and what it took back.

An API message is written as several lines, one block each, all under its id. Now and then a line is no next one:

- a *cumulative* line begins with every block that the message has so far, in order, before what is new;
- a *second writing* of a line holds the same blocks and hangs on the same record.

Blocks that were written before, in one of these ways, are replayed; so is a call of the same id and arguments.
The same words at another place of the message were said twice. A message that a refusal names as retracted was never
part of the conversation: it is abandoned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from unspool.dataclass import dataclass
from unspool.formats.base import Mark
from unspool.formats.claude_blocks import block_type, blocks_at
from unspool.formats.fields import identity, items, mapping
from unspool.formats.fingerprint import fingerprint
from unspool.formats.key import key_of
from unspool.formats.piece import Flag, Piece, ToolPart

if TYPE_CHECKING:
    from unspool.formats.decoded import Decoded

RECENT_MESSAGES: Final = 64
"""API messages whose blocks are remembered: lines of one message lie near each other, between parallel results."""
RECENT_BLOCKS: Final = 256
"""Blocks of one message that are remembered: more than a message has. Of one that has more nothing is told further."""
RECENT_ROWS: Final = 1_024
"""Records whose rows are remembered, at most twice as many: a refusal follows what it retracts."""

_INPUT: Final = ToolPart.INPUT

_Line = tuple[str | None, int]
"""A key of all blocks of a line, beside the id of the record that it hangs on, or of its own."""
_Value = TypeVar("_Value")


@dataclass(slots=True)
class _Message:
    """An API message as far as it was written: keys of its blocks in order and of its calls, its lines and records."""

    blocks: list[int]
    calls: set[int]
    lines: list[_Line]
    records: list[_Line]

    def copied(self, blocks: list[int], parent: str | None) -> int:
        """Return how many blocks at the beginning of a line that hangs on `parent` were written before."""
        written = len(self.blocks)
        if 0 < written <= min(len(blocks), RECENT_BLOCKS) and blocks[:written] == self.blocks:
            return written
        return len(blocks) if parent is not None and (parent, hash(tuple(blocks))) in self.lines else 0

    def take(self, blocks: list[int], copied: int, parent: str | None, own: str | None, calls: Sequence[int]) -> None:
        """Take the line of a record, unless all of it is known, or more than is remembered."""
        if copied == len(blocks) or len(self.blocks) > RECENT_BLOCKS:
            return
        said = hash(tuple(blocks))
        if own is not None and (own, said) in self.records:
            return
        self.blocks += blocks[copied:]
        self.lines.append((parent, said))
        self.records.append((own, said))
        self.calls.update(calls)


class Copies:
    """Follows the lines of API messages and marks rows of blocks that were written before, or taken back."""

    def __init__(self) -> None:
        self._messages: dict[str, _Message] = {}
        self._newest: tuple[str | None, _Message] = None, _Message([], set(), [], [])
        self._rows: dict[str, range] = {}
        self._older_rows: dict[str, range] = {}

    def add(self, record: Mapping[str, Any], decoded: Decoded, rows: range) -> list[Mark]:
        """Take the next record and return marks on its rows and on earlier ones."""
        marks = self._retracted(record) if "retractedMessageUuids" in record else []
        if record.get("type") == "assistant":
            marks += self._repeated(mapping(record.get("message")), decoded, rows)
        if decoded.native_id is not None:
            self.note(decoded.native_id, rows)
        return marks

    def note(self, uuid: str, rows: range) -> None:
        """Remember the rows of a record."""
        if uuid not in self._rows and uuid not in self._older_rows:
            if len(self._rows) >= RECENT_ROWS:
                self._older_rows, self._rows = self._rows, {}
            self._rows[uuid] = rows

    def repeated(self, name: str, key: int, parent: str | None, own: str, *, is_call: bool) -> bool:
        """Take a line of one block, of which `key` is what it says; say whether that was written before."""
        known, blocks = self._message(name), [key]
        copied = known.copied(blocks, parent)
        again = copied > 0 or (is_call and key in known.calls)
        known.take(blocks, copied, parent, own, blocks if is_call else ())
        return again

    def _repeated(self, message: Mapping[str, Any], decoded: Decoded, rows: range) -> list[Mark]:
        name = identity(message.get("id"))
        if name is None:
            return []
        known, pieces = self._message(name), decoded.pieces
        keys = [hash((fingerprint(piece), int(piece.flags))) for piece in pieces]
        blocks = _blocks(message.get("content"), pieces, keys)
        copied = known.copied(blocks, decoded.parent_id)
        marks = _marks(known, pieces, keys, rows, copied) if known.blocks else []
        calls = [key for key, piece in zip(keys, pieces, strict=True) if piece.tool_part is _INPUT]
        known.take(blocks, copied, decoded.parent_id, decoded.native_id, calls)
        return marks

    def _message(self, name: str) -> _Message:
        """Return what is known of a message, which is the newest now."""
        if name == self._newest[0]:
            return self._newest[1]
        known = self._messages.pop(name, None) or _Message([], set(), [], [])
        _keep(self._messages, name, known, RECENT_MESSAGES)
        self._newest = name, known
        return known

    def _retracted(self, record: Mapping[str, Any]) -> list[Mark]:
        named = filter(None, map(identity, items(record.get("retractedMessageUuids"))))
        return [Mark(row, Flag.ABANDONED) for uuid in named for row in self._rows_of(uuid)]

    def _rows_of(self, uuid: str) -> range:
        return self._rows.get(uuid) or self._older_rows.get(uuid, range(0))


def _blocks(content: Any, pieces: Sequence[Piece], keys: list[int]) -> list[int]:
    """Return what is the same for two writings of each block: what it says; when it says nothing, its signature."""
    if isinstance(content, list) and len(content) == len(keys):  # each of them is a piece
        return keys
    said = {piece.number: key for piece, key in zip(pieces, keys, strict=True)}
    return [
        said[number] if number in said else key_of(block_type(block), identity(mapping(block).get("signature")))
        for number, _, block in blocks_at((), content)
    ]


def _marks(known: _Message, pieces: Sequence[Piece], keys: list[int], rows: range, copied: int) -> list[Mark]:
    """Mark the rows of a line whose blocks, or calls, were written before."""
    marks: list[Mark] = []
    for row, piece, key in zip(rows, pieces, keys, strict=True):
        is_call = piece.tool_part is _INPUT and piece.call_id is not None
        if piece.number < copied or (is_call and key in known.calls):
            marks.append(Mark(row, Flag.REPLAYED))
            if is_call:
                marks.append(Mark(row, Flag.UNANSWERED, on=False))
    return marks


def _keep(kept: dict[str, _Value], key: str, value: _Value, limit: int) -> None:
    """Put a value that is not there at the end of a mapping that forgets its oldest."""
    kept[key] = value
    if len(kept) > limit:
        del kept[next(iter(kept))]
