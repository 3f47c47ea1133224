"""Text that Codex puts into user messages by itself, and what is left of a prompt without it.

Codex writes its own text whole: an element that is opened and closed, or a notice of fixed words. So only a text that
is made of such elements from end to end is Codex's; one that merely begins like that is a person's, who may speak of
these marks, or whose prompt an editor glued behind context. Letter case is ignored, as Codex ignores it.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from unspool.pattern import pattern
from unspool.sources.json_value import Clipped

EDITOR: Final = "# Context from my IDE setup:"
REQUEST: Final = "## My request for Codex:"
"""Editors put the open files before a prompt; behind the first such line stands what the person asked."""

USER_COMMAND: Final = "<user_shell_command>"
ENVIRONMENT: Final = "<environment_context>"

_NAMES = (
    "additional_context",
    "agent_message_board_notification",
    "agents_instructions",
    "app-context",
    "apps_instructions",
    "collaboration_mode",
    "component_context",
    "context_window",
    "context_window_guidance",
    "environment_context",
    "environment_context_delta",
    "extension_context",
    "external_[a-z0-9_.-]{1,80}",
    "goal_context",
    "hook_context",
    "model_switch",
    "multi_agent_mode",
    "permissions instructions",
    "personality_spec",
    "plugins_instructions",
    "realtime_conversation",
    "recommended_plugins",
    "rollout_budget",
    "skills_instructions",
    "subagent_notification",
    "token_budget",
    "turn_aborted",
    "user_action",
    "user_instructions",
    "user_shell_command",
)
"""Names of elements that Codex alone uses: none is a word that a person would put in brackets."""

_WITH_ATTRIBUTE = ("codex_internal_context", "hook_prompt")

_OPENING = pattern(
    rf"<(?P<name>{'|'.join(_NAMES)})>"
    rf'|<(?P<attributed>{"|".join(_WITH_ATTRIBUTE)}) [a-z_]{{1,40}}="[^"<>\n]{{0,200}}">'
    r"|<(?P<skill>skill)>\s*<name>"
    r"|# AGENTS\.md instructions(?: for [^\n]{1,4000})?\n\s*<(?P<file>INSTRUCTIONS)>",
    re.IGNORECASE,
)
"""How Codex's elements begin. A skill names itself first; AGENTS.md stands under a heading with only its path."""

_CLOSING = pattern(rf"</(?:{'|'.join((*_NAMES, *_WITH_ATTRIBUTE))}|skill|INSTRUCTIONS)>\s*\Z", re.IGNORECASE)

_NOTICE = pattern(
    r"Warning: The maximum number of unified exec processes you can keep open is \d+ and you currently have \d+ "
    r"processes open\. Reuse older processes or close them to prevent automatic pruning of old processes\.?"
    r"|Warning: apply_patch was requested via \w+\. Use the apply_patch tool instead of \w+\."
    r"|Warning: Your account was flagged for potentially high-risk cyber activity and this request was routed to "
    r"\S+ as a fallback\. To regain access to [^\n]*"
    r"|Another language model started to solve this problem and produced a summary of its thinking process\. "
    r"You also have access to the state of the tools that were used by that language model\.[\s\S]*"
)
"""Notices, which are one line, and the summary after a compaction with the sentences in front of it."""

_BEGINNINGS = ("<", "# ", "Warning: ", "Another ")
"""One of these begins all of them."""

_FOLDER = pattern(r"<cwd>([^<\n]*)</cwd>|^\s*Current working directory: (.*)$", re.MULTILINE)
_SPACE = pattern(r"\s*")
_IMAGE_TAG = pattern(r"<image(?: [^<>\n]{1,4000})?>|</image>")
_HEAD = 8_192
"""Characters of a clipped text that are looked at; its end is not there to be seen."""


def is_injected(text: str) -> bool:
    """Say whether Codex wrote the whole text; a clipped one is judged by how it begins and ends."""
    if isinstance(text, Clipped):
        head = text[:_HEAD].lstrip()
        closed = text.tail is None or _CLOSING.search(text.tail) is not None
        return (closed and _OPENING.match(head) is not None) or _NOTICE.match(head) is not None
    behind = _behind_context(text)
    return behind > 0 and behind == len(text)


def request(text: str, *, typed: bool = False) -> str | None:
    """Return what the person asked, `None` when blank.

    Left out are Codex's own text in front, the context of an editor, and marks of images. If all looks like Codex's own
    text, but the person is known to have `typed` it, it is what they asked.
    """
    text = text[:_HEAD] if isinstance(text, Clipped) else text
    own = text[_behind_context(text) :]
    asked = without_editor(text if typed and not own else own)
    return _IMAGE_TAG.sub("", asked).strip() or None


def folder_of(text: str) -> str | None:
    """Return the working folder that the context of the environment tells; the oldest sessions have it nowhere else."""
    if not text[:_HEAD].lstrip().lower().startswith(ENVIRONMENT):
        return None
    found = _FOLDER.search(text[:_HEAD])
    return unescape("".join(found.groups(""))).strip() or None if found else None


def without_editor(text: str) -> str:
    """Return a prompt without what an editor put before it."""
    if not text.lstrip().startswith(EDITOR):
        return text
    _, marked, asked = text.partition(f"\n{REQUEST}")
    return asked if marked else text


def without_image_tags(text: str) -> str:
    """Return a text without the marks that Codex puts around images, which only the item has."""
    return _IMAGE_TAG.sub("", text) if "<image" in text or "</image>" in text else text


def _behind_context(text: str) -> int:
    """Return where Codex's own text at the front ends, with the white space behind it; 0 without any."""
    start = _space_end(text, 0)
    if not text.startswith(_BEGINNINGS, start):
        return 0
    notice = _NOTICE.match(text, start)
    if notice is not None and _space_end(text, notice.end()) == len(text):
        return len(text)
    if _OPENING.match(text, start) is None:
        return 0
    lower = text.replace("\u0130", "i").lower()  # that letter alone would become two, and shift what is behind it
    stop, position = len(text.rstrip()), start
    while (opening := _OPENING.match(lower, position)) is not None:
        end = _element_end(lower, opening, stop)
        if end is None:
            break
        position = _space_end(text, end)
    return position if position > start else 0


def _element_end(lower: str, opening: re.Match[str], stop: int) -> int | None:
    """Return where an element ends, `None` when it is never closed. All behind `stop` is white space.

    Its text may speak of its own mark: if the closing mark ends all, and nothing of the kind is opened again behind
    the first one, that is the end; else the first one.
    """
    name = opening[opening.lastgroup or 0]
    closing = f"</{name}>"
    found = lower.find(closing, opening.end())
    if found < 0:
        return None
    first = found + len(closing)
    is_last = lower.startswith(closing, stop - len(closing))
    return stop if is_last and lower.find(f"<{name}", first) < 0 else first


def _space_end(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position
