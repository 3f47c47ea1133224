"""Which lines of an output belong to a stack trace: the one that begins it, and the one that names the error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from unspool.pattern import pattern

_PYTHON: Final = "Traceback (most recent call last):"
_FRAME = pattern(r"\s+at \S.*(?:\(.*\)|:\d+)")
"""A frame of JavaScript and Java, below the line that names the error."""


def telling_lines(texts: Sequence[str]) -> frozenset[int]:
    """Return the indices of the lines that tell most of the stack traces among some lines: heads and errors."""
    found: set[int] = set()
    for at, text in enumerate(texts):
        if _PYTHON in text:
            found |= {at, _error_below(texts, at)}
        elif _FRAME.match(text) and at and not _FRAME.match(texts[at - 1]) and texts[at - 1].strip():
            found.add(at - 1)
    return frozenset(found)


def _error_below(texts: Sequence[str], head: int) -> int:
    """Return the line that ends a trace of Python's: the first below its head that is no deeper; the head without."""
    margin = texts[head][: texts[head].find(_PYTHON)]
    depth = len(margin) if margin.isspace() or not margin else 0
    for at in range(head + 1, len(texts)):
        said = texts[at].strip()
        if said and len(texts[at]) - len(texts[at].lstrip()) <= depth:
            return at
    return head
