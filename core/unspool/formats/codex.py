"""Codex CLI rollouts: one JSON object per line, in an envelope `{"timestamp", "type", "payload"}` or (oldest) bare.

| record (payload type)                                            | meaning                                          |
|------------------------------------------------------------------|--------------------------------------------------|
| item `message`, role `assistant`                                 | assistant, one piece per block                   |
| item `message`, role `user`                                      | user; system when Codex wrote it (AGENTS.md,     |
|                                                                  | environment, notices …); a command that the      |
|                                                                  | person ran is tool output, `by_user`             |
| item `message`, role `developer`, `system`                       | system                                           |
| item `reasoning` with text                                       | assistant, `reasoning`, one piece                |
| item `agent_message`, record `inter_agent_communication`         | system: what another agent said                  |
| item `function_call`, `custom_tool_call`, `local_shell_call`,    | tool input                                       |
| `web_search_call`, `tool_search_call`                            |                                                  |
| item `*_output`                                                  | tool output                                      |
| item `image_generation_call`, `mcp_call`                         | tool input, and tool output where it has a result|
| item `ghost_snapshot`, `additional_tools` …                      | other: nothing to read                           |
| event `user_message`, `agent_message`, `agent_reasoning*`;       | as the items; the one written second is a `twin` |
| `item_completed` with a message, reasoning or plan               |                                                  |
| event `error`, `stream_error`; `task_complete` with an error     | system, `error`                                  |
| event `task_complete` with a last answer                         | assistant, unless something before says the same |
| event `warning`, `undo_completed`, `entered_review_mode` …       | system: a notice                                 |
| event `exited_review_mode` with an output                        | system                                           |
| event `web_search_end` with results                              | tool output: nothing else holds them             |
| event `exec_command_end`, `patch_apply_end`, `mcp_tool_call_end`,| other: a richer copy of a call or its output     |
| `item_completed` with a tool …                                   |                                                  |
| event `token_count`, `task_started`, `turn_aborted`,             | other                                            |
| `context_compacted` …                                            |                                                  |
| record `compacted`; item `compaction`, `context_compaction`      | system: the summary, else the values of the      |
|                                                                  | boundary's metadata, one a line; an item that    |
|                                                                  | stands beside its record is its `twin`           |
| record `session_meta` (and the bare header), `turn_context`,     | other                                            |
| `world_state`, bare `{"record_type": "state"}`                   |                                                  |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from unspool.formats import fields
from unspool.formats.codex_changes import changed_by, changes_of
from unspool.formats.codex_events import read_event
from unspool.formats.codex_messages import (
    Contents,
    read_agent_message,
    read_message,
    read_reasoning,
    system_pieces,
)
from unspool.formats.codex_plain import plain
from unspool.formats.codex_step import CodexSteps
from unspool.formats.codex_tools import (
    read_custom_tool_call,
    read_function_call,
    read_image_generation_call,
    read_local_shell_call,
    read_mcp_call,
    read_output,
    read_tool_search_call,
    read_tool_search_output,
    read_web_search_call,
)
from unspool.formats.decoded import Compaction, Decoded
from unspool.formats.headline import files_of, headline_of
from unspool.formats.parts import text_or_json_parts, text_parts
from unspool.formats.piece import Kind, Piece, Pointer

if TYPE_CHECKING:
    from unspool.formats.base import Fold

Reader = Callable[[Mapping[str, Any], Pointer], Contents]

_TYPE_CHARACTERS: Final = 80
"""A type's name is counted and shown; a hostile one is cut."""


def _other(record: Mapping[str, Any], at: Pointer) -> Contents:
    return Contents()


