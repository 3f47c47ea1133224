"""What Claude Code wrote again within one API message, and what it took back.

An API message is written as several lines, one block each. Now and then a later line is cumulative: it holds the
blocks of earlier lines again, under an id of its own. A block that equals an earlier line's block of the same message
is replayed. A message that a refusal names as retracted was never part of the conversation: it is abandoned.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from unspool.formats.base import Decoded, Flag, Mark, Piece, TextPart, ToolPart
from unspool.formats.fields import items, mapping, text
from unspool.sources.json_value import Clipped

RECENT_MESSAGES: Final = 64
"""API messages whose blocks are remembered: lines of one message lie near each other, between parallel results."""
RECENT_BLOCKS: Final = 256
"""Blocks of one message that are remembered: more than a message has, and few enough to be compared one by one."""
RECENT_ROWS: Final = 1_024
"""Records whose rows are remembered: a refusal follows what it retracts."""

_Key = tuple[object, ...]
_Value = TypeVar("_Value")


class Copies:
    """Follows the lines of API messages and marks rows of blocks that were written before, or taken back."""

    def __init__(self) -> None:
        self._blocks: dict[str, tuple[_Key, ...]] = {}
        self._rows: dict[str, range] = {}

    def add(self, record: Mapping[str, Any], decoded: Decoded, rows: range) -> list[Mark]:
        """Take the next record and return marks on its rows and on earlier ones."""
        marks = self._retracted(record) if "retractedMessageUuids" in record else []
        if rows and record.get("type") == "assistant":
            marks += self._repeated(text(mapping(record.get("message")).get("id")), decoded, rows)
        if decoded.native_id is not None and decoded.native_id not in self._rows:
            _keep(self._rows, decoded.native_id, rows, RECENT_ROWS)
        return marks

    def copy(self) -> Copies:
        """Return an independent copy."""
        twin = Copies()
        twin._blocks, twin._rows = self._blocks.copy(), self._rows.copy()
        return twin

    def _repeated(self, message: str | None, decoded: Decoded, rows: range) -> list[Mark]:
        if message is None:
            return []
        keys = [_key(piece) for piece in decoded.pieces]
        earlier = self._blocks.get(message, ())
        _keep(self._blocks, message, (*earlier, *keys)[-RECENT_BLOCKS:], RECENT_MESSAGES)
        if not earlier:
            return []
        marks: list[Mark] = []
        for row, key, piece in zip(rows, keys, decoded.pieces, strict=True):
            if key in earlier:
                marks.append(Mark(row, Flag.REPLAYED))
                if piece.tool_part == ToolPart.INPUT:
                    marks.append(Mark(row, Flag.UNANSWERED, on=False))
        return marks

    def _retracted(self, record: Mapping[str, Any]) -> list[Mark]:
        named = filter(None, map(text, items(record.get("retractedMessageUuids"))))
        return [Mark(row, Flag.ABANDONED) for uuid in named for row in self._rows.get(uuid, range(0))]


def _key(piece: Piece) -> _Key:
    """Return what is the same for two writings of one block: the call's id, else kind and text."""
    if piece.call_id is not None:
        return piece.call_id, piece.tool_part == ToolPart.INPUT
    values = [part.value if isinstance(part, TextPart) else part.text() for part in piece.parts]
    sizes = [value.span[1] - value.span[0] if isinstance(value, Clipped) else len(value) for value in values]
    return int(piece.kind), int(piece.flags), *map(hash, values), *sizes


def _keep(kept: dict[str, _Value], key: str, value: _Value, limit: int) -> None:
    """Put a value at the end of a mapping that forgets its oldest."""
    kept.pop(key, None)
    kept[key] = value
    if len(kept) > limit:
        del kept[next(iter(kept))]
