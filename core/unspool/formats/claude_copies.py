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

from unspool.dataclass import dataclass, field
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
"""Records whose rows are remembered: a refusal follows what it retracts."""

_INPUT: Final = ToolPart.INPUT

_Line = tuple[str | None, int]
"""A key of all blocks of a line, beside the id of the record that it hangs on, or of its own."""
_Value = TypeVar("_Value")


@dataclass(slots=True)
class _Message:
    """An API message as far as it was written: keys of its blocks in order and of its calls, its lines and records."""

    blocks: list[int] = field(default_factory=list)
    calls: set[int] = field(default_factory=set)
    lines: set[_Line] = field(default_factory=set)
    records: set[_Line] = field(default_factory=set)


class Copies:
    """Follows the lines of API messages and marks rows of blocks that were written before, or taken back."""

    def __init__(self) -> None:
        self._messages: dict[str, _Message] = {}
        self._rows: dict[str, range] = {}

    def add(self, record: Mapping[str, Any], decoded: Decoded, rows: range) -> list[Mark]:
        """Take the next record and return marks on its rows and on earlier ones."""
        marks = self._retracted(record) if "retractedMessageUuids" in record else []
        if record.get("type") == "assistant":
            marks += self._repeated(mapping(record.get("message")), decoded, rows)
        if decoded.native_id is not None and decoded.native_id not in self._rows:
            _keep(self._rows, decoded.native_id, rows, RECENT_ROWS)
        return marks

    def _repeated(self, message: Mapping[str, Any], decoded: Decoded, rows: range) -> list[Mark]:
        name = identity(message.get("id"))
        if name is None:
            return []
        known, pieces, own = self._messages.pop(name, None) or _Message(), decoded.pieces, decoded.native_id
        _keep(self._messages, name, known, RECENT_MESSAGES)
        keys = [hash((fingerprint(piece), int(piece.flags))) for piece in pieces]
        blocks = _blocks(message.get("content"), pieces, keys)
        said = hash(tuple(blocks))
        line, record = (decoded.parent_id, said), (own, said)
        copied = _copied(known, blocks, line) if known.lines else 0
        marks = _marks(known, pieces, keys, rows, copied) if known.blocks else []
        is_again = own is not None and record in known.records
        if not is_again and copied < len(blocks) and len(known.blocks) <= RECENT_BLOCKS:
            known.blocks += blocks[copied:]
            known.lines.add(line)
            known.records.add(record)
            for key, piece in zip(keys, pieces, strict=True):
                if piece.tool_part is _INPUT:
                    known.calls.add(key)
        return marks

    def _retracted(self, record: Mapping[str, Any]) -> list[Mark]:
        named = filter(None, map(identity, items(record.get("retractedMessageUuids"))))
        return [Mark(row, Flag.ABANDONED) for uuid in named for row in self._rows.get(uuid, range(0))]


def _blocks(content: Any, pieces: Sequence[Piece], keys: list[int]) -> list[int]:
    """Return what is the same for two writings of each block: what it says; when it says nothing, its signature."""
    if isinstance(content, list) and len(content) == len(keys):  # each of them is a piece
        return keys
    said = {piece.number: key for piece, key in zip(pieces, keys, strict=True)}
    return [
        said[number] if number in said else key_of(block_type(block), identity(mapping(block).get("signature")))
        for number, _, block in blocks_at((), content)
    ]


def _copied(known: _Message, blocks: list[int], line: _Line) -> int:
    """Return how many blocks at the beginning of a line were written before."""
    written = len(known.blocks)
    if 0 < written <= min(len(blocks), RECENT_BLOCKS) and blocks[:written] == known.blocks:
        return written
    return len(blocks) if line[0] is not None and line in known.lines else 0


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
