"""What comes back of a search over all sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.library.summary import SessionSummary
    from unspool.views.hits import Hit


@dataclass
class SessionHitsFound(Message):
    """A session holds what was searched over all; `total` counts its matching pieces, `hits` are the first of them."""

    generation: int
    summary: SessionSummary
    hits: tuple[Hit, ...]
    total: int


@dataclass
class SearchEnded(Message):
    """A search over all sessions is through, or was `cut` where there was too much."""

    generation: int
    cut: bool
