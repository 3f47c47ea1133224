"""The keyword arguments with which a question is narrowed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from unspool.formats.piece import Kind, ToolPart
    from unspool.ids import EntryRange, EvidenceId


class Words(TypedDict, total=False):
    """What narrows a question when it is asked with keyword arguments; see `Filter` for the meanings.

    `kinds` and `tool` take one name or several, `entry_range` a range or its text, `ids` ids or their texts.
    """

    kinds: str | Kind | Iterable[str | Kind]
    tool_part: str | ToolPart | None
    tool: str | Iterable[str] | None
    errors: bool
    stored: bool
    entry_range: str | EntryRange | None
    path: str | None
    ids: Iterable[str | EvidenceId] | None
    reasoning: bool
    hidden: bool
