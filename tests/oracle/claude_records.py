"""One record of a Claude Code session: which pieces it holds.

Which record is what. "System" is text that the model or the person saw and that neither wrote; a record of a
system type that carries no text is an other record; a message without text is neither ("without text").

| record                                                        | reading                                          |
|---------------------------------------------------------------|--------------------------------------------------|
| user, `tool_result` block i                                   | tool output, piece i (also when empty)           |
| user, its text and image blocks (of a list) or its string     | one piece at the first such block, else 0: user  |
| … `isMeta`, `isCompactSummary`, origin task-notification,     | system                                           |
|   promptSource system                                         |                                                  |
| … every text block is harness text (`claude_text`)            | system                                           |
| … `Warmup` of a sidechain                                     | system                                           |
| … `<bash-input>` / `<bash-stdout>`, `<bash-stderr>`           | tool input / output, flag by_user, no call id    |
| … documents, sound, resources, fetched pages, search results   | their text, else one line (`claude_blocks`)      |
| assistant, `text` block i (or its string: 0), not empty       | assistant                                        |
| … `<synthetic>` model / `isApiErrorMessage`                   | system / system with flag error                  |
| … `thinking` with text; without, `redacted_thinking`          | assistant, reasoning; nothing                    |
| … `tool_use`, `server_tool_use`, `mcp_tool_use`               | tool input: the input as compact JSON            |
| … `*_tool_result`                                             | tool output                                      |
| … `fallback`                                                  | nothing                                          |
| tool_use, tool_result that are records of their own           | tool input, tool output                          |
| system with `content` (any subtype but turn_duration)         | system                                           |
| system/compact_boundary, microcompact_boundary without it     | system: the metadata as compact JSON             |
| system/api_error, error                                       | system, error: the innermost message             |
| system/stop_hook_summary with hookErrors, …AdditionalContext  | system                                           |
| system/hook_response; task_notification (streams)             | system: output, else stdout, else stderr; summary |
| system, the rest (turn_duration, session_start, …)            | other record                                     |
| result with a subtype (streams), its `result`                 | 0: assistant, or system with error (`is_error`); |
|                                                               | none when it was said since the last result      |
| … its `errors`                                                | 1: system, error                                 |
| attachment/queued_command                                     | user; system if task-notification, meta, harness |
| attachment/hook_*, skill_listing, nested_memory, file,        | system, the text the model saw (`_ATTACHED`);    |
|   edited_text_file, invoked_skills, *_reminder, …notice       |   without it an other record                     |
| attachment, the rest (*_delta, modes, permissions, …)         | other record                                     |
| queue-operation/enqueue, unless it is a notification          | user; twin of what delivers it (`claude_queue`)  |
| progress, summary, titles, snapshots, other queue operations, | other record                                     |
|   unknown                                                     |                                                  |
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.oracle.blocks import Content, as_dict, as_list, as_text, id_of, type_of
from tests.oracle.claude_blocks import KNOWN, read_blocks
from tests.oracle.claude_text import is_harness, own_words, shell_part
from tests.oracle.session import OraclePiece
from tests.oracle.values import compact

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_SILENT_BLOCKS = frozenset({"redacted_thinking", "fallback", *KNOWN})
_ERRORS = frozenset({"api_error", "error"})
_STREAMED = {"hook_response": ("output", "stdout", "stderr"), "task_notification": ("summary",), "init": ()}
_OTHER_SYSTEM = frozenset(
    {
        "turn_duration",
        "session_start",
        "stop_hook_summary",
        "api_refusal",
        "compact_boundary",
        "microcompact_boundary",
        "local_command",
        "away_summary",
        "informational",
        "model_refusal_fallback",
        *_STREAMED,
        *_ERRORS,
    }
)
_OTHER_RECORDS = frozenset(
    {
        "summary",
        "ai-title",
        "custom-title",
        "agent-name",
        "last-prompt",
        "file-history-snapshot",
        "permission-mode",
        "mode",
        "pr-link",
        "frame-link",
        "worktree-state",
        "relocated",
        "bridge-session",
        "started",
        "atis-latch",
        "progress",
    }
)
_PROGRESS = frozenset(
    {"hook_progress", "bash_progress", "mcp_progress", "agent_progress", "query_update", "search_results_received"}
)
_ATTACHED: dict[str, tuple[str, ...]] = {
    "hook_success": ("content",),
    "hook_additional_context": ("content",),
    "hook_system_message": ("content",),
    "hook_blocking_error": ("blockingError", "blockingError"),
    "hook_non_blocking_error": ("stderr",),
    "skill_listing": ("content",),
    "invoked_skills": ("skills", "content"),
    "nested_memory": ("content", "content"),
    "file": ("content", "file", "content"),
    "edited_text_file": ("snippet",),
    "read_truncation_notice": ("banner",),
    "batching_reminder_sent": ("text",),
    "silent_turn_reminder": ("text",),
    "total_tokens_reminder": ("text",),
}
_OTHER_ATTACHMENTS = frozenset(
    {
        "deferred_tools_delta",
        "agent_listing_delta",
        "mcp_instructions_delta",
        "task_reminder",
        "todo_reminder",
        "plan_mode",
        "plan_mode_exit",
        "auto_mode",
        "command_permissions",
        "compact_file_reference",
        "date_change",
        "dynamic_skill",
        "task_status",
        "budget_usd",
        "ultra_effort_enter",
        "ultra_effort_exit",
    }
)


def name_of(value: dict[str, Any]) -> str:
    """Name a record by its type, and by the type of what it wraps."""
    inner = {
        "system": value.get("subtype"),
        "attachment": type_of(value.get("attachment")),
        "progress": type_of(value.get("data")),
    }.get(type_of(value))
    return f"{type_of(value) or '(no type)'}/{inner}" if inner else type_of(value) or "(no type)"


def read_record(value: dict[str, Any], unknown: Counter[str]) -> list[OraclePiece] | None:
    """The pieces of one record, None for an other record; types that nobody knows are counted in `unknown`."""
    kind, inner = type_of(value), name_of(value).partition("/")[2]
    if kind == "user":
        return list(_user(value, unknown))
    if kind == "assistant":
        return list(_assistant(value, unknown))
    if kind == "tool_use":
        return list(_assistant({"message": {"content": [value]}}, unknown))
    if kind == "tool_result":
        piece = _output(0, {"content": value.get("output"), **value})
        piece.tool = as_text(value.get("name")) or None
        return [piece]
    if kind == "system":
        if inner not in _OTHER_SYSTEM:
            unknown[name_of(value)] += 1
        return _system(value)
    if kind == "attachment":
        if inner not in _OTHER_ATTACHMENTS and inner not in _ATTACHED and inner != "queued_command":
            unknown[name_of(value)] += 1
        return _attachment(value)
    if kind == "queue-operation":
        return _queued(value)
    if kind == "result":
        return _result(value) or None
    if kind not in _OTHER_RECORDS or (kind == "progress" and inner not in _PROGRESS):
        unknown[name_of(value)] += 1
    return None


def _user(value: dict[str, Any], unknown: Counter[str]) -> Iterator[OraclePiece]:
    blocks = as_dict(value.get("message")).get("content")
    rest = []
    for place, block in enumerate(blocks if isinstance(blocks, list) else [blocks]):
        if type_of(block) == "tool_result":
            yield _output(place, block)
        _know(unknown, block, "tool_result")
        rest.append(None if type_of(block) == "tool_result" else block)
    content = read_blocks(rest)
    if not content.text:
        return
    piece = OraclePiece(0, content.first, "user", content.text, images=content.images)
    shell = "" if content.images else shell_part(content.texts)
    if shell:
        piece.kind, piece.tool_part, piece.tool, piece.flags = "tool", shell, "Bash", {"by_user"}
    elif _is_system(value, content):
        piece.kind = "system"
    else:
        piece.spoken = _spoken(content)
    yield piece


def _queued(value: dict[str, Any]) -> list[OraclePiece] | None:
    content = read_blocks(value.get("content"))
    enqueued = bool(content.text) and value.get("operation") == "enqueue" and not shell_part(content.texts)
    if not enqueued or _is_system(value, content) or re.fullmatch(r'\{.*"task_id".*\}', content.text):
        return None
    piece = OraclePiece(0, content.first, "user", content.text, images=content.images)
    piece.spoken = "" if re.match(r"\s*/[\w:.-]+(\s|$)", content.text) else _spoken(content)
    return [piece]


def _is_system(value: dict[str, Any], content: Content) -> bool:
    sidechain_warmup = value.get("isSidechain") is True and content.text.strip() == "Warmup"
    marked = value.get("isMeta") is True or value.get("isCompactSummary") is True
    announced = as_dict(value.get("origin")).get("kind") == "task-notification" or value.get("promptSource") == "system"
    return marked or announced or sidechain_warmup or (not content.images and is_harness(content.texts))


def _spoken(content: Content) -> str:
    """What of a prompt the person typed: the first text block with words of their own."""
    return next(filter(None, map(own_words, content.texts)), "")


def _output(place: int, block: dict[str, Any]) -> OraclePiece:
    given = block.get("content")
    content = read_blocks(given)
    piece = OraclePiece(0, place, "tool", content.text, "output", call_id=id_of(block.get("tool_use_id")))
    if not content.lines and given is not None and not isinstance(given, (str, list)):
        piece.text, piece.value = compact(given), given
    piece.images, piece.behind = content.images, "".join(f"\n{line}" for line in content.lines[1:])
    piece.flags |= {"error"} if block.get("is_error") is True else set()
    return piece


def _assistant(value: dict[str, Any], unknown: Counter[str]) -> Iterator[OraclePiece]:
    message = as_dict(value.get("message"))
    content = message.get("content")
    synthetic = message.get("model") == "<synthetic>" or value.get("isApiErrorMessage") is True
    blocks: list[Any] = content if isinstance(content, list) else [content]
    for place, one in enumerate(blocks):
        block = {"type": "text", "text": one} if isinstance(one, str) else as_dict(one)
        kind = type_of(block)
        said = read_blocks([block])
        if kind == "thinking" and as_text(block.get("thinking")):
            yield OraclePiece(0, place, "assistant", as_text(block["thinking"]), flags={"reasoning"})
        elif kind in _CALLS:
            given = block.get("input")
            text = "" if given is None else given if isinstance(given, str) else compact(given)
            structure = None if isinstance(given, str) else given
            yield OraclePiece(
                0,
                place,
                "tool",
                text,
                "input",
                as_text(block.get("name")) or None,
                id_of(block.get("id")),
                structure,
            )
        elif kind.endswith("_tool_result"):
            yield _output(place, block)
        elif said.text:
            flags = {"error"} if value.get("isApiErrorMessage") is True else set()
            yield OraclePiece(
                0, place, "system" if synthetic else "assistant", said.text, images=said.images, flags=flags
            )
        _know(unknown, block, "thinking", *_CALLS)


def _know(unknown: Counter[str], block: Any, *known: str) -> None:
    kind = type_of(block)
    usual = kind in {"text", "image", *_SILENT_BLOCKS, *known} or kind.endswith("_tool_result")
    if isinstance(block, dict) and not usual:
        unknown[f"block {kind or '(no type)'}"] += 1


def _system(value: dict[str, Any]) -> list[OraclePiece] | None:
    subtype = as_text(value.get("subtype"))
    content = read_blocks(value.get("content"))
    text, structure = content.text, None
    if subtype == "turn_duration":
        return None
    if not text and subtype in ("compact_boundary", "microcompact_boundary"):
        names = ("compactMetadata", "microcompactMetadata", "compact_metadata", "microcompact_metadata")
        structure = next((value[name] for name in names if value.get(name) is not None), {})
        text = compact(structure)
    if not text and subtype in _ERRORS:
        text = _error_text(value.get("error"))
        structure = None if text else value.get("error") or None
        text = text or ("" if structure is None else compact(structure))
    if not text and subtype == "stop_hook_summary":
        text = _joined(as_list(value.get("hookErrors")) + as_list(value.get("hookAdditionalContext")))
    if not text:
        text = next(filter(None, (as_text(value.get(name)) for name in _STREAMED.get(subtype, ()))), "")
    flags = {"error"} if subtype in _ERRORS else set[str]()
    return [OraclePiece(0, 0, "system", text, value=structure, images=content.images, flags=flags)] if text else None


def _result(value: dict[str, Any]) -> list[OraclePiece]:
    """What the end of a run says: its last answer, marked as an echo, and what went wrong."""
    if not isinstance(value.get("subtype"), str):
        return []
    failed = value.get("is_error") is True
    said, wrong = as_text(value.get("result")), _joined(value.get("errors"))
    echo = {"echo", "error"} if failed else {"echo"}
    pieces = [OraclePiece(0, 0, "system" if failed else "assistant", said, flags=echo)] if said else []
    return pieces + ([OraclePiece(0, 1, "system", wrong, flags={"error"})] if wrong else [])


def _error_text(error: Any) -> str:
    """The outermost text of an API error: what was formatted for the person, else the message, else one within.

    An error without any is shown whole, and searched by its leaves as each structure is.
    """
    inner = as_dict(error)
    while inner:
        text = as_text(inner.get("formatted")) or as_text(inner.get("message"))
        if text:
            return text
        inner = as_dict(inner.get("error"))
    return as_text(error)


def _joined(value: Any) -> str:
    """A string, or the strings of a list joined by LF; structures are no text."""
    texts = value if isinstance(value, list) else [value]
    return "\n".join(filter(None, map(as_text, texts)))


def _attachment(value: dict[str, Any]) -> list[OraclePiece] | None:
    attachment = as_dict(value.get("attachment"))
    kind = type_of(attachment)
    if kind == "queued_command":
        content = read_blocks(attachment.get("prompt"))
        piece = OraclePiece(0, content.first, "user", content.text, images=content.images)
        noted = attachment.get("commandMode") == "task-notification" or attachment.get("isMeta") is True
        if noted or _is_system(value | {"origin": attachment.get("origin")}, content):
            piece.kind = "system"
        else:
            piece.spoken = _spoken(content)
        return [piece] if content.text else None
    found: Any = attachment if kind in _ATTACHED else None
    for key in _ATTACHED.get(kind, ()):
        found = [as_dict(item).get(key) for item in found] if isinstance(found, list) else as_dict(found).get(key)
    text = _joined(found)
    return [OraclePiece(0, 0, "system", text)] if text else None