def _boundary(payload: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a compaction: its summary; without one what else it says, value by value, never the history that it keeps.

    A boundary is a piece even if it says nothing.
    """
    parts = text_parts(payload.get("message"), (*at, "message"))
    told = (key for key in payload if not parts and key not in _NOT_METADATA)
    parts += tuple(part for key in told for part in text_or_json_parts(payload[key], (*at, key)))
    return Contents((Piece(0, Kind.SYSTEM, parts, native_id=fields.text(payload.get("id"))),))


_NOT_METADATA: Final = frozenset({"encrypted_content", "id", "message", "replacement_history", "type"})


def _inter_agent_communication(payload: Mapping[str, Any], at: Pointer) -> Contents:
    return Contents(system_pieces(text_parts(payload.get("content"), (*at, "content"))))


_ITEMS: dict[str, Reader] = {
    "additional_tools": _other,
    "agent_message": read_agent_message,
    "compaction": _boundary,
    "compaction_summary": _boundary,
    "compaction_trigger": _other,
    "configuration_update": _other,
    "context_compaction": _boundary,
    "custom_tool_call": read_custom_tool_call,
    "custom_tool_call_output": read_output,
    "function_call": read_function_call,
    "function_call_output": read_output,
    "ghost_snapshot": _other,
    "image_generation_call": read_image_generation_call,
    "local_shell_call": read_local_shell_call,
    "mcp_call": read_mcp_call,
    "mcp_tool_call": read_mcp_call,
    "mcp_tool_call_output": read_output,
    "message": read_message,
    "reasoning": read_reasoning,
    "tool_search_call": read_tool_search_call,
    "tool_search_output": read_tool_search_output,
    "web_search_call": read_web_search_call,
}


def _response_item(payload: Mapping[str, Any], at: Pointer) -> Contents:
    read = _ITEMS.get(fields.text(payload.get("type")) or "")
    return Contents(known=False) if read is None else read(payload, at)


_RECORDS: dict[str, Reader] = {
    "compacted": _boundary,
    "event_msg": read_event,
    "inter_agent_communication": _inter_agent_communication,
    "inter_agent_communication_metadata": _other,
    "realtime_item": _other,
    "response_item": _response_item,
    "security_risk_score": _other,
    "session_meta": _other,
    "turn_context": _other,
    "world_state": _other,
}
_TYPED = ("event_msg", "response_item")


class CodexFormat:
    """What the records of the Codex CLI mean."""

    agent: str = "codex"

    def detect(self, head: Sequence[Mapping[str, Any]]) -> bool:
        """Say whether one of the first records stands in Codex's envelope, or is a header of its oldest form.

        Bare items prove nothing by themselves: other agents write records of the same names.
        """
        return any(_is_codex(record) for record in head)

    def decode(self, record: Mapping[str, Any]) -> Decoded:
        """Turn one record into pieces."""
        return plain(record) or self.decode_any(record)

    def plain(self, record: Mapping[str, Any]) -> Decoded | None:
        """Turn one record of a common shape into pieces; `None` for every other one."""
        return plain(record)

    def decode_any(self, record: Mapping[str, Any]) -> Decoded:
        """Turn one record of whatever shape into pieces, the general way alone."""
        kind = fields.text(record.get("type")) or ""
        if "payload" in record or kind in _RECORDS:
            return self._enveloped(record, kind)
        if kind in _ITEMS:
            return _decoded(f"response_item/{kind}", _ITEMS[kind](record, ()), record)
        if not kind and ("record_type" in record or _is_bare_header(record)):
            return _decoded("state" if "record_type" in record else "session_meta", Contents(), record)
        return _decoded(kind or "(no type)", Contents(known=False), record)

    def fold(self) -> Fold:
        """Return a fresh fold state."""
        return CodexSteps()

    def headline(self, tool: str, arguments: Any) -> str:
        """Return the command, path, query or prompt of a call, or an empty string."""
        return headline_of(tool, arguments)

    def files(self, tool: str, arguments: Any) -> tuple[str, ...]:
        """Return the paths that a call names: of a patch its headers, else path arguments."""
        return files_of(tool, arguments)

    def detail(self, record: Mapping[str, Any]) -> Any | None:
        """Return the changes of files that an event tells of a call."""
        return changes_of(fields.mapping(record.get("payload")))

    def _enveloped(self, record: Mapping[str, Any], kind: str) -> Decoded:
        payload = fields.mapping(record.get("payload"))
        name = f"{kind}/{fields.text(payload.get('type')) or '?'}" if kind in _TYPED else kind or "(no type)"
        read = _RECORDS.get(kind)
        return _decoded(name, Contents(known=False) if read is None else read(payload, ("payload",)), record)


def _decoded(name: str, contents: Contents, record: Mapping[str, Any]) -> Decoded:
    payload = fields.mapping(record.get("payload", record))
    pieces, known = contents.pieces, contents.known
    decoded = Decoded(
        str(name[:_TYPE_CHARACTERS]),
        known,
        pieces,
        fields.milliseconds(record.get("timestamp")),
        fields.text(payload.get("id")),
        None,
        not pieces and known and name in _MESSAGES,
        _places(payload),
        Compaction() if name in _COMPACTIONS else None,
        changed_by(payload) if name.startswith("event_msg/") else None,
    )
    return decoded._replace(echoes=_echoes(pieces)) if name in _TURN_ENDS else decoded


def _places(payload: Mapping[str, Any]) -> int:
    item = payload.get("item")
    blocks = item["content"] if isinstance(item, dict) and "content" in item else payload.get("content")
    return max(1, len(blocks)) if isinstance(blocks, list) else 1


def _echoes(pieces: Sequence[Piece]) -> frozenset[int]:
    return frozenset(piece.number for piece in pieces if piece.kind == Kind.ASSISTANT)


def _is_bare_header(record: Mapping[str, Any]) -> bool:
    return fields.text(record.get("id")) is not None and "timestamp" in record and "instructions" in record


def _is_codex(record: Mapping[str, Any]) -> bool:
    kind = fields.text(record.get("type")) or ""
    if kind:
        return kind in _RECORDS and isinstance(record.get("payload"), dict)
    return record.get("record_type") == "state" or _is_bare_header(record)


_COMPACTIONS: Final = frozenset(
    {"compacted", *(f"response_item/{kind}" for kind, read in _ITEMS.items() if read is _boundary)}
)

_TURN_ENDS: Final = ("event_msg/task_complete", "event_msg/turn_complete")

_MESSAGES: Final = (
    "response_item/message",
    "response_item/reasoning",
    "event_msg/user_message",
    "event_msg/agent_message",
    "event_msg/agent_reasoning",
)


CODEX: Final = CodexFormat()
