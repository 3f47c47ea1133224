"""What comes back for the reader: pieces, windows of them, matches in them, records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from unspool.dataclass import dataclass

if TYPE_CHECKING:
    from unspool_tui.present.opening import OpenedPiece
    from unspool_tui.present.windows import Window


@dataclass
class PieceRead(Message):
    """A piece was read for the reader: what it is, and the window it opens with."""

    generation: int
    opened: OpenedPiece


@dataclass
class MatchFound(Message):
    """A walk from match to match came to a piece, `None` when no piece holds one; `wrapped` past an end of the list."""

    generation: int
    words: str
    by: int
    row: int | None
    wrapped: bool


@dataclass
class WindowRead(Message):
    """The reader's wish was answered; `None` when there is no further match."""

    generation: int
    window: Window | None


@dataclass
class RecordRead(Message):
    """A record was read as it is stored; `line` counts from 1."""

    line: int
    text: str
