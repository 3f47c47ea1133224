"""For what an agent waits, in words for people, and whether it has just begun to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from unspool.formats.waiting import Waiting
    from unspool.ids import SessionRef

WAITS: Final[Mapping[Waiting, str]] = {
    "permission": "asks for permission",
    "question": "asks you",
    "turn": "waits for you",
}


class Attention:
    """Which sessions are known to wait for a person, so that each change to waiting calls once."""

    def __init__(self) -> None:
        self._known: dict[SessionRef, Waiting | None] = {}

    def takes(self, ref: SessionRef, waiting: Waiting | None) -> bool:
        """Take for what a session waits; say whether it did not before. What is seen first was there before."""
        before = self._known.get(ref, waiting)
        self._known[ref] = waiting
        return waiting is not None and waiting != before
