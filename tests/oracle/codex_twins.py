"""Codex logs a message as an event and as an item: the one written first is evidence, the other its twin.

Never are two events or two items twins. A twin stands near: a message of the person closes what the agent said
before it, and anything the agent does closes what the person said before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracle.session import OraclePiece


@dataclass
class Written:
    """A message as it was written: by whom, by which kind of record, and its parts, each in the renderings that count
    as equal.

    A reasoning item has one part for each of its summaries, because each is an event of its own.
    """

    piece: OraclePiece
    side: str
    speaker: str
    parts: list[set[str]]


@dataclass
class TwinPool:
    """What was said lately: speaker -> parts, each with the sides that wrote it."""

    said: dict[str, list[tuple[set[str], set[str]]]] = field(default_factory=dict)

    def take(self, written: Written) -> None:
        """Flag the message as a twin if every part of it was written on another side, else remember it."""
        known = self.said.setdefault(written.speaker, [])
        heard = []
        for part in written.parts:
            fitting = [sides for same, sides in known if same & part and written.side not in sides]
            heard += fitting[-1:]
        if written.parts and len(heard) == len(written.parts):
            for sides in heard:
                sides.add(written.side)
            written.piece.flags.add("twin")
            return
        self.closes(written.piece)
        self.said.setdefault(written.speaker, []).extend((part, {written.side}) for part in written.parts)

    def closes(self, piece: OraclePiece) -> None:
        """Forget what can have no twin any more, now that this piece was said."""
        ended = {"user": ("assistant", "reasoning", "failure"), "assistant": ("user",), "tool": ("user",)}
        for speaker in ended.get(piece.kind, ()):
            self.said.pop(speaker, None)
