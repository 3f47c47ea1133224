"""Formats: one pure decoder per agent, from a record to the pieces of evidence in it.

A format is imported when it is first asked for: a session has one, and a command that reads one waits for no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

from unspool.formats.lookalikes import is_lookalike
from unspool.formats.minicode_sign import is_typical

if TYPE_CHECKING:
    from unspool.formats.base import Format

    FORMATS: Final[tuple[Format, ...]] = ()
    """Every format, in the order in which `detect` asks."""

__all__ = ["FORMATS", "by_agent", "detect"]

_HOMES: Final = {
    "minicode": ("minicode", "MINICODE"),
    "claude": ("claude_code", "CLAUDE_CODE"),
    "codex": ("codex", "CODEX"),
    "yoi": ("yoi", "YOI"),
    "blobs": ("blobs", "BLOBS"),
}
"""Module and name of each agent's format, in the order in which `detect` asks."""


def detect(head: Sequence[Mapping[str, Any]]) -> Format | None:
    """Return the format that the first records of a source look like, `None` when no format knows them."""
    if any(map(is_lookalike, head)):
        return None
    return next((_load(agent) for agent in _HOMES if _wrote(agent, head)), None)


def by_agent(name: str) -> Format | None:
    """Return the format of an agent by the name that references use (`claude`), `None` for other names."""
    return _load(name) if name in _HOMES else None


def _wrote(agent: str, head: Sequence[Mapping[str, Any]]) -> bool:
    return any(map(is_typical, head)) if agent == "minicode" else _load(agent).detect(head)


@cache
def _load(agent: str) -> Format:
    module, name = _HOMES[agent]
    return cast("Format", getattr(import_module(f"{__name__}.{module}"), name))


def __getattr__(name: str) -> Any:
    if name == "FORMATS":
        return tuple(map(_load, _HOMES))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
