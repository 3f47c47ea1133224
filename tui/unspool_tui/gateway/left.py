"""Where a person left a session, to be there again when it is opened once more while the app runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.ids import EvidenceId


@dataclass(frozen=True, slots=True)
class Left:
    """The piece under the cursor, the words of the filter, and how many rows there were."""

    piece: EvidenceId
    words: str
    rows: int
