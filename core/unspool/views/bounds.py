"""Bounds on an answer, and what an answer says it left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from unspool.dataclass import dataclass
from unspool.errors import BadQuery

BYTES_PER_TOKEN: Final = 4
"""The usual estimate for English and code; a caller with a real tokenizer passes `tokens=`."""

MIN_BYTES: Final = 4
"""One character of UTF-8 can need four bytes: below that a window could never move on."""

OVERVIEW_ITEMS: Final = 50
EVIDENCE_ITEMS: Final = 200
SEARCH_ITEMS: Final = 20
SEARCH_MOST: Final = 1_000
"""More hits than this are a list to go through with `after`, not an answer."""
READ_ITEMS: Final = 40
READ_BYTES: Final = 32_768
READ_TOKENS: Final = 8_192

Reason = Literal["items", "bytes", "tokens", "deadline"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that an answer may hold; all three always apply.

    `max_bytes` counts the returned text in UTF-8. Tokens are bytes / 4, rounded up, unless `tokens` counts them.
    """

    max_items: int = READ_ITEMS
    max_bytes: int = READ_BYTES
    max_tokens: int = READ_TOKENS
    tokens: Callable[[str], int] | None = None

    def __post_init__(self) -> None:
        if self.max_items < 1:
            raise BadQuery(f"max_items is {self.max_items}; it must be at least 1")
        if self.max_bytes < MIN_BYTES:
            raise BadQuery(f"max_bytes is {self.max_bytes}; it must be at least {MIN_BYTES}")
        if self.max_tokens < 1:
            raise BadQuery(f"max_tokens is {self.max_tokens}; it must be at least 1")


@dataclass(frozen=True, slots=True)
class Truncation:
    """What an answer left out. `next` is the token that continues; exactly full is not truncated.

    `omitted_bytes` counts the text left out of the pieces that were reached, `None` when it was not measured.
    """

    truncated: bool
    shown: int
    reason: Reason | None = None
    omitted_items: int = 0
    omitted_bytes: int | None = 0
    next: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of the command."""
        return {
            "truncated": self.truncated,
            "reason": self.reason,
            "shown": self.shown,
            "omitted_items": self.omitted_items,
            "omitted_bytes": self.omitted_bytes,
            "next": self.next,
        }
