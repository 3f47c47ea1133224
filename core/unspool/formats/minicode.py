"""MiniCode, and whatever writes its log with this library: JSON Lines, one event a line, tagged by `type`.

| event                          | meaning                                                                            |
|--------------------------------|------------------------------------------------------------------------------------|
| `user`                         | user; system when it is the summary that a compaction wrote: that has no id inside |
| `assistant`, `progress`        | assistant                                                                          |
| `thinking`                     | assistant, `reasoning`, one piece a block that can be read                         |
| `tool_call`                    | tool, input                                                                        |
| `tool_result`                  | tool, output; `shortened` when it was cleared to make room                         |
| `compact_boundary`             | system: its trigger and tokens                                                     |
| `snip_boundary`, `summary`,    | system                                                                             |
| `system`                       |                                                                                    |
| `context_collapse`, `rename`   | other                                                                              |
| unknown types, other contents  | other                                                                              |

Behind a boundary the messages that were kept are written once more under their ids: those are `replayed`. What a snip
or a collapse took from the model's sight was said all the same, and stays evidence as what was said before a compaction
does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from unspool.formats import fields
from unspool.formats.decoded import Compaction, Decoded
from unspool.formats.headline import files_of, headline_of
from unspool.formats.minicode_fold import MiniCodeFold
from unspool.formats.minicode_sign import is_typical
from unspool.formats.parts import json_parts, text_or_json_parts, text_parts
from unspool.formats.piece import Flag, Kind, Part, Piece, ToolPart
from unspool.named_tuple import NamedTuple

if TYPE_CHECKING:
    from unspool.formats.base import Fold

_TYPE_CHARACTERS: Final = 64
"""A type names events in counts; a longer one is cut."""

_CLEARED: Final = "[Output cleared for context space]"
"""What takes the place of an old result when the context fills up."""

_REASONING_BLOCKS: Final = ("thinking", "redacted_thinking")
_HELD: Final = "message"
_BOUNDARY: Final = "compactMetadata"
_SNIP: Final = "snipMetadata"


class _Found(NamedTuple):
    """What an event gave: its pieces, and whether all of it was known."""

    pieces: tuple[Piece, ...]
    known: bool = True


class MiniCode:
    """MiniCode's events, with and without results that are saved beside the session."""

    agent: Final = "minicode"

    def detect(self, head: Sequence[Mapping[str, Any]]) -> bool:
        """Say whether one of the first records is an event as MiniCode writes it."""
        return any(map(is_typical, head))

    def decode(self, record: Mapping[str, Any]) -> Decoded:
        """Turn one event into pieces."""
        kind = fields.text(record.get("type")) or ""
        read = _SPEAKING.get(kind)
        found = read(record) if read is not None else _Found((), kind in _SILENT)
        return Decoded(
            type=kind[:_TYPE_CHARACTERS] or "(no type)",
            known=found.known,
            pieces=found.pieces,
            time=fields.milliseconds(record.get("timestamp")),
            native_id=fields.identity(record.get("uuid")),
            parent_id=fields.identity(record.get("parentUuid")),
            empty=read is not None and found.known and not found.pieces,
            places=max(1, len(fields.items(_message(record).get("blocks")))) if kind == "thinking" else 1,
            compaction=_compaction(record, kind),
        )

    def fold(self) -> Fold:
        """Return a fresh fold state."""
        return MiniCodeFold()

    def headline(self, tool: str, arguments: Any) -> str:
        """Return the command, path or pattern of a call, or an empty string."""
        return headline_of(tool, arguments)

    def files(self, tool: str, arguments: Any) -> tuple[str, ...]:
        """Return the paths that a call names in its structured arguments."""
        return files_of(tool, arguments)

    def detail(self, record: Mapping[str, Any]) -> Any | None:
        """Return nothing: MiniCode tells a result in one form."""
        return None


MINICODE: Final = MiniCode()


def _message(record: Mapping[str, Any]) -> Mapping[str, Any]:
    return fields.mapping(record.get(_HELD))


def _user(record: Mapping[str, Any]) -> _Found:
    return _said(record, Kind.SYSTEM if _is_compaction_summary(record) else Kind.USER)


def _assistant(record: Mapping[str, Any]) -> _Found:
    return _said(record, Kind.ASSISTANT)


def _system(record: Mapping[str, Any]) -> _Found:
    return _said(record, Kind.SYSTEM)


