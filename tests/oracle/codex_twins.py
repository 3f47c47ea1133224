"""Codex logs a message as an event and as an item: the one written first is evidence, the other its twin.

Never are two events or two items twins. A twin stands near: a message of the person closes what the agent said
before it, and anything the agent does closes what the person said before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracle.session import OraclePiece


@dataclass
class Written:
    """A message as it was written: by whom, on which side, and its parts, each in the renderings that count as equal.

    A reasoning item has one part for each of its summaries, because each is an event of its own.
    """

    piece: OraclePiece
    side: str
    speaker: str
    parts: list[set[str]]


@dataclass
class TwinPool:
    """Messages whose second writing has not come yet: (side, speaker) -> parts."""

    waiting: dict[tuple[str, str], list[set[str]]] = field(default_factory=dict)

    def take(self, written: Written) -> None:
        """Flag the message as a twin if every part of it was written on the other side, else let it wait."""
        other = "item" if written.side == "event" else "event"
        open_parts = self.waiting.get((other, written.speaker), [])
        left = list(open_parts)
        for part in written.parts:
            match = next((candidate for candidate in left if candidate & part), None)
            if match is None:
                self.closes(written.piece)
                self.waiting.setdefault((written.side, written.speaker), []).extend(written.parts)
                return
            left.remove(match)
        open_parts[:] = left
        written.piece.flags.add("twin")

    def closes(self, piece: OraclePiece) -> None:
        """Forget what can have no twin any more, now that this piece was said."""
        ended = {"user": ("assistant", "reasoning"), "assistant": ("user",), "tool": ("user",)}.get(piece.kind, ())
        for side in ("event", "item"):
            for speaker in ended:
                self.waiting.pop((side, speaker), None)
