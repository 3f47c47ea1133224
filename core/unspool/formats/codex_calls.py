"""What other records tell about tool calls: that one failed, or which session it started."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from unspool.formats import fields
from unspool.formats.base import Mark
from unspool.formats.codex_messages import USER_SHELL
from unspool.formats.codex_tools import WEB_SEARCH
from unspool.formats.parts import decode_document
from unspool.formats.piece import Flag, Piece, TextPart, ToolPart
from unspool.sources.json_value import BadJson

CALL_EVENTS: Final = frozenset({
    "event_msg/collab_agent_spawn_end", "event_msg/dynamic_tool_call_response", "event_msg/exec_command_end",
    "event_msg/item_completed", "event_msg/mcp_tool_call_end", "event_msg/patch_apply_end",
    "event_msg/sub_agent_activity",
})  # fmt: skip
"""Events that tell of a call which session it started, or that it failed."""
_SPAWNED_KEYS: Final = ("agent_id", "thread_id", "new_thread_id")
_FAILED: Final = frozenset({"declined", "failed"})
_DONE: Final = frozenset({"CommandExecution", "DynamicToolCall", "FileChange", "McpToolCall"})


class Calls:
    """Follows the calls of a rollout; `joined` maps the id of a subagent to the call that started it."""

    def __init__(self, joined: dict[str, str]) -> None:
        self.joined = joined
        self._spawns: set[str] = set()
        self._failed: set[str] = set()

    def take(self, piece: Piece, row: int) -> list[Mark]:
        """Take the next call or result."""
        marks: list[Mark] = []
        if piece.tool == WEB_SEARCH and piece.tool_part == ToolPart.INPUT:
            marks.append(Mark(row, Flag.UNANSWERED, on=False))  # over when it is written; a result is rarely kept
        if piece.flags and piece.tool == USER_SHELL and Flag.BY_USER in piece.flags:
            marks.append(Mark(row, Flag.ORPHAN, on=False))  # its call is the same text
        if piece.call_id is None:
            return marks
        if piece.tool_part == ToolPart.INPUT:
            if (piece.tool or "").endswith("spawn_agent"):
                self._spawns.add(piece.call_id)
            return marks
        if piece.call_id in self._spawns:
            self._join(_spawned_id(piece), piece.call_id)
        if piece.call_id in self._failed:
            self._failed.discard(piece.call_id)
            marks.append(Mark(row, Flag.ERROR))
        return marks

    def awaits(self, call_id: str) -> bool:
        """Say whether something was told of a call that its result says more about, or that says more of its result."""
        return call_id in self._spawns or call_id in self._failed

    def note(self, name: str, event: Mapping[str, Any]) -> None:
        """Take what one of `CALL_EVENTS` tells of a call. Its result stands behind it: what ends later failed later."""
        call_id = fields.text(event.get("call_id"))
        if name == "event_msg/collab_agent_spawn_end":
            self._join(fields.text(event.get("new_thread_id")), call_id)
        elif name == "event_msg/sub_agent_activity" and event.get("kind") == "started":
            self._join(fields.text(event.get("agent_thread_id")), fields.text(event.get("event_id")))
        elif name == "event_msg/item_completed":
            self._note_item(fields.mapping(event.get("item")))
        elif call_id is not None and _has_failed(name, event):
            self._failed.add(call_id)

    def _note_item(self, item: Mapping[str, Any]) -> None:
        kind, call_id = fields.text(item.get("type")), fields.text(item.get("id"))
        if kind == "SubAgentActivity" and item.get("kind") == "started":
            self._join(fields.text(item.get("agent_thread_id")), call_id)
        elif kind == "CollabAgentToolCall" and item.get("tool") == "spawnAgent":
            for child in fields.items(item.get("receiver_thread_ids")):
                self._join(fields.text(child), call_id)
        elif kind in _DONE and call_id is not None and fields.text(item.get("status")) in _FAILED:
            self._failed.add(call_id)

    def _join(self, child: str | None, call_id: str | None) -> None:
        if child and call_id:
            self.joined.setdefault(child, call_id)


def _has_failed(name: str, event: Mapping[str, Any]) -> bool:
    if name == "event_msg/exec_command_end":
        return fields.as_int(event.get("exit_code")) not in (None, 0)
    if name in ("event_msg/patch_apply_end", "event_msg/dynamic_tool_call_response"):
        return event.get("success") is False
    if name == "event_msg/mcp_tool_call_end":
        result = fields.mapping(event.get("result"))
        answer = fields.mapping(result.get("Ok"))
        return "Err" in result or True in (answer.get("isError"), answer.get("is_error"))
    return False


def _spawned_id(piece: Piece) -> str | None:
    """Return the id that a result of `spawn_agent` tells, `None` where it tells only a name."""
    text = next((part.value for part in piece.parts if isinstance(part, TextPart)), "")
    try:
        told = fields.mapping(decode_document(text)) if text.startswith("{") else {}
    except BadJson:
        return None
    return next((found for key in _SPAWNED_KEYS if (found := fields.text(told.get(key)))), None)
