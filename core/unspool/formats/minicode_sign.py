"""What tells MiniCode's events from the records of Claude Code: asked of every file, before any format is imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from unspool.formats import fields

_ROLES: Final[Mapping[str, str]] = {
    "assistant": "assistant",
    "progress": "assistant_progress",
    "snip_boundary": "snip_boundary",
    "summary": "context_summary",
    "system": "system",
    "thinking": "assistant_thinking",
    "tool_call": "assistant_tool_call",
    "tool_result": "tool_result",
    "user": "user",
}
"""The role that the message of an event has."""

_OWN_KEYS: Final[Mapping[str, str]] = {
    "compact_boundary": "compactMetadata",
    "context_collapse": "contextCollapseSpan",
    "rename": "title",
}
"""What the events without a message hold."""


def is_typical(record: Mapping[str, Any]) -> bool:
    """Say whether an event is MiniCode's: others have users, assistants and ids too, but no message named as its event.

    A message has the id of its event.
    """
    kind, uuid = fields.text(record.get("type")) or "", fields.text(record.get("uuid"))
    if not uuid or fields.text(record.get("sessionId")) is None:
        return False
    if kind in _OWN_KEYS:
        return _OWN_KEYS[kind] in record
    told = fields.mapping(record.get("message"))
    return kind in _ROLES and told.get("role") == _ROLES[kind] and told.get("id") == uuid
