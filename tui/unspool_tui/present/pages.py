"""The windows of a piece that are at hand: next to each other, so that they read as one text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from unspool.dataclass import dataclass
from unspool_tui.present.lines import Line, merged

if TYPE_CHECKING:
    from unspool_tui.present.windows import Window

HELD: Final = 4
"""Windows kept: enough to scroll back and forth over an edge without reading again, and a bound on memory."""

AROUND: Final = 40
"""Lines at either end among which those are whose numbers in their file are known, if any are."""

Spot = tuple[int, int]
"""Index of a line at hand, and a character of it."""


@dataclass(frozen=True, slots=True)
class Move:
    """How spots move when windows come and go: `lines` on, and on the line `line` also `characters` on."""

    lines: int = 0
    line: int = 0
    characters: int = 0

    def of(self, spot: Spot) -> Spot:
        """Return where a spot is now; the beginning for one that is no longer at hand."""
        line, character = spot
        if line == self.line:
            character += self.characters
        line += self.lines
        return (line, max(0, character)) if line >= 0 else (0, 0)


class Pages:
    """A run of windows without gaps, at least one.

    `lines` are those of all windows, the parts of a line that goes over an edge put together; the first has the
    number `first_line`.
    """

    def __init__(self, window: Window) -> None:
        self._windows = [window]
        self.lines: Sequence[Line] = window.lines

    @property
    def first(self) -> Window:
        """The window nearest to the beginning."""
        return self._windows[0]

    @property
    def last(self) -> Window:
        """The window nearest to the end."""
        return self._windows[-1]

    @property
    def first_line(self) -> int:
        """Number of the first line at hand, from 1."""
        return self.first.first_line

    @property
    def last_line(self) -> int:
        """Number of the last line at hand."""
        return self.first_line + max(0, len(self.lines) - 1)

    @property
    def file_lines(self) -> tuple[int, int] | None:
        """Numbers in their file of the first and last line at hand, of which it is known; `None` without any."""
        first = next((line.number for line in self.lines[:AROUND] if line.number), None)
        last = next((line.number for line in self.lines[: -AROUND - 1 : -1] if line.number), None)
        return None if first is None or last is None else (first, last)

    @property
    def shift(self) -> int:
        """How much greater the numbers in their file are than those in the text."""
        found = next(((at, line.number) for at, line in enumerate(self.lines[:AROUND]) if line.number), None)
        return 0 if found is None else found[1] - found[0] - self.first_line

    @property
    def bytes(self) -> int:
        """Bytes of source at hand."""
        return self.last.stop - self.first.start

    @property
    def at_start(self) -> bool:
        """Whether the text begins with the first window."""
        return self.first.start <= 0

    @property
    def at_end(self) -> bool:
        """Whether the text ends with the last window."""
        return self.last.stop >= self.last.total_bytes

    @property
    def complete(self) -> bool:
        """Whether the whole text is at hand."""
        return self.at_start and self.at_end

    @property
    def written(self) -> Window:
        """The first window as it was written."""
        return self.first

    def line_of(self, index: int) -> int:
        """Return the index of the written line that a line shows."""
        return index

    def index_of(self, line: int) -> int:
        """Return the index of the line that shows a written line."""
        return line

    def fit(self, width: int) -> None:
        """Make the lines ready for so many cells of text; most are the same in any."""

    def append(self, window: Window) -> Move | None:
        """Take the window that follows; `None` when it does not fit or holds nothing."""
        if window.start != self.last.stop or window.stop <= window.start:
            return None
        self._windows.append(window)
        move = self._without_first() if len(self._windows) > HELD else Move()
        self._join()
        return move

    def prepend(self, window: Window) -> Move | None:
        """Take the window that comes before; `None` when it does not fit or holds nothing."""
        if window.stop != self.first.start or window.stop <= window.start:
            return None
        self._windows.insert(0, window)
        del self._windows[HELD:]
        self._join()
        return Move(_whole_lines(window), 0, _characters_of_part(window))

    def spot_of(self, byte: int) -> Spot | None:
        """Return where a byte of the text is drawn; `None` when it is not at hand."""
        line = characters = 0
        for window in self._windows:
            if window.start <= byte < window.stop:
                within, character = window.place_of(byte)
                return (line + within, character + (characters if within == 0 else 0))
            whole = _whole_lines(window)
            characters = _characters_of_part(window) + (characters if whole == 0 else 0)
            line += whole
        return None

    def _without_first(self) -> Move:
        dropped = self._windows.pop(0)
        whole = _whole_lines(dropped)
        return Move(-whole, whole, -_characters_of_part(dropped))

    def _join(self) -> None:
        lines: list[Line] = []
        goes_on = False
        for window in self._windows:
            rest = window.lines
            if goes_on and lines and rest:
                lines[-1] = merged(lines[-1], rest[0])
                rest = rest[1:]
            lines += rest
            goes_on = not window.ends_line
        self.lines = lines


def _whole_lines(window: Window) -> int:
    """Return how many lines of a window end within it."""
    return max(0, len(window.lines) - (not window.ends_line))


def _characters_of_part(window: Window) -> int:
    """Return how many characters of a line that goes on behind the window it holds."""
    return len(window.lines[-1].text) if not window.ends_line and window.lines else 0
