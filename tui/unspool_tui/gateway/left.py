"""Where a person left a session, to be there again when it is opened once more while the app runs."""

from __future__ import annotations

from dataclasses import dataclass

from unspool.ids import EvidenceId


@dataclass(frozen=True, slots=True)
class Left:
    """The piece under the cursor, and the words of the filter."""

    piece: EvidenceId
    words: str
