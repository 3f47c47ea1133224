"""Text for people in blocks: cleaned, and cut so that no block ends inside of what is cleaned as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from unspool.pattern import pattern
from unspool.text import SEQUENCE_BODY, clean

LONG_LINE: Final = 262_144
"""Characters of a line from which on it is no longer held until it ends."""

_INTRODUCER: Final = pattern("[\x1b\x80-\x9f]")


def cleaned(blocks: Iterable[str]) -> Iterator[str]:
    """Yield a text as `clean` gives it, in other blocks: they end at line ends, those of endless lines before."""
    held = ""
    for block in blocks:
        end = block.rfind("\n") + 1
        if end:
            yield clean(held + block[:end])
            held = block[end:]
        else:
            held += block
        if len(held) > LONG_LINE:
            cut = _border(held)
            yield clean(held[:cut])
            held = held[cut:]
    if held:
        yield clean(held)


def _border(line: str) -> int:
    """Return where a line may be cut: not inside of a sequence that may still be going on."""
    begin = len(line) - SEQUENCE_BODY - 16
    found = _INTRODUCER.search(line, begin)
    return found.start() if found is not None else len(line)
