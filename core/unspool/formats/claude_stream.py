"""What only Claude Code's stream-json tells: how a run ended, and what it said in all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from unspool.formats.claude_blocks import words
from unspool.formats.facts import Usage
from unspool.formats.fields import count_of, identity, mapping, text
from unspool.formats.piece import Flag, Kind, Piece

if TYPE_CHECKING:
    from unspool.formats.claude_message import Found

ECHO: Final = 0
"""The number of the piece that repeats the last answer; where nothing else was streamed, it stands here alone."""

_ERRORS: Final = 1
_COUNTS: Final = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")


def result_pieces(record: Mapping[str, Any]) -> Found:
    """Return the last answer of a run, and what went wrong in it; a result of another writer is bookkeeping."""
    if text(record.get("subtype")) is None:
        return [], True
    native, failed = identity(record.get("uuid")), record.get("is_error") is True
    kind, flags = (Kind.SYSTEM, Flag.ERROR) if failed else (Kind.ASSISTANT, Flag(0))
    pieces = []
    if said := words((), record, ("result",)):
        pieces.append(Piece(ECHO, kind, tuple(said), flags=flags, native_id=native))
    if wrong := words((), record, ("errors", "*")):
        pieces.append(Piece(_ERRORS, Kind.SYSTEM, tuple(wrong), flags=Flag.ERROR, native_id=native))
    return pieces, True


def used_in_all(record: Mapping[str, Any]) -> Usage | None:
    """Return the tokens of a run, of all its models; `None` where the result does not tell."""
    told = [mapping(used) for used in mapping(record.get("modelUsage")).values()]
    counts = [sum(count_of(used.get(name)) for used in told) for name in _COUNTS]
    return Usage(*counts) if any(counts) else None
