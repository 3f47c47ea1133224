"""How much the app and the command read and show before they ask or stop; the settings file can set each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from unspool.dataclass import dataclass
from unspool.views.bounds import READ_BYTES, READ_ITEMS, READ_TOKENS

DOES: Final[Mapping[str, str]] = {
    "measured_bytes": "sessions up to this size are read whole for their row",
    "previewed_bytes": "sessions up to this size are read for the preview",
    "hits": "of the app's search over all sessions",
    "hits_each": "of one session in that search; opening it shows the rest",
    "read_items": "pieces that read and inspect print",
    "read_bytes": "bytes of text that read, inspect and brief print",
    "read_tokens": "tokens of text that read, inspect and brief print",
}
"""What each limit is of, in some words."""

MOST: Final = 1 << 40
"""The largest limit that can be set: beyond any session, and still far from where arithmetic ends."""


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits that a person may want otherwise."""

    measured_bytes: int = 8_000_000
    """A session up to this size is read in full for its row; larger ones when they are opened or looked at."""

    previewed_bytes: int = 64_000_000
    """A session up to this size is read for the preview as soon as the cursor rests on it."""

    hits: int = 1_000
    """Hits after which a search over all sessions ends: whoever gets more needs better words."""

    hits_each: int = 20
    """Hits of one session that a search over all lists; its total is said, and opening it shows the rest."""

    read_items: int = READ_ITEMS
    """Pieces that `unspool read` prints when it is not told how many."""

    read_bytes: int = READ_BYTES
    """Bytes of text that `read`, `inspect` and `brief` print when they are not told how many."""

    read_tokens: int = READ_TOKENS
    """Tokens of text, estimated, that `read`, `inspect` and `brief` print when they are not told how many."""
