"""How many cells of a terminal a text takes, and a text of so many.

`rich` knows of every character, from tables that take a moment to import. Of those that most rows are made of it is
known here: how many each takes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_RANGES: Final = (
    (0x20, 0x7E),  # Latin
    (0xA0, 0xAC),
    (0xAE, 0x2FF),
    (0x2010, 0x2027),  # dashes, quotation marks, the ellipsis
    (0x2190, 0x22FF),  # arrows and mathematical signs
    (0x2500, 0x25FC),  # lines, blocks, geometric shapes
)
NARROW: Final = frozenset(chr(code) for first, last in _RANGES for code in range(first, last + 1)) | {"✗", "⌁", "›"}
"""Characters of one cell: not all there are, but with all marks."""

WIDE_RANGES: Final = (
    (0x3041, 0x3096),  # Hiragana
    (0x30A1, 0x30FA),  # Katakana
    (0x4E00, 0x9FFF),  # Chinese characters
    (0xAC00, 0xD7A3),  # Hangul
    (0xFF01, 0xFF60),  # Latin in full width
)
"""Characters of two cells: not all there are."""

_KEPT: Final = 512
"""Characters up to which the width of a text is kept: rows are drawn again and again."""


def cell_len(text: str) -> int:
    """Return how many cells a text takes."""
    return _kept(text) if len(text) < _KEPT else _measured(text)


def set_cell_size(text: str, cells: int) -> str:
    """Cut a text, or pad it with spaces, to so many cells."""
    if NARROW.issuperset(text):
        return text[: max(0, cells)].ljust(cells)
    taken = _counted(text)
    if taken is None:
        from rich.cells import set_cell_size

        return set_cell_size(text, cells)
    return text + " " * (cells - taken) if taken <= cells else _cut(text, cells)


def _cut(text: str, cells: int) -> str:
    """Return the beginning of a text of known characters; half of a wide one is a space."""
    for at, character in enumerate(text):
        width = 1 if character in NARROW else 2
        if width > cells:
            return text[:at] + " " * max(0, cells)
        cells -= width
    return text


def _measured(text: str) -> int:
    if NARROW.issuperset(text):
        return len(text)
    taken = _counted(text)
    if taken is not None:
        return taken
    from rich.cells import cell_len

    return cell_len(text)


def _counted(text: str) -> int | None:
    """Return how many cells a text takes, `None` where it holds a character of which it is not known here."""
    others = {*text} - NARROW
    if not all(any(first <= ord(each) <= last for first, last in WIDE_RANGES) for each in others):
        return None
    return len(text) + sum(map(text.count, others))


_kept: Final = lru_cache(maxsize=4096)(_measured)
