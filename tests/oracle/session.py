"""What the oracle answers with: the pieces of one session, and naive counts and searches over them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.values import leaves, pictures

COUNTED = ("user", "assistant", "system", "tool_input", "tool_output")
SET_ASIDE = ("twin", "replayed", "abandoned", "reasoning")  # a piece counts once, by the first that holds


@dataclass
class OraclePiece:
    """One thing inside an entry; `value` is the structure behind `text` where the text is compact JSON."""

    entry: int
    piece: int
    kind: str
    text: str
    tool_part: str | None = None
    tool: str | None = None
    call_id: str | None = None
    value: Any = None
    images: int = 0
    flags: set[str] = field(default_factory=set)
    native_id: str | None = None
    time: str | None = None
    block: int = 0  # the number that the piece has within its record
    behind: str = ""  # what stands behind the first block, if the text of that one lies elsewhere
    spoken: str = ""  # what of a prompt the person typed: a title, when there is none better

    def spoken_lines(self) -> list[str]:
        """The lines of `spoken` that are not blank."""
        return [line.strip() for line in self.spoken.split("\n") if line.strip()]

    @property
    def id(self) -> str:
        """The id as views print it."""
        return f"E{self.entry}.{self.piece}"

    @property
    def counted_as(self) -> str:
        """The one name under which this piece is counted."""
        for flag in SET_ASIDE:
            if flag in self.flags:
                return flag
        return f"{self.kind}_{self.tool_part}" if self.kind == "tool" else self.kind


@dataclass
class OracleSession:
    """Everything the oracle knows of one file; lines count from 1, `pending` is the torn tail."""

    session_id: str | None = None
    title: str | None = None
    cwd: str | None = None
    entries: int = 0
    pieces: list[OraclePiece] = field(default_factory=list)
    other_records: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    without_text: int = 0
    unreadable: list[tuple[int, str]] = field(default_factory=list)
    pending: bytes | None = None
    broken_links: list[int] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)
    models: list[str] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)
    first_time: str | None = None
    last_time: str | None = None

    def at(self, evidence_id: str) -> OraclePiece:
        """The piece of this id; raises KeyError when there is none."""
        for piece in self.pieces:
            if piece.id == evidence_id:
                return piece
        raise KeyError(evidence_id)

    def seen(self, name: str, value: Any) -> None:
        """Add a model or a version to its list, once."""
        known: list[str] = getattr(self, name)
        if isinstance(value, str) and value and value not in known:
            known.append(value)

    def stamp(self, time: Any) -> None:
        """Widen the session's times by the timestamp of one record (ISO 8601, UTC)."""
        if isinstance(time, str) and time[:2] == "20":
            self.first_time = min(self.first_time or time, time)
            self.last_time = max(self.last_time or time, time)


def counts(session: OracleSession) -> dict[str, int]:
    """Count the pieces: the five of `counts`, then twin, replayed, abandoned and reasoning; zeros included."""
    found = Counter(piece.counted_as for piece in session.pieces)
    return {name: found[name] for name in (*COUNTED, *SET_ASIDE)}


def naive_search(session: OracleSession, needle: str, ignore_case: bool = True) -> list[OraclePiece]:
    """List the pieces that hold the needle, in order; twins and replays are never searched."""
    wanted = needle.casefold() if ignore_case else needle
    hits = []
    for piece in session.pieces:
        fields = [text.casefold() if ignore_case else text for text in searchable(piece)]
        if not piece.flags & {"twin", "replayed"} and any(wanted in text for text in fields):
            hits.append(piece)
    return hits


def searchable(piece: OraclePiece) -> list[str]:
    """List what a search looks into: the text, or the leaves of a structure; with an input, the tool's name."""
    fields = [piece.text] if piece.value is None else leaves(piece.value)
    if piece.tool_part == "input" and piece.tool:
        fields.append(piece.tool)
    return fields


def link(pieces: list[OraclePiece]) -> None:
    """Pair calls and results by id over the whole source: names for outputs, and the flags of what is left over."""
    calls: dict[str, OraclePiece] = {}
    for piece in pieces:
        if piece.tool_part == "input" and piece.call_id is not None:
            calls.setdefault(piece.call_id, piece)
    answered: set[str] = set()
    for piece in pieces:
        if piece.tool_part != "output" or "by_user" in piece.flags:
            continue
        call = calls.get(piece.call_id or "")
        piece.tool = call.tool if call else piece.tool
        if call is None:
            piece.flags.add("orphan")
        if "replayed" not in piece.flags and piece.call_id is not None:
            piece.flags |= {"duplicate"} if piece.call_id in answered else set()
            answered.add(piece.call_id)
    for call in calls.values():
        if call.call_id not in answered and "never_answered" not in call.flags:
            call.flags.add("unanswered")
    for piece in pieces:
        piece.flags.discard("never_answered")


def count_pictures(pieces: list[OraclePiece]) -> None:
    """Add the images inside structures to those that are blocks of their own."""
    for piece in pieces:
        piece.images += pictures(piece.value)
