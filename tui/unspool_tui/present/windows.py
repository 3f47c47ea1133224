"""Windows of a piece: how they are asked for, and what comes back.

`answer` reads the source, so it is called from a worker. Everything a window holds is ready to be drawn. A window
holds whole lines as far as there are line ends near its edges; of a line that is longer than a window it holds a part.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol

from unspool.dataclass import dataclass, replace
from unspool.text import clean, size, utf8
from unspool_tui.present.failure import SEARCHED, first_failure, last_searched, why_there, with_context
from unspool_tui.present.matches import Case, pattern_of

if TYPE_CHECKING:
    from unspool.ids import EvidenceId
    from unspool.views.reading import Slice
    from unspool_tui.present.lines import Line
    from unspool_tui.present.subject import Subject

WINDOW: Final = 256_000
"""Bytes of source that one window holds at most: some thousand lines, made ready in a moment."""

BEFORE: Final = 16_384
"""Bytes shown before a place that is jumped to, so that one can look back without another read."""

LINES_BEFORE: Final = 3
"""Lines shown above a line that is gone to."""

NEAR: Final = 9
"""Lines before a first failure with which an output still opens at its beginning: all of them are in view."""

LINES_ASKED: Final = WINDOW
"""More lines than a window can hold: its bytes are what ends it."""

Span = tuple[int, int]
"""Offset and length in bytes of the piece's text."""


class Source(Protocol):
    """What of a view is needed to read windows."""

    def slice(
        self,
        target: EvidenceId,
        *,
        lines: tuple[int, int] | None = None,
        bytes: tuple[int, int] | None = None,  # noqa: A002 - the view's own word
        model_view: bool = False,
        raw: bool = False,
        max_bytes: int = WINDOW,
    ) -> Slice:
        """Return a window of one piece's text."""
        ...

    def find(
        self, target: EvidenceId, query: str, *, start: int = 0, case: Case = "ignore", model_view: bool = False
    ) -> Span | None:
        """Return the next match at or after a byte."""
        ...


