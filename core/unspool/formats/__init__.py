"""Formats: one pure decoder per agent, from a record to the pieces of evidence in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from unspool.formats.base import Format
from unspool.formats.blobs import BLOBS
from unspool.formats.claude_code import CLAUDE_CODE
from unspool.formats.codex import CODEX
from unspool.formats.lookalikes import is_lookalike
from unspool.formats.minicode import MINICODE
from unspool.formats.yoi import YOI

__all__ = ["FORMATS", "by_agent", "detect"]

FORMATS: Final[tuple[Format, ...]] = (MINICODE, CLAUDE_CODE, CODEX, YOI, BLOBS)
"""Every format, in the order in which `detect` asks."""


def detect(head: Sequence[Mapping[str, Any]]) -> Format | None:
    """Return the format that the first records of a source look like, `None` when no format knows them."""
    if any(map(is_lookalike, head)):
        return None
    return next((format for format in FORMATS if format.detect(head)), None)


def by_agent(name: str) -> Format | None:
    """Return the format of an agent by the name that references use (`claude`), `None` for other names."""
    return next((format for format in FORMATS if format.agent == name), None)
