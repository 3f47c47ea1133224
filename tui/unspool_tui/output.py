"""What the command prints: cleaned lines for people, one JSON object a line for programs.

Answers go to standard output, everything else to standard error. Text from sessions reaches a person only through
`clean()`, a program only as ASCII in which every control, format and surrogate character is an escape.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TextIO

from unspool.text import clean

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS: Final = ("KB", "MB", "GB", "TB")


class Output:
    """Where answers and notices go. `json` chooses the form of the answers."""

    def __init__(self, *, json: bool, answers: TextIO | None = None, notices: TextIO | None = None) -> None:
        self.json = json
        self._answers = answers or sys.stdout
        self._notices = notices or sys.stderr

    def text(self, text: str) -> None:
        """Print lines for a person."""
        shown = clean(text)
        self._answers.write(shown if shown.endswith("\n") else shown + "\n")

    def row(self, text: str) -> None:
        """Print one row for a person, cut to the terminal where there is one."""
        shown = clean(text, newline=False).rstrip()
        self._answers.write((cut_cells(shown, self._width()) if self._answers.isatty() else shown) + "\n")

    def object(self, value: Mapping[str, Any]) -> None:
        """Print one JSON object as one line of ASCII."""
        from json import dumps

        self._answers.write(dumps(value, ensure_ascii=True, separators=(",", ":"), check_circular=False) + "\n")

    def note(self, text: str) -> None:
        """Tell a person something beside the answer."""
        self._answers.flush()
        self._notices.write(clean(text, newline=False) + "\n")

    def flush(self) -> None:
        """Write out what is held back, so that a closed pipe is met here and not at exit."""
        self._answers.flush()

    def _width(self) -> int:
        return shutil.get_terminal_size().columns


def cell(text: str | None, width: int) -> str:
    """Return the text as one line of exactly `width` terminal cells, cut with `…` or padded."""
    shown = cut_cells(clean(text or "", newline=False), width)
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


def human_size(count: int) -> str:
    """Write a number of bytes for a person: `812 B`, `2.0 KB`, `5.6 MB` (1 KB is 1,024 bytes)."""
    if count < 1024:
        return f"{count} B"
    size = float(count)
    for unit in _UNITS:
        size /= 1024
        if size < 1024 or unit == _UNITS[-1]:
            break
    return f"{size:.1f} {unit}"


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
