"""Stores: where each agent keeps its sessions, and what the paths tell before a session is opened.

A store is imported when it is first asked for, as its format is.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from unspool.stores.base import Store

    STORES: Final[tuple[Store, ...]] = ()
    """Every store."""

__all__ = ["STORES", "by_agent"]

_HOMES: Final = {
    "claude": ("claude_code", "CLAUDE_CODE_STORE"),
    "codex": ("codex", "CODEX_STORE"),
    "yoi": ("yoi", "YOI_STORE"),
    "minicode": ("minicode", "MINICODE_STORE"),
    "blobs": ("blobs", "BLOBS_STORE"),
}
"""Module and name of each agent's store."""


def by_agent(name: str) -> Store | None:
    """Return the store of an agent by the name that references use, `None` for other names."""
    return _load(name) if name in _HOMES else None


@cache
def _load(agent: str) -> Store:
    module, name = _HOMES[agent]
    return cast("Store", getattr(import_module(f"{__name__}.{module}"), name))


def __getattr__(name: str) -> Any:
    if name == "STORES":
        return tuple(map(_load, _HOMES))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
