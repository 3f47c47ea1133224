"""Pieces of Claude Code's system records and attachments: words that neither the person nor the model wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from unspool.formats.base64 import image_part
from unspool.formats.claude_blocks import empty, said_at, words
from unspool.formats.claude_message import Found, message_piece
from unspool.formats.decoded import Compaction
from unspool.formats.fields import as_int, identity, mapping, text
from unspool.formats.piece import Flag, JsonPart, Kind, Part, Piece

_NO_FLAGS: Final = Flag(0)
_BOUNDARIES: Final = {
    "compact_boundary": ("compactMetadata", "compact_metadata"),
    "microcompact_boundary": ("microcompactMetadata", "microcompact_metadata"),
}
"""Where a boundary tells of its compaction: in a session, and in a stream."""
_STREAMED: Final[Mapping[str, tuple[str, ...]]] = {
    "hook_response": ("output", "stdout", "stderr"),
    "task_notification": ("summary",),
}
"""Where a stream has the words that a session has as content: the first of these that is not empty."""
_FAILURES: Final = frozenset({"api_error", "error"})
_SUBTYPES: Final = frozenset({
    *_BOUNDARIES, *_FAILURES,
    "api_refusal", "agents_killed", "api_metrics", "api_retry", "away_summary", "bridge_status",
    "elicitation_complete", "files_persisted", "hook_progress", "hook_response", "hook_started", "informational",
    "init", "local_command", "local_command_output", "memory_saved", "model_refusal_fallback", "permission_denied",
    "permission_retry", "scheduled_task_fire", "session_start", "session_state_changed", "status",
    "stop_hook_summary", "task_notification", "task_progress", "task_started", "turn_duration",
})  # fmt: skip
_MESSAGES: Final[tuple[tuple[str, ...], ...]] = (
    ("error", "formatted"),
    ("error", "message"),
    ("error", "error", "message"),
    ("error", "error", "error", "message"),
    ("error", "cause", "message"),
    ("error",),
)
"""Where the message of an API error may stand, outermost first."""

WORDS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "async_hook_response": (("response", "systemMessage"), ("response", "hookSpecificOutput", "additionalContext")),
    "batching_reminder_sent": (("text",),),
    "critical_system_reminder": (("content",),),
    "current_session_memory": (("content",),),
    "diagnostics": (("files", "*", "diagnostics", "*", "message"),),
    "directory": (("content",),),
    "edited_text_file": (("snippet",),),
    "file": (("content", "file", "content"), ("content", "content"), ("content",)),
    "hook_additional_context": (("content", "*"),),
    "hook_blocking_error": (("blockingError", "blockingError"),),
    "hook_error_during_execution": (("content",),),
    "hook_non_blocking_error": (("stderr",),),
    "hook_stopped_continuation": (("message",),),
    "hook_success": (("content",),),
    "hook_system_message": (("content",),),
    "invoked_skills": (("skills", "*", "content"),),
    "mcp_resource": (("content", "contents", "*", "text"),),
    "nested_memory": (("content", "content"), ("content",)),
    "plan_file_reference": (("planContent",),),
    "read_truncation_notice": (("banner",),),
    "relevant_memories": (("memories", "*", "content"),),
    "selected_lines_in_ide": (("content",),),
    "silent_turn_reminder": (("text",),),
    "skill_listing": (("content",),),
    "teammate_mailbox": (("messages", "*", "text"),),
    "total_tokens_reminder": (("text",),),
}
"""Attachments that hold the words themselves, and where. Empty ones are other records."""

SILENT: Final = frozenset({
    "agent_listing_delta", "agent_mention", "already_read_file", "auto_mode", "auto_mode_exit", "budget_usd",
    "command_permissions", "compact_file_reference", "companion_intro", "compaction_reminder", "context_efficiency",
    "date_change", "deferred_tools_delta", "dynamic_skill", "edited_image_file", "goal_status", "hook_cancelled",
    "hook_permission_decision", "max_turns_reached", "mcp_instructions_delta", "opened_file_in_ide", "output_style",
    "output_token_usage", "pdf_reference", "plan_mode", "plan_mode_exit", "plan_mode_reentry", "skill_discovery",
    "structured_output", "task_reminder", "task_status", "team_context", "todo", "todo_reminder", "token_usage",
    "ultra_effort_enter", "ultra_effort_exit", "ultrathink_effort", "verify_plan_reminder",
})  # fmt: skip
"""Attachments that hold data from which the harness makes words elsewhere: names, lists, modes, counts."""


def system_pieces(record: Mapping[str, Any]) -> Found:
    """Return the piece of a system record that carries text; a compaction boundary is one even without."""
    subtype = text(record.get("subtype")) or ""
    failed = subtype in _FAILURES
    parts = _system_parts(record, subtype)
    flags = Flag.ERROR if failed else _NO_FLAGS
    pieces = [Piece(0, Kind.SYSTEM, parts, flags=flags, native_id=identity(record.get("uuid")))]
    return pieces if parts or subtype in _BOUNDARIES else [], subtype in _SUBTYPES


def compaction(record: Mapping[str, Any]) -> Compaction | None:
    """Return what a boundary tells of its compaction; nothing but that there was one for a summary."""
    subtype = text(record.get("subtype")) or "" if record.get("type") == "system" else ""
    if subtype not in _BOUNDARIES:
        return Compaction() if record.get("isCompactSummary") is True else None
    told = mapping(record.get(_metadata(record, subtype)))
    before, after = (told.get(f"{when}Tokens", told.get(f"{when}_tokens")) for when in ("pre", "post"))
    return Compaction(text(told.get("trigger")), as_int(before), as_int(after))


def _metadata(record: Mapping[str, Any], subtype: str) -> str:
    """Return the key under which a boundary tells of its compaction."""
    names = _BOUNDARIES[subtype]
    return next((name for name in names if record.get(name) is not None), names[0])


def attachment_pieces(record: Mapping[str, Any]) -> Found:
    """Return the piece of an attachment: a prompt typed while the agent was busy, or words of the harness."""
    attachment = mapping(record.get("attachment"))
    name = text(attachment.get("type")) or ""
    if name == "queued_command":
        return _queued(record, attachment)
    found = [part for path in WORDS.get(name, ()) for part in words(("attachment",), attachment, path)]
    parts = tuple(found or (_attached_image(attachment) if name == "file" else ()))
    pieces = [Piece(0, Kind.SYSTEM, parts, native_id=identity(record.get("uuid")))]
    return pieces if parts else [], name in WORDS or name in SILENT


def _system_parts(record: Mapping[str, Any], subtype: str) -> tuple[Part, ...]:
    said, _ = said_at(("content",), record.get("content"))
    parts = tuple(part for _, block in said for part in block)
    if not empty(parts):
        return parts
    if subtype in _BOUNDARIES:
        key = _metadata(record, subtype)
        return (JsonPart((key,), record[key]),) if record.get(key) is not None else ()
    if subtype in _FAILURES:
        return _failure_parts(record)
    if subtype == "stop_hook_summary":
        return _stop_hook_parts(record)
    found = (words((), record, (name,)) for name in _STREAMED.get(subtype, ()))
    return tuple(next(filter(None, found), ()))


def _failure_parts(record: Mapping[str, Any]) -> tuple[Part, ...]:
    """Return the message of an API error; the whole error where it has none."""
    for pointer in _MESSAGES:
        found = words((), record, pointer)
        if found:
            return tuple(found)
    error = record.get("error")
    return (JsonPart(("error",), error),) if error else ()


def _stop_hook_parts(record: Mapping[str, Any]) -> tuple[Part, ...]:
    """Return what stop hooks said; that they ran is no words."""
    found = words((), record, ("hookErrors", "*")) + words((), record, ("hookAdditionalContext", "*"))
    if record.get("preventedContinuation") is True:
        found += words((), record, ("stopReason",))
    return tuple(found)


def _queued(record: Mapping[str, Any], attachment: Mapping[str, Any]) -> Found:
    harness = (
        attachment.get("commandMode") == "task-notification"
        or attachment.get("isMeta") is True
        or mapping(attachment.get("origin")).get("kind") == "task-notification"
    )
    said, known = said_at(("attachment", "prompt"), attachment.get("prompt"))
    return message_piece(record, said, harness), known


def _attached_image(attachment: Mapping[str, Any]) -> tuple[Part, ...]:
    file = mapping(mapping(attachment.get("content")).get("file"))
    data = text(file.get("base64"))
    if data is None:
        return ()
    return (image_part(("attachment", "content", "file"), (text(file.get("type")) or "file")[:80], data),)
