"""Stores: where each agent keeps its sessions, and what the paths tell before a session is opened.

A store is imported when it is first asked for, as its format is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool.by_agent import ByAgent

if TYPE_CHECKING:
    from unspool.stores.base import Store

__all__ = ["STORES", "by_agent"]

STORES: Final[ByAgent[Store]] = ByAgent(
    __name__,
    {
        "claude": ("claude_code", "CLAUDE_CODE_STORE"),
        "codex": ("codex", "CODEX_STORE"),
        "yoi": ("yoi", "YOI_STORE"),
        "minicode": ("minicode", "MINICODE_STORE"),
        "blobs": ("blobs", "BLOBS_STORE"),
    },
)
"""Every store."""


def by_agent(name: str) -> Store | None:
    """Return the store of an agent by the name that references use, `None` for other names."""
    return STORES.get(name)
