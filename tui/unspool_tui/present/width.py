"""How many cells of a terminal a text takes, and a text of so many.

`rich` knows of every character, from tables that take a moment to import. Of those that most rows are made of it is
known here: each takes one cell.
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

_KEPT: Final = 512
"""Characters up to which the width of a text is kept: rows are drawn again and again."""


def cell_len(text: str) -> int:
    """Return how many cells a text takes."""
    return _kept(text) if len(text) < _KEPT else _measured(text)


def set_cell_size(text: str, cells: int) -> str:
    """Cut a text, or pad it with spaces, to so many cells."""
    if NARROW.issuperset(text[: max(0, cells) + 1]):  # what stands behind the cut adds no mark to what is before it
        return text[: max(0, cells)].ljust(cells)
    from rich.cells import set_cell_size

    return set_cell_size(text, cells)


def _measured(text: str) -> int:
    if NARROW.issuperset(text):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


_kept: Final = lru_cache(maxsize=4096)(_measured)
