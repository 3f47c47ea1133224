"""The pieces of Codex's events: what the app showed the person, much of it a second time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from unspool.formats import fields
from unspool.formats.codex_messages import (
    Blocks,
    Contents,
    assistant_pieces,
    read_blocks,
    read_completed,
    system_pieces,
    typed_pieces,
)
from unspool.formats.codex_tools import read_web_search_end
from unspool.formats.parts import image_parts, json_parts, text_parts
from unspool.formats.piece import Flag, Part, Pointer

Reader = Callable[[Mapping[str, Any], Pointer], Contents]


def read_event(event: Mapping[str, Any], at: Pointer) -> Contents:
    """Read an event that lies at a pointer."""
    kind = fields.text(event.get("type")) or ""
    read = _READERS.get(kind)
    return Contents(known=kind in SILENT) if read is None else read(event, at)


def _user_message(event: Mapping[str, Any], at: Pointer) -> Contents:
    """Read a prompt: what the person typed, whatever it looks like; versions of 2025 mark their own by its `kind`."""
    parts = [*text_parts(event.get("message"), (*at, "message"))]
    parts += _images(event, "images", at) + _images(event, "local_images", at)
    if event.get("kind") in ("environment_context", "user_instructions"):
        return Contents(system_pieces(tuple(parts)))
    return Contents(typed_pieces(tuple(parts)))


def _images(event: Mapping[str, Any], key: str, at: Pointer) -> list[Part]:
    named = enumerate(fields.items(event.get(key)))
    return [image for number, value in named for image in image_parts(value, (*at, key, number))]


def _assistant(key: str, flags: Flag = Flag(0)) -> Reader:
    def read(event: Mapping[str, Any], at: Pointer) -> Contents:
        return Contents(assistant_pieces(read_blocks(fields.text(event.get(key)), (*at, key)), flags=flags))

    return read


def _notice(*keys: str, flags: Flag = Flag(0)) -> Reader:
    def read(event: Mapping[str, Any], at: Pointer) -> Contents:
        parts = tuple(part for key in keys for part in text_parts(event.get(key), (*at, key)))
        return Contents(system_pieces(parts, flags=flags))

    return read


def _exited_review_mode(event: Mapping[str, Any], at: Pointer) -> Contents:
    output = fields.mapping(event.get("review_output"))
    return Contents(system_pieces(json_parts(output or None, (*at, "review_output"))))


def _task_complete(event: Mapping[str, Any], at: Pointer) -> Contents:
    """Read why a turn failed, which newer versions say nowhere else, and its last answer, which is mostly an echo."""
    message = fields.mapping(event.get("error")).get("message")
    failed = system_pieces(text_parts(message, (*at, "error", "message")), flags=Flag.ERROR)
    last = text_parts(event.get("last_agent_message"), (*at, "last_agent_message"))
    numbered = tuple((len(failed), part) for part in last)
    return Contents(failed + assistant_pieces(Blocks(numbered, True)))


def _item_completed(event: Mapping[str, Any], at: Pointer) -> Contents:
    return read_completed(fields.mapping(event.get("item")), (*at, "item"))


_READERS: dict[str, Reader] = {
    "agent_message": _assistant("message"),
    "agent_reasoning": _assistant("text", Flag.REASONING),
    "agent_reasoning_raw_content": _assistant("text", Flag.REASONING),
    "background_event": _notice("message"),
    "deprecation_notice": _notice("summary", "details"),
    "entered_review_mode": _notice("user_facing_hint"),
    "error": _notice("message", flags=Flag.ERROR),
    "exited_review_mode": _exited_review_mode,
    "guardian_warning": _notice("message"),
    "item_completed": _item_completed,
    "stream_error": _notice("message", flags=Flag.ERROR),
    "task_complete": _task_complete,
    "turn_complete": _task_complete,
    "undo_completed": _notice("message"),
    "user_message": _user_message,
    "warning": _notice("message"),
    "web_search_end": read_web_search_end,
}

SILENT = frozenset(
    {
        "agent_message_content_delta",
        "agent_message_delta",
        "agent_reasoning_delta",
        "agent_reasoning_raw_content_delta",
        "agent_reasoning_section_break",
        "apply_patch_approval_request",
        "collab_agent_interaction_begin",
        "collab_agent_interaction_end",
        "collab_agent_spawn_begin",
        "collab_agent_spawn_end",
        "collab_close_begin",
        "collab_close_end",
        "collab_resume_begin",
        "collab_resume_end",
        "collab_waiting_begin",
        "collab_waiting_end",
        "context_compacted",
        "dynamic_tool_call_request",
        "dynamic_tool_call_response",
        "elicitation_request",
        "exec_approval_request",
        "exec_command_begin",
        "exec_command_end",
        "exec_command_output_delta",
        "guardian_assessment",
        "hook_completed",
        "hook_started",
        "image_generation_begin",
        "image_generation_end",
        "item_started",
        "mcp_startup_complete",
        "mcp_startup_update",
        "mcp_tool_call_begin",
        "mcp_tool_call_end",
        "model_reroute",
        "model_verification",
        "patch_apply_begin",
        "patch_apply_end",
        "patch_apply_updated",
        "plan_delta",
        "plan_update",
        "raw_response_item",
        "request_permissions",
        "request_user_input",
        "session_configured",
        "shutdown_complete",
        "skills_update_available",
        "sub_agent_activity",
        "task_started",
        "terminal_interaction",
        "thread_goal_updated",
        "thread_name_updated",
        "thread_rolled_back",
        "thread_settings_applied",
        "token_count",
        "turn_aborted",
        "turn_diff",
        "turn_started",
        "undo_started",
        "view_image_tool_call",
        "web_search_begin",
    }
)
"""Events that are progress, numbers, modes, or a richer copy of what an item says."""
