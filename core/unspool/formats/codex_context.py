"""Text that Codex puts into user messages by itself, and what is left of a prompt without it.

Codex itself knows its own text by an opening and a closing mark, letter case ignored; so does this module. A text that
opens with a mark and goes on behind the closing one is a person's prompt with context glued in front of it.
"""

from __future__ import annotations

import re
from typing import Final

from unspool.sources.json_value import Clipped

AGENTS_FILE: Final = "# AGENTS.md instructions"
REQUEST: Final = "## My request for Codex:"
"""Editors put the open files before a prompt; behind this line stands what the person asked."""

USER_COMMAND: Final = "<user_shell_command>"

_TAGS = (
    "additional_context",
    "agent_message_board_notification",
    "agents_instructions",
    "app-context",
    "apps_instructions",
    "codex_internal_context",
    "collaboration_mode",
    "component_context",
    "context_window",
    "context_window_guidance",
    "environment_context",
    "environment_context_delta",
    "goal_context",
    "hook_prompt",
    "instructions",
    "model_switch",
    "multi_agent_mode",
    "permissions instructions",
    "personality_spec",
    "plugins",
    "plugins_instructions",
    "realtime_conversation",
    "recommended_plugins",
    "rollout_budget",
    "skill",
    "skills",
    "skills_instructions",
    "subagent_notification",
    "subagents",
    "token_budget",
    "turn_aborted",
    "user_action",
    "user_instructions",
    "user_shell_command",
)
_WITH_ATTRIBUTES = ("codex_internal_context", "hook_prompt")
_NOTICES = (
    "Warning: The maximum number of unified exec processes you can keep open is",
    "Warning: apply_patch was requested via ",
    "Warning: Your account was flagged for potentially high-risk cyber activity",
    "Another language model started to solve this problem and produced a summary of its thinking process.",
)
"""Notices and the summary after a compaction: known by how they begin."""

_OPENING = re.compile(
    rf"<({'|'.join(_TAGS)})>|<({'|'.join(_WITH_ATTRIBUTES)}) [^<>\n]{{1,200}}>|<(external_[a-z0-9_.-]{{1,80}})>",
    re.IGNORECASE,
)
_IMAGE_TAG = re.compile(r"<image(?: [^<>\n]{1,4000})?>|</image>")
_HEAD = 4_096
"""Characters of a clipped text that are looked at; its end is not there to be seen."""


def is_injected(text: str) -> bool:
    """Say whether Codex wrote the whole text; a clipped one is judged by how it begins."""
    text = text[:_HEAD] if isinstance(text, Clipped) else text
    head = text.lstrip()
    if head.startswith(_NOTICES):
        return True
    end = _context_end(head)
    return end is not None and not head[end:].strip()


def request(text: str) -> str | None:
    """Return what the person asked: context in front, editor context and image marks left out; `None` when blank."""
    text = text[:_HEAD] if isinstance(text, Clipped) else text
    if text.lstrip().startswith(_NOTICES):
        return None
    text = _without_context(text)
    _, marked, asked = text.rpartition(REQUEST)
    text = _IMAGE_TAG.sub("", asked if marked else text).strip()
    return text or None


def without_image_tags(text: str) -> str:
    """Return a text without the marks that Codex puts around images, which only the item has."""
    return _IMAGE_TAG.sub("", text) if "<image" in text or "</image>" in text else text


def _without_context(text: str) -> str:
    head = text.lstrip()
    while (end := _context_end(head)) is not None:
        head = head[end:].lstrip()
    return head


def _context_end(head: str) -> int | None:
    """Return where injected context at the front ends, `None` when there is none.

    It ends at the last closing mark of its kind, since skills and AGENTS.md may speak of their own marks. Without a
    closing mark (cut by someone) it is context only if the opening stands on a line of its own.
    """
    if head[: len(AGENTS_FILE)].lower() == AGENTS_FILE.lower():
        closing = _behind_last(head, "</INSTRUCTIONS>")
        return len(head) if closing is None else closing
    opening = _OPENING.match(head)
    if opening is None:
        return None
    closing = _behind_last(head, f"</{next(name for name in opening.groups() if name)}>")
    if closing is None and head[opening.end() : opening.end() + 1] == "\n":
        return len(head)
    return closing


def _behind_last(head: str, mark: str) -> int | None:
    """Return where the last `mark` ends, letter case ignored, `None` without one."""
    found = head.rfind(mark)
    if found < 0:
        found = head.casefold().rfind(mark.casefold()) if head.isascii() else -1
    return found + len(mark) if found >= 0 else None
