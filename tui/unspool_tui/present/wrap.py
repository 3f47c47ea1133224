"""Breaking one logical line into rows of a width.

The rule: a row ends after a space where one is near, and in the middle of a word where none is. The rows that go on
hang in by the line's own indent and `HANG` more (in prose, below the first word). A line of output that would fit if
its rules (`=====`) and inner gaps were shorter is shown with shorter ones, in one row: a report made for 80 columns
survives a narrower pane.

Rows are stretches of the line's characters, so whatever is copied is the line as it was.
"""

from __future__ import annotations

from typing import Final

from unspool.pattern import pattern
from unspool_tui.present.width import cell_len

Span = tuple[int, int]
Spans = tuple[Span, ...]
"""Half-open stretches of the line's characters that make one row."""

HANG: Final = 4
"""Cells that the rows of a broken line stand further in than its first one."""

WORD: Final = 24
"""Characters that a row may stay short so that a word stays whole; a longer word is broken."""

RUN_KEPT: Final = 4
"""Characters that stay of a shortened rule or gap: enough to be seen as one."""

_RULES: Final = "=_.~*#\u2500\u2501\u2550-"
_RUNS: Final = tuple(character * 8 for character in f" {_RULES}")
_RUN = pattern(rf"(?<=[^ ]) {{8,}}(?=[^ ])|([{_RULES}])\1{{7,}}")


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
    full = _full_ascii_row if text.isascii() else _full_row
    rows: list[Spans] = []
    start, room = 0, width
    while (stop := full(text, start, room)) < len(text):
        stop = _at_a_space(text, start, stop)
        rows.append(((start, stop),))
        start, room = stop, rest
    return (*rows, ((start, len(text)),)) if start < len(text) else tuple(rows)


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


def _at_a_space(text: str, start: int, stop: int) -> int:
    """Return where a full row is better ended: behind a space, where one is near and something stands before it."""
    if text[stop] == " ":
        return stop + 1
    space = text.rfind(" ", max(start + 1, stop - WORD), stop)
    return space + 1 if space >= 0 and not text[start:space].isspace() else stop


def _full_ascii_row(text: str, start: int, width: int) -> int:
    """Return where a row that takes all it can hold ends."""
    return start + width


def _full_row(text: str, start: int, width: int) -> int:
    """Return the same for any text, at least one character on; marks stay with their letter."""
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
    if len(text) > 2 * width or not any(run in text for run in _RUNS):
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
    low, high = RUN_KEPT, max(lengths)
    while low < high:  # the greatest length to which all longer runs shrink
        middle = (low + high + 1) // 2
        enough = sum(max(0, length - middle) for length in lengths) >= over
        low, high = (middle, high) if enough else (low, middle - 1)
    drops = [max(0, length - low) for length in lengths]
    surplus = sum(drops) - over
    for at, drop in enumerate(drops):
        given = min(surplus, drop)
        drops[at] -= given
        surplus -= given
    return drops
