"""What comes back about the pieces that a filter line chooses: their rows, their weight, their paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.message import Message

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence
    from unspool.views.hits import Hit
    from unspool.views.view import SessionView
    from unspool_tui.present.choosing import Choice
    from unspool_tui.present.weighing import Touched, Weighed


@dataclass
class Chosen(Message):
    """A filter line was answered, perhaps in part."""

    generation: int
    choice: Choice


@dataclass
class LedgerWeighed(Message):
    """The outputs that a filter line chooses were weighed, perhaps in part."""

    generation: int
    weighed: Weighed


@dataclass
class PathsTouched(Message):
    """The paths that pieces touch were looked for, perhaps in part."""

    generation: int
    touched: Touched


@dataclass
class RowsRead(Message):
    """The words of rows were read, and their matches when something is searched."""

    view: SessionView
    query: str
    evidence: tuple[Evidence, ...]
    hits: Mapping[int, Hit]
