"""Formats: one pure decoder per agent, from a record to the pieces of evidence in it.

A format is imported when it is first asked for: a session has one, and a command that reads one waits for no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from unspool.by_agent import ByAgent
from unspool.formats.lookalikes import is_lookalike
from unspool.formats.minicode_sign import is_typical

if TYPE_CHECKING:
    from unspool.formats.base import Format

__all__ = ["FORMATS", "by_agent", "detect"]

FORMATS: Final[ByAgent[Format]] = ByAgent(
    __name__,
    {
        "minicode": ("minicode", "MINICODE"),
        "claude": ("claude_code", "CLAUDE_CODE"),
        "codex": ("codex", "CODEX"),
        "yoi": ("yoi", "YOI"),
        "blobs": ("blobs", "BLOBS"),
    },
)
"""Every format, in the order in which `detect` asks."""


def detect(head: Sequence[Mapping[str, Any]]) -> Format | None:
    """Return the format that the first records of a source look like, `None` when no format knows them."""
    if any(map(is_lookalike, head)):
        return None
    return next((FORMATS.get(agent) for agent in FORMATS.agents if _wrote(agent, head)), None)


def by_agent(name: str) -> Format | None:
    """Return the format of an agent by the name that references use (`claude`), `None` for other names."""
    return FORMATS.get(name)


def _wrote(agent: str, head: Sequence[Mapping[str, Any]]) -> bool:
    if agent == "minicode":  # its sign is known without its format
        return any(map(is_typical, head))
    format = FORMATS.get(agent)
    return format is not None and format.detect(head)
