"""Reading the lines of a piece that a reference names, within bounds, and on to their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unspool.columns.piece_text import PieceText
from unspool.errors import NotFound
from unspool.views.bounds import BYTES_PER_TOKEN, MIN_BYTES, Bounds, Reason, Truncation
from unspool.views.reading import Reading, ReadPiece, Slice
from unspool.views.windows import parse_after, slice_text
from unspool_tui.output import counted

if TYPE_CHECKING:
    from unspool.ids import EvidenceId
    from unspool.views.view import SessionView


class QuotedLines:
    """The lines of one piece that a reference names: of `text` where people read it in another form than its own."""

    def __init__(
        self,
        view: SessionView,
        piece: EvidenceId,
        lines: tuple[int, int],
        bounds: Bounds,
        model_view: bool,
        text: str | None = None,
    ) -> None:
        self._view = view
        self._piece = piece
        self._bounds = bounds
        self._model_view = model_view
        self._text = None if text is None else PieceText.of(text)
        first = self._slice(lines=(lines[0], lines[0]))
        if lines[0] > max(1, first.total_lines):
            there = counted(first.total_lines, "line")
            raise NotFound(f"{view.ref} has no line {lines[0]} in {piece}: the text has {there}")
        self._start = first.start
        self._stop = self._slice(lines=(lines[1] + 1, lines[1] + 1)).start

    def read(self, after: str | None) -> Reading:
        """Read a window of the lines."""
        start = max(self._start, parse_after(after)[1])
        by_tokens = self._bounds.max_tokens * BYTES_PER_TOKEN
        most = min(self._bounds.max_bytes, by_tokens)
        window = self._slice(bytes=(start, min(self._stop, start + most)), max_bytes=most)
        row = self._view.row(self._piece)
        piece = ReadPiece(
            self._view.evidence_at(row), window.text, window.start, window.first_line, self._view.notice(row)
        )
        left = max(0, self._stop - window.stop)
        if not left:
            return Reading((piece,), Truncation(False, 1))
        reason: Reason = "bytes" if self._bounds.max_bytes <= by_tokens else "tokens"
        return Reading((piece,), Truncation(True, 1, reason, 0, left, f"{self._piece}+{window.stop}"))

    def _slice(self, **window: Any) -> Slice:
        asked = {"lines": None, "bytes": None, "max_bytes": MIN_BYTES, **window}
        if self._text is not None:
            return slice_text(self._text, **asked)
        return self._view.slice(self._piece, model_view=self._model_view, **asked)