class Where(Enum):
    """Which window is wanted; `Request.at` says the byte or the line."""

    OPENING = "opening"  # where reading begins by itself: the first failure, else the beginning
    START = "start"  # the first window
    END = "end"  # the last window; `at` is the size of the text
    AFTER = "after"  # begins at a byte
    BEFORE = "before"  # ends at a byte
    BYTE = "byte"  # holds a byte and what is around it
    LINE = "line"  # holds a line and what is around it
    NEXT = "next"  # holds the first match at or after a byte
    PREVIOUS = "previous"  # holds the last match before a byte


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A wanted window of a piece's full text, of what the model saw, or of its raw record."""

    subject: Subject
    where: Where
    at: int = 0
    model_view: bool = False
    raw: bool = False
    query: str = ""
    case: Case = "smart"


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Some lines of a piece, ready to be drawn.

    `start` and `stop` are bytes of the text, half open; `first_line` is the number of the first line, from 1, and
    `starts_line`, `ends_line` say whether the first and last line are whole at that side. `numbered` is False for a
    body that is laid out anew. `target` is where to look at first: line index and character; `said` is why.
    """

    lines: Sequence[Line]
    text: str
    start: int
    stop: int
    first_line: int
    starts_line: bool
    ends_line: bool
    total_bytes: int
    total_lines: int
    numbered: bool = True
    target: tuple[int, int] = (0, 0)
    match: Span | None = None
    said: str = ""

    def place_of(self, byte: int) -> tuple[int, int]:
        """Return the line index and the character that a byte of the text is drawn at; the nearest one outside."""
        if byte <= self.start or not self.lines:
            return (0, 0)
        before = utf8(self.text)[: byte - self.start].decode(errors="ignore")
        line = min(before.count("\n"), len(self.lines) - 1)
        column = clean(before[before.rfind("\n") + 1 :][self.lines[line].aside :], newline=False)
        return (line, min(len(column), len(self.lines[line].text)))


def answer(source: Source, request: Request) -> Window | None:
    """Read the wanted window; `None` when there is no match. Raises what the view raises."""
    reader = _Reader(source, request)
    match request.where:
        case Where.OPENING:
            return reader.opening()
        case Where.START:
            return reader.window((0, WINDOW))
        case Where.AFTER:
            return reader.window((request.at, request.at + WINDOW))
        case Where.BEFORE:
            return reader.before(request.at)
        case Where.END:
            return replace(reader.before(request.at), target=END)
        case Where.BYTE:
            return reader.around(request.at)
        case Where.LINE:
            return reader.at_line(request.at)
        case Where.NEXT:
            return reader.at_match(reader.next_match(request.at))
        case Where.PREVIOUS:
            return reader.at_match(reader.previous_match(request.at))


END: Final = (1 << 60, 0)
"""A target beyond every line: the end of the window."""


def whole(subject: Subject) -> Window | None:
    """Return the window of a body that is laid out anew, which is there as a whole."""
    lines = subject.laid_out
    if lines is None:
        return None
    size_ = subject.evidence.bytes
    return Window(lines, "", 0, size_, 1, True, True, size_, len(lines), numbered=False)


def window_of(piece: Slice, request: Request, keep: tuple[int, int]) -> Window:
    """Make a slice ready to be drawn, cut to whole lines where it has any; the bytes `keep` (half open) stay in it."""
    from unspool_tui.present.body import body_lines  # with the first piece that is read, not with the reader

    text, start, stop = piece.text, piece.start, piece.stop
    first_line, starts_line = piece.first_line, piece.starts_line
    tail = size(text[text.rfind("\n") + 1 :])
    if stop < piece.total_bytes and tail and keep[1] <= stop - tail > start:
        stop -= tail
        text = text[: text.rfind("\n") + 1]
    head = text[: text.find("\n") + 1]
    if not starts_line and head and start + size(head) <= keep[0]:
        start += size(head)
        text = text[len(head) :]
        first_line, starts_line = first_line + 1, True
    ends_line = stop >= piece.total_bytes or text.endswith("\n")
    lines = body_lines(text, request.subject, plain=request.raw)
    return Window(lines, text, start, stop, first_line, starts_line, ends_line, piece.total_bytes, piece.total_lines)


class _Reader:
    """Reads for one request."""

    def __init__(self, source: Source, request: Request) -> None:
        self._source = source
        self._request = request

    def window(self, span: tuple[int, int]) -> Window:
        """Return the window that begins at a byte; a line that does not end in it is left for the next one."""
        return window_of(self._slice(span), self._request, (span[0], span[0]))

    def before(self, stop: int) -> Window:
        """Return the window that ends at a byte; a line that does not begin in it is left for the one before."""
        return window_of(self._slice((max(0, stop - WINDOW), stop)), self._request, (stop - 1, stop))

    def around(self, byte: int) -> Window:
        start = max(0, byte - BEFORE)
        window = window_of(self._slice((start, start + WINDOW)), self._request, (byte, byte + 1))
        return replace(window, target=window.place_of(byte))

    def at_line(self, line: int) -> Window:
        piece = self._lines_from(line)
        if 0 < piece.total_lines < line:
            line = piece.total_lines
            piece = self._lines_from(line)
        window = window_of(piece, self._request, (piece.start, piece.start))
        return replace(window, target=(max(0, line - window.first_line), 0))

    def opening(self) -> Window:
        """Return the window that a piece is opened with; failure.py has the rule."""
        window = self.window((0, WINDOW))
        if self._request.raw or not self._request.subject.failed:
            return window
        total = window.total_bytes
        found = self._first_failure(window, SEARCHED)
        if found is None and total > SEARCHED:
            start = last_searched(total)
            found = self._first_failure(self.window((start, start + WINDOW)), total)
        if found is None:
            return self._last_page(window, why_there(total, None))
        there, character = found
        if there is window and window.text.count("\n", 0, character) <= NEAR:
            return window
        start = there.start + size(there.text[: with_context(there.text, character)])
        return replace(self.window((start, start + WINDOW)), said=why_there(total, start))

    def _first_failure(self, window: Window, stop: int) -> tuple[Window, int] | None:
        """Return the first failure from a window on, up to a byte: the window that it is in, and its character."""
        while (found := first_failure(window.text)) is None:
            if window.stop >= min(stop, window.total_bytes) or window.stop <= window.start:
                return None
            window = self.window((window.stop, window.stop + WINDOW))
        return window, found

    def _last_page(self, first: Window, said: str) -> Window:
        total = first.total_bytes
        window = first if first.stop >= total else self.before(total)
        return replace(window, target=END, said=said)

    def next_match(self, start: int) -> Span | None:
        request = self._request
        return self._source.find(
            request.subject.evidence.id,
            request.query,
            start=start,
            case=request.case,
            model_view=request.model_view,
        )

    def previous_match(self, before: int) -> Span | None:
        """Return the last match that begins before a byte: windows are read backwards and looked through."""
        pattern = pattern_of(self._request.query, self._request.case)
        overlap = size(self._request.query)
        while before > 0 and pattern is not None:
            piece = self._slice((max(0, before - WINDOW + overlap), before + overlap))
            starts = [(found.start(), found[0]) for found in pattern.finditer(piece.text)]
            spans = [(piece.start + size(piece.text[:start]), size(text)) for start, text in starts[-overlap - 1 :]]
            if inside := [span for span in spans if span[0] < before]:
                return inside[-1]
            before = piece.start if piece.start < before else 0
        return None

    def at_match(self, match: Span | None) -> Window | None:
        return replace(self.around(match[0]), match=match) if match else None

    def _lines_from(self, line: int) -> Slice:
        request = self._request
        first = max(1, line - LINES_BEFORE)
        return self._source.slice(
            request.subject.evidence.id,
            lines=(first, first + LINES_ASKED),
            model_view=request.model_view,
            raw=request.raw,
            max_bytes=WINDOW,
        )

    def _slice(self, span: tuple[int, int]) -> Slice:
        request = self._request
        return self._source.slice(
            request.subject.evidence.id,
            bytes=span,
            model_view=request.model_view,
            raw=request.raw,
            max_bytes=WINDOW,
        )
