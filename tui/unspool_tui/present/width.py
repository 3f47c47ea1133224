"""How many cells of a terminal a text takes, and a text of so many.

`rich` knows of every character, from tables that take a moment to import. Of those that most rows are made of it is
known here: how many each takes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

NARROW: Final = (
    (0x20, 0x7E),  # Latin
    (0xA0, 0xAC),
    (0xAE, 0x2FF),
    (0x391, 0x3A1),  # Greek
    (0x3A3, 0x3C9),
    (0x400, 0x482),  # Cyrillic
    (0x2010, 0x2027),  # dashes, quotation marks, the ellipsis
    (0x203A, 0x203A),
    (0x2190, 0x22FF),  # arrows and mathematical signs
    (0x2301, 0x2301),
    (0x2500, 0x25FC),  # lines, blocks, geometric shapes
    (0x2713, 0x2718),  # ticks and crosses
)
"""Characters of one cell: not all there are, but with all marks."""

WIDE: Final = (
    (0x3041, 0x3096),  # Hiragana
    (0x30A1, 0x30FA),  # Katakana
    (0x4E00, 0x9FFF),  # Chinese characters
    (0xAC00, 0xD7A3),  # Hangul
    (0xFF01, 0xFF60),  # Latin in full width
)
"""Characters of two cells: not all there are."""

_ASCII: Final = frozenset(map(chr, range(0x20, 0x7F)))

_KEPT: Final = 512
"""Characters up to which the width of a text is kept: rows are drawn again and again."""


def cell_len(text: str) -> int:
    """Return how many cells a text takes."""
    return _kept(text) if len(text) < _KEPT else _measured(text)


def set_cell_size(text: str, cells: int) -> str:
    """Cut a text, or pad it with spaces, to so many cells."""
    taken = _counted(text)
    if taken is None:
        from rich.cells import set_cell_size

        return set_cell_size(text, cells)
    if taken == len(text):
        return text[: max(0, cells)].ljust(cells)
    return text + " " * (cells - taken) if taken <= cells else _cut(text, cells)


def _cut(text: str, cells: int) -> str:
    """Return the beginning of a text of known characters; half of a wide one is a space."""
    for at, character in enumerate(text):
        width = _width(character) or 0
        if width > cells:
            return text[:at] + " " * max(0, cells)
        cells -= width
    return text


def _measured(text: str) -> int:
    taken = _counted(text)
    if taken is not None:
        return taken
    from rich.cells import cell_len

    return cell_len(text)


def _counted(text: str) -> int | None:
    """Return how many cells a text takes, `None` where it holds a character of which it is not known here."""
    taken = len(text)
    if _ASCII.issuperset(text):
        return taken
    for each in {*text} - _ASCII:
        width = _width(each)
        if width is None:
            return None
        if width == 2:
            taken += text.count(each)
    return taken


@lru_cache(maxsize=4096)
def _width(character: str) -> int | None:
    """Return how many cells a character takes, `None` where that is not known here."""
    code = ord(character)
    for width, ranges in ((1, NARROW), (2, WIDE)):
        if any(first <= code <= last for first, last in ranges):
            return width
    return None


_kept: Final = lru_cache(maxsize=4096)(_measured)
