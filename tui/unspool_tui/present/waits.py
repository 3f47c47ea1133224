"""For what an agent waits, in words for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from unspool.formats.waiting import Waiting

WAITS: Final[Mapping[Waiting, str]] = {
    "permission": "asks for permission",
    "question": "asks you",
    "turn": "waits for you",
}
