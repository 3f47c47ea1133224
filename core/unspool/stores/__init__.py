"""Stores: where each agent keeps its sessions, and what the paths tell before a session is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unspool.stores.blobs import BLOBS_STORE
from unspool.stores.claude_code import CLAUDE_CODE_STORE
from unspool.stores.codex import CODEX_STORE
from unspool.stores.minicode import MINICODE_STORE
from unspool.stores.yoi import YOI_STORE

if TYPE_CHECKING:
    from unspool.stores.base import Store

__all__ = ["STORES", "by_agent"]

STORES: Final[tuple[Store, ...]] = (CLAUDE_CODE_STORE, CODEX_STORE, YOI_STORE, MINICODE_STORE, BLOBS_STORE)
"""Every store."""


def by_agent(name: str) -> Store | None:
    """Return the store of an agent by the name that references use, `None` for other names."""
    return next((store for store in STORES if store.agent == name), None)
