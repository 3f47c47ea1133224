"""The thread of a session: user and assistant texts in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.formats.piece import Flag, Kind
    from unspool.ids import EntryRange, EvidenceId


@dataclass(frozen=True, slots=True)
class OverviewItem:
    """One user or assistant text.

    `message_seq` counts user and assistant texts of every flag from 0. `turn` counts user pieces from 1 (0 before the
    first). `step` is 0 for the prompt, 1, 2, … for progress, and `is_answer` marks the turn's last assistant text.
    `intervening` counts default-visible pieces up to the next item, `errors` and `stored` those among them; the first
    of them is row `first_between`, `None` without any. `excerpt` is at most 300 characters, uncleaned, whitespace
    folded.
    """

    id: EvidenceId
    row: int
    kind: Kind
    message_seq: int
    turn: int
    step: int
    is_answer: bool
    label: str
    excerpt: str
    time: int | None
    flags: Flag
    entry_range: EntryRange
    intervening: int
    errors: int
    stored: int
    first_between: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of the command's JSON."""
        from unspool.views.times import iso

        return {
            "id": str(self.id),
            "kind": str(self.kind),
            "message_seq": self.message_seq,
            "turn": self.turn,
            "step": self.step,
            "answer": self.is_answer,
            "label": self.label,
            "excerpt": self.excerpt,
            "time": iso(self.time),
            "flags": list(self.flags.names()),
            "entry_range": self.entry_range.to_json(),
            "intervening": self.intervening,
        }


@dataclass(frozen=True, slots=True)
class Overview:
    """Items in order; with fewer than `total` they were thinned evenly, first and last kept. `turns` counts turns."""

    items: tuple[OverviewItem, ...]
    total: int
    turns: int
