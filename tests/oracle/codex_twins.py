"""Codex logs a message as an event and as an item: the one written first is evidence, the other its twin.

Never are two events or two items twins. A twin stands near: a message of the person closes what the agent said
before it, and anything the agent does closes what the person said before it. Where an item looks injected and an event
says that the person typed it, the event is the evidence, wherever it stands.
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
    """What was said lately: speaker -> parts, each with the sides that wrote it and the piece that said it first."""

    said: dict[str, list[tuple[set[str], set[str], OraclePiece]]] = field(default_factory=dict)

    def take_all(self, message: list[Written]) -> None:
        """Take the blocks of one message: an answer's are one text where another side wrote it so, else several."""
        speaker = message[0].speaker if message else ""
        told = [part for written in message for part in written.parts]
        if speaker not in ("assistant", "reasoning") or len(told) < 2:
            for written in message:
                self.take(written)
            return
        together = {joint.join(max(part) for part in told).strip() for joint in ("", "\n", "\n\n")}
        for same, sides, _ in reversed(self.said.get(speaker, [])):
            if same & together and message[0].side not in sides:
                sides.add(message[0].side)
                for written in message:
                    written.piece.flags.add("twin")
                return
        for written in message:
            self.take(written)
        self.said.setdefault(speaker, []).append((together, {message[0].side}, message[0].piece))

    def take(self, written: Written) -> None:
        """Flag the message as a twin if every part of it was written on another side, else remember it."""
        known = self.said.setdefault(written.speaker, [])
        heard = []
        for part in written.parts:
            fitting = [(sides, first) for same, sides, first in known if same & part and written.side not in sides]
            heard += fitting[-1:]
        if written.parts and len(heard) == len(written.parts):
            for sides, _ in heard:
                sides.add(written.side)
            first = heard[0][1]
            overruled = (first.kind, written.piece.kind) == ("system", "user") and "twin" not in first.flags
            (first if overruled else written.piece).flags.add("twin")
            return
        self.closes(written.piece)
        told = ((part, {written.side}, written.piece) for part in written.parts)
        self.said.setdefault(written.speaker, []).extend(told)

    def closes(self, piece: OraclePiece) -> None:
        """Forget what can have no twin any more, now that this piece was said."""
        ended = {
            "user": ("assistant", "reasoning", "failure"),
            "assistant": ("user", "shell"),
            "tool": ("user", "shell"),
        }
        if "by_user" in piece.flags:
            return
        for speaker in ended.get(piece.kind, ()):
            self.said.pop(speaker, None)
