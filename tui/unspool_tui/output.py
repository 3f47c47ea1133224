"""What the command prints: cleaned lines for people, one JSON object a line for programs.

Answers go to standard output, everything else to standard error. Text from sessions reaches a person only through
`clean()`, a program only as ASCII in which every control, format and surrogate character is an escape.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from errno import EBADF
from typing import Any, Final, NoReturn, TextIO

from unspool.errors import Unwritable
from unspool.text import clean
from unspool_tui.streams import silence

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
WIDE: Final = 100
"""Columns of a terminal from which on lists show all that they know: below, what is looked for gets the room."""

HELD: Final = 1 << 16
"""Characters of an unfinished line that are held back: sequences that a window's border cuts are cleaned whole."""


class Output:
    """Where answers and notices go. `json` chooses the form of the answers."""

    def __init__(self, *, json: bool, answers: TextIO | None = None, notices: TextIO | None = None) -> None:
        self.json = json
        self.plain: Callable[[], bool] = lambda: False
        """Whether marks in rows at a terminal are those of ASCII; asked when the first is drawn."""
        self._answers = answers or sys.stdout
        self._notices = notices or sys.stderr

    @property
    def terminal(self) -> bool:
        """Whether a person reads the answers where they are printed."""
        return not self.json and self._answers.isatty()

    @property
    def narrow(self) -> bool:
        """Whether the answers are read at a terminal that has no room for all columns of a list."""
        return self.terminal and self._width() < WIDE

    def text(self, text: str) -> None:
        """Print lines for a person."""
        self.windows([text])

    def windows(self, windows: Iterable[str]) -> None:
        """Print the lines of one text for a person; no more of it is held than a window and the line it ends in."""
        held, ended = "", True
        for window in windows:
            held += window
            cut = len(held) if len(held) > HELD else held.rfind("\n") + 1
            if cut:
                self._write(clean(held[:cut]))
                ended = held[cut - 1] == "\n"
                held = held[cut:]
        if held or not ended:
            self._write(clean(held) + "\n")

    def row(self, text: str, end: str = "") -> None:
        """Print one row for a person, cut to the terminal where there is one; its `end` stays in view."""
        shown, end = clean(text, newline=False).rstrip(), clean(end, newline=False)
        if self._answers.isatty():
            shown = cut_cells(shown, max(1, self._width() - cells(end)))
        self._write(f"{self._drawn(shown + end)}\n")

    def _drawn(self, text: str) -> str:
        """Return a row with the marks that a terminal can show; a pipe gets the same ones everywhere."""
        if text.isascii() or not self.terminal or not self.plain():
            return text
        from unspool_tui.present.marks import in_ascii

        return in_ascii(text)

    def object(self, value: Mapping[str, Any]) -> None:
        """Print one JSON object as one line of ASCII."""
        self._write(ascii_json(value) + "\n")

    def stretches(self, stretches: Iterable[str]) -> None:
        """Print one JSON object that comes in stretches of ASCII."""
        for stretch in stretches:
            self._write(stretch)
        self._write("\n")

    def left_out(self, text: str) -> None:
        """Tell what an answer left out: beside it, and where that is no terminal at its end too, as in a pager."""
        if not self._answers.isatty():
            self._write(f"… {clean(text, newline=False)}\n")
        if self._answers.isatty() or not self._together():
            self.note(text)

    def note(self, text: str) -> None:
        """Tell a person something beside the answer."""
        self.flush()
        self._beside(clean(text, newline=False) + "\n")

    def progress(self, text: str | None) -> None:
        """Tell a person at a terminal how far something is, in one line that the next replaces; `None` ends it."""
        if self._notices.isatty():
            shown = cut_cells(clean(text or "", newline=False), self._width() - 1)
            self._beside(f"\r{shown}\x1b[K")

    def block(self, text: str) -> None:
        """Print a stretch of a file that is made for sharing, as it stands in the file."""
        self._write(text)

    def flush(self) -> None:
        """Write out what is held back, so that a closed pipe or a full disk is met here and not at exit."""
        try:
            self._answers.flush()
        except OSError as error:
            self._lost(error)

    def _write(self, text: str) -> None:
        try:
            self._answers.write(text)
        except OSError as error:
            self._lost(error)

    def _lost(self, error: OSError) -> NoReturn:
        """Raise what became of the answers; those that are still held back go nowhere."""
        silence(self._answers)
        if isinstance(error, BrokenPipeError):
            raise error
        why = "it is closed" if error.errno == EBADF else error.strerror or type(error).__name__
        raise Unwritable(f"standard output cannot be written: {why}", path="-") from error

    def _beside(self, text: str) -> None:
        """Write to whoever reads the notices; an answer does not fail because nobody does."""
        try:
            self._notices.write(text)
            self._notices.flush()
        except OSError:
            silence(self._notices)

    def _together(self) -> bool:
        """Say whether answers and notices go to the same place."""
        try:
            return os.path.sameopenfile(self._answers.fileno(), self._notices.fileno())
        except (OSError, ValueError):
            return False

    def _width(self) -> int:
        import shutil

        return shutil.get_terminal_size().columns


def ascii_json(value: Any) -> str:
    """Write a value as JSON on one line, in ASCII."""
    from json import dumps

    return dumps(value, ensure_ascii=True, separators=(",", ":"), check_circular=False)


def cell(text: str | None, width: int, *, whole: bool = False) -> str:
    """Return the text as one line of exactly `width` terminal cells, cut with `…` or padded.

    `whole` is for a name that a program looks for: it is never cut.
    """
    shown = clean(text or "", newline=False)
    shown = shown if whole else cut_cells(shown, width)
    return shown + " " * (width - cells(shown))


def cells(text: str) -> int:
    """Return how many terminal cells a cleaned text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def cut_cells(text: str, width: int) -> str:
    """Cut a cleaned line to `width` cells, never inside a character; `…` says that something is missing."""
    if len(text) * 2 <= width or cells(text) <= width:
        return text
    room = width - 1
    kept = []
    for character in text[:width]:
        room -= cells(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def human_time(milliseconds: int | None) -> str:
    """Write a time in the zone of this machine, `2026-06-01 09:00`; spaces of the same width for none."""
    if milliseconds is None:
        return " " * 16
    try:
        return (_EPOCH + timedelta(milliseconds=milliseconds)).astimezone().strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return " " * 16


def counted(number: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun: `1 line`, `1,200 lines`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