def _said(record: Mapping[str, Any], kind: Kind) -> _Found:
    """Read a message: a string, of which an empty one says nothing."""
    content = _message(record).get("content")
    parts = text_parts(content, (_HELD, "content"))
    known = fields.text(content) is not None
    return _Found((_piece(record, kind, parts),) if parts else (), known)


def _thinking(record: Mapping[str, Any]) -> _Found:
    """Read the blocks of reasoning; what the provider kept to itself has no text."""
    pieces: list[Piece] = []
    blocks = _message(record).get("blocks")
    known = isinstance(blocks, list)
    for number, block in enumerate(map(fields.mapping, fields.items(blocks))):
        known = known and block.get("type") in _REASONING_BLOCKS
        parts = text_parts(block.get("thinking"), (_HELD, "blocks", number, "thinking"))
        if parts:
            pieces.append(_piece(record, Kind.ASSISTANT, parts, number, flags=Flag.REASONING))
    return _Found(tuple(pieces), known)


def _tool_call(record: Mapping[str, Any]) -> _Found:
    parts = text_or_json_parts(_message(record).get("input"), (_HELD, "input"))
    return _Found((_tool_piece(record, parts, ToolPart.INPUT, Flag(0)),))


def _tool_result(record: Mapping[str, Any]) -> _Found:
    told = _message(record)
    content = told.get("content")
    flags = Flag.ERROR if told.get("isError") is True else Flag(0)
    if content == _CLEARED:
        flags |= Flag.SHORTENED
    parts = text_or_json_parts(content, (_HELD, "content"))
    return _Found((_tool_piece(record, parts, ToolPart.OUTPUT, flags),))


def _tool_piece(record: Mapping[str, Any], parts: tuple[Part, ...], tool_part: ToolPart, flags: Flag) -> Piece:
    told = _message(record)
    return Piece(
        0,
        Kind.TOOL,
        parts,
        tool_part,
        tool=fields.text(told.get("toolName")),
        call_id=fields.identity(told.get("toolUseId")),
        flags=flags,
        native_id=fields.identity(record.get("uuid")),
    )


def _piece(
    record: Mapping[str, Any], kind: Kind, parts: tuple[Part, ...], number: int = 0, *, flags: Flag = Flag(0)
) -> Piece:
    return Piece(number, kind, parts, flags=flags, native_id=fields.identity(record.get("uuid")))


def _compact_boundary(record: Mapping[str, Any]) -> _Found:
    """Read a boundary: a piece whatever it tells."""
    parts = json_parts(record.get(_BOUNDARY), (_BOUNDARY,))
    return _Found((_piece(record, Kind.SYSTEM, parts),))


def _snip_boundary(record: Mapping[str, Any]) -> _Found:
    """Read a snip: its words, of an event without a message what it tells of itself."""
    if fields.text(_message(record).get("content")) is not None:
        return _system(record)
    parts = json_parts(record.get(_SNIP), (_SNIP,))
    return _Found((_piece(record, Kind.SYSTEM, parts),) if parts else (), bool(parts))


def _compaction(record: Mapping[str, Any], kind: str) -> Compaction | None:
    """Return what a boundary tells of its compaction; nothing but that there was one for a summary."""
    if kind == "user":
        return Compaction() if _is_compaction_summary(record) else None
    if kind != "compact_boundary":
        return None
    told = fields.mapping(record.get(_BOUNDARY))
    before, after = fields.as_int(told.get("preTokens")), fields.as_int(told.get("postTokens"))
    return Compaction(fields.text(told.get("trigger")), before, after)


def _is_compaction_summary(record: Mapping[str, Any]) -> bool:
    """Say whether a user event is the summary that a compaction wrote behind its boundary.

    It hangs on the boundary, and unlike what a person typed its message has no id of its own.
    """
    return "id" not in _message(record) and fields.text(record.get("parentUuid")) is not None


_SPEAKING: Final[Mapping[str, Callable[[Mapping[str, Any]], _Found]]] = {
    "assistant": _assistant,
    "compact_boundary": _compact_boundary,
    "progress": _assistant,
    "snip_boundary": _snip_boundary,
    "summary": _system,
    "system": _system,
    "thinking": _thinking,
    "tool_call": _tool_call,
    "tool_result": _tool_result,
    "user": _user,
}
_SILENT: Final = frozenset({"context_collapse", "rename"})
