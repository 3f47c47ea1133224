r"""A needle as raw JSON writes it: what its matches prove, and which of them are none.

JSON escapes each character by itself, so a match in raw bytes is one in the text if it begins where a character begins.
It does not where the backslashes before it open an escape, or inside the digits of a `\uXXXX`.
"""

from __future__ import annotations

from typing import Final

import orjson

from unspool.dataclass import dataclass
from unspool.search.needle import Needle

_BACKSLASH: Final = ord("\\")
_BEHIND_BACKSLASH: Final = frozenset(b"\\bfnrtu")
"""What the second byte of an escape may be that a needle may begin with; the quote is never written bare."""
_HEX_DIGITS: Final = frozenset(b"0123456789abcdefABCDEF")
_LONGEST_ESCAPE: Final = 5
"""Bytes of `\\uXXXX` before its last digit."""

_STRUCTURE: Final = frozenset(b"{}[]:,")
_BARE: Final = frozenset(b"{}[]:,+-.0123456789truefalsniyINE")
"""What stands outside strings in compact JSON: punctuation, numbers and literals."""


@dataclass(frozen=True, slots=True)
class Written:
    """A needle escaped as often as strings of JSON lie inside one another, `depth` times."""

    needle: Needle
    unit: int
    """Backslashes that stand for one: in front of a character there is a multiple of them."""

    @classmethod
    def of(cls, needle: Needle, depth: int) -> Written:
        """Escape a needle, as little as JSON allows."""
        literal = needle.literal
        for _ in range(depth):
            literal = orjson.dumps(literal.decode())[1:-1]
        return cls(Needle(literal, needle.folded, b""), 2**depth)

    def stands(self, raw: bytes, at: int) -> bool:
        """Say whether a match in raw bytes begins where a character begins."""
        first = raw[at]
        if first in _BEHIND_BACKSLASH and _backslashes(raw, at) % self.unit:
            return False
        if first not in _HEX_DIGITS:
            return True
        escape = raw.rfind(b"\\u", max(0, at - _LONGEST_ESCAPE), at)
        return escape < 0 or _backslashes(raw, escape + 1) % self.unit == 0

    def count(self, part: bytes) -> int | None:
        """Count the matches in the raw bytes of a text, `None` when some may be none."""
        first = self.needle.literal[0]
        if first in _BEHIND_BACKSLASH or (self.needle.folded and first | 0x20 in _BEHIND_BACKSLASH):
            behind = Needle(b"\\" + self.needle.literal, self.needle.folded, b"")
            if behind.find(part) >= 0:
                return None
        if first in _HEX_DIGITS and b"\\u" in part:
            return None
        return self.needle.count(part)


def spans_structure(needle: Needle) -> bool:
    """Say whether a needle may match across values of compact JSON, where no text is."""
    literal = set(needle.as_compared)
    return not literal.isdisjoint(_STRUCTURE) and literal <= _BARE


def _backslashes(raw: bytes, at: int) -> int:
    """Count the backslashes right before a byte."""
    start = at
    while start and raw[start - 1] == _BACKSLASH:
        start -= 1
    return at - start
