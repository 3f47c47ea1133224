"""What a bounded read returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool.views.bounds import Truncation
    from unspool.views.evidence import Evidence


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A window of one piece: `text` begins at byte `offset` of the piece's text (UTF-8), its first line is `line`.

    `line` is 1-based. `notice` says what a person must know ("full output not found"), `None` when all is well.
    """

    evidence: Evidence
    text: str
    offset: int
    line: int
    notice: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return row and text as one object."""
        extra = {"notice": self.notice} if self.notice else {}
        return {**self.evidence.to_json(), "text": self.text, "offset": self.offset, "line": self.line, **extra}


@dataclass(frozen=True, slots=True)
class RawPiece:
    """A window of one physical line as it stands in the source, from byte `offset` on, U+FFFD for what is not UTF-8."""

    entry: int
    text: str
    offset: int

    def to_json(self) -> dict[str, Any]:
        """Return the line and its text as one object."""
        return {"id": None, "entry_range": [self.entry, self.entry], "text": self.text, "offset": self.offset}


@dataclass(frozen=True, slots=True)
class Reading:
    """Pieces in order and what was left out."""

    pieces: tuple[ReadPiece | RawPiece, ...]
    truncation: Truncation


@dataclass(frozen=True, slots=True)
class Slice:
    """A window of one piece's text, of a piece of any size.

    `start` and `stop` are bytes of the text (UTF-8), half open; `first_line` is the 1-based line that `start` lies in;
    `starts_line` says whether the window begins at a line's start. `total_bytes` and `total_lines` measure the text.
    `text` holds at most what was asked for.
    """

    text: str
    start: int
    stop: int
    first_line: int
    starts_line: bool
    total_bytes: int
    total_lines: int

    @property
    def at_end(self) -> bool:
        """Whether nothing follows."""
        return self.stop >= self.total_bytes
