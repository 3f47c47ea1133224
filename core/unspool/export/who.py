"""Who speaks in a piece, and what is said beside it, in the words and marks of every screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool.export.figures import size
from unspool.formats.piece import Flag, ToolPart
from unspool.text import clean
from unspool.views.times import iso

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence

SIZE_SHOWN_FROM: Final = 1000
"""Bytes: a smaller size is noise."""

_TOLD: Final = (Flag.REASONING, Flag.UNANSWERED, Flag.ORPHAN, Flag.ABANDONED, Flag.REPLAYED, Flag.TWIN, Flag.BY_USER)


def who(evidence: Evidence) -> str:
    """Return who speaks: `user`, `→ Bash`, `← Bash`."""
    if evidence.tool_part is None:
        return str(evidence.kind)
    mark = "→" if evidence.tool_part is ToolPart.INPUT else "←"
    return f"{mark} {clean(evidence.tool or '?', newline=False)}"


def headline(evidence: Evidence) -> str:
    """Return what a call does or how its result reads, on one line; nothing for messages."""
    if evidence.tool_part is None:
        return ""
    label = clean(evidence.label, newline=False)
    if evidence.tool_part is ToolPart.INPUT:
        tool = " ".join(clean(evidence.tool or "tool", newline=False).split())
        return label.removeprefix(tool).removeprefix(" · ")
    return clean(evidence.summary, newline=False)


def facts_of(evidence: Evidence) -> list[str]:
    """Return what is said beside a piece: how it went, when, how large it is, what the model saw of it."""
    failed = Flag.ERROR in evidence.flags
    went = f"exit {evidence.exit_code}" if evidence.exit_code else ("error" if failed else "")
    time = (iso(evidence.time) or "")[11:19]
    large = size(evidence.bytes) if evidence.bytes >= SIZE_SHOWN_FROM else ""
    seen = f"model saw {size(evidence.model_bytes)}" if evidence.model_bytes is not None else ""
    flags = [(flag.name or "").lower().replace("_", " ") for flag in _TOLD if flag in evidence.flags]
    return [word for word in (f"✗ {went}" if went else "", headline(evidence), time, large, seen, *flags) if word]
