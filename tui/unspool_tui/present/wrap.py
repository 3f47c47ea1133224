"""Breaking one logical line into rows of a width.

The rule: a row ends after a space where one is near, and in the middle of a word where none is. The rows that go on
hang in by the line's own indent and `HANG` more (in prose, below the first word). A line of output that would fit if
its rules (`=====`) and inner gaps were shorter is shown with shorter ones, in one row: a report made for 80 columns
survives a narrower pane.

Rows are stretches of the line's characters, so whatever is copied is the line as it was.
"""

from __future__ import annotations

import re
from typing import Final

from rich.cells import cell_len

Span = tuple[int, int]
Spans = tuple[Span, ...]
"""Half-open stretches of the line's characters that make one row."""

HANG: Final = 4
"""Cells that the rows of a broken line stand further in than its first one."""

WORD: Final = 24
"""Characters that a row may stay short so that a word stays whole; a longer word is broken."""

RUN_KEPT: Final = 4
"""Characters that stay of a shortened rule or gap: enough to be seen as one."""

_RUN = re.compile(r"(?<=[^ ]) {8,}(?=[^ ])|([=_.~*#\u2500\u2501\u2550-])\1{7,}")


def wrapped(text: str, width: int, *, squeeze: bool = False, hang: int | None = None) -> tuple[Spans, ...]:
    """Return the rows of a cleaned line, at least one; `squeeze` allows shorter rules and gaps, `hang` see `hung`.

    Without squeezing the rows join to the text. A row is at most `width` cells wide (less `hung` from the second on)
    when one space at its end is not counted.
    """
    width = max(1, width)
    if fits(text, width):
        return (((0, len(text)),),)
    if squeeze and (spans := _squeezed(text, width)):
        return (spans,)
    rest = max(1, width - hung(text, width, hang))
    rows: list[Spans] = []
    start = 0
    while start < len(text):
        stop = _row_end(text, start, rest if rows else width)
        rows.append(((start, stop),))
        start = stop
    return tuple(rows)


def fits(text: str, width: int) -> bool:
    """Say whether a line takes at most `width` cells."""
    if len(text) <= width // 2 or (len(text) <= width and text.isascii()):
        return True
    return not text.isascii() and len(text) <= 4 * width and cell_len(text) <= width


def hung(text: str, width: int, hang: int | None = None) -> int:
    """Return how many cells the rows after the first hang in: `hang`, or the indent and `HANG` more."""
    if hang is None:
        hang = len(text) - len(text.lstrip(" ")) + HANG
    return min(hang, width // 3)


def _row_end(text: str, start: int, width: int) -> int:
    stop = _full_row(text, start, width)
    if stop >= len(text):
        return len(text)
    if text[stop] == " ":
        return stop + 1
    space = text.rfind(" ", start + 1, stop)
    near = space >= 0 and stop - space <= WORD and text[start:space].strip(" ")
    return space + 1 if near else stop


def _full_row(text: str, start: int, width: int) -> int:
    """Return where a row that takes all it can hold ends, at least one character on; marks stay with their letter."""
    if text.isascii():
        return start + width
    stop = min(len(text), start + width)
    while stop > start + 1 and (over := cell_len(text[start:stop]) - width) > 0:
        stop -= (over + 1) // 2
    room = width - cell_len(text[start:stop])
    while stop < len(text) and (cells := cell_len(text[stop])) <= room:
        room -= cells
        stop += 1
    return max(stop, start + 1)


def _squeezed(text: str, width: int) -> Spans | None:
    """Return the stretches to show when shorter runs make the line fit, the longest run shortened first."""
    if len(text) > 2 * width:
        return None
    over = cell_len(text) - width
    runs = [found.span() for found in _RUN.finditer(text)]
    if sum(stop - start - RUN_KEPT for start, stop in runs) < over:
        return None
    cuts = _shares([stop - start for start, stop in runs], over)
    spans: list[Span] = []
    at = 0
    for (_, stop), dropped in zip(runs, cuts, strict=True):
        if dropped:
            spans.append((at, stop - dropped))
            at = stop
    return tuple(span for span in (*spans, (at, len(text))) if span[0] < span[1])


def _shares(lengths: list[int], over: int) -> list[int]:
    """Take `over` characters from the runs so that the longest give first and the others only when they must."""
    limit = max(lengths)
    while sum(max(0, length - max(limit, RUN_KEPT)) for length in lengths) < over:
        limit -= 1
    drops = [max(0, length - max(limit, RUN_KEPT)) for length in lengths]
    surplus = sum(drops) - over
    for at, drop in enumerate(drops):
        given = min(surplus, drop)
        drops[at] -= given
        surplus -= given
    return drops
