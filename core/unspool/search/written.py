r"""A needle as raw JSON writes it: what its matches prove, and which of them are none.

JSON escapes each character by itself, so a match in raw bytes is one in the text if it begins where a character begins.
It does not where the backslashes before it open an escape, or inside the digits of a `\uXXXX`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import stringzilla

from unspool.dataclass import dataclass
from unspool.search.needle import Find, Needle
from unspool.sources import codec

_BACKSLASH: Final = ord("\\")
_BEHIND_BACKSLASH: Final = frozenset(b"\\bfnrtu")
"""What the second byte of an escape may be that a needle may begin with; the quote is never written bare."""
_HEX_DIGITS: Final = frozenset(b"0123456789abcdefABCDEF")
_ESCAPE: Final = b"\\u"
_LONGEST_ESCAPE: Final = 5
"""Bytes of `\\uXXXX` before its last digit."""

_STRUCTURE: Final = frozenset(b"{}[]:,")
_BLANKS: Final = b" \t\n\r"
_BARE: Final = frozenset(b"{}[]:,+-.0123456789truefalsniyINE")
"""What stands outside strings in compact JSON: punctuation, numbers and literals."""

Count = Callable[[int, int], int | None]
"""Counts in a half-open range."""


@dataclass(frozen=True, slots=True)
class Written:
    """A needle escaped as often as strings of JSON lie inside one another.

    `find` looks for it. `unit` is how many backslashes stand for one: in front of a character there is a multiple.
    """

    needle: Needle
    find: Find
    unit: int
    _first: int

    @classmethod
    def of(cls, needle: Needle, depth: int) -> Written:
        """Escape a needle so many times, as little as JSON allows."""
        literal = needle.literal
        for _ in range(depth):
            literal = codec.dumps(literal.decode())[1:-1]
        escaped = Needle(literal, needle.folded, b"")
        return cls(escaped, escaped.finder, 2**depth, escaped.as_compared[0])

    def is_proof(self, raw: bytes) -> bool:
        """Say whether each match in raw bytes begins where a character begins, whatever stands before it."""
        return self._first not in _BEHIND_BACKSLASH and not (self._first in _HEX_DIGITS and _holds(raw, _ESCAPE))

    def stands(self, raw: bytes, at: int) -> bool:
        """Say whether a match in raw bytes begins where a character begins."""
        first = raw[at]
        if first in _BEHIND_BACKSLASH and _backslashes(raw, at) % self.unit:
            return False
        if first not in _HEX_DIGITS:
            return True
        escape = raw.rfind(_ESCAPE, max(0, at - _LONGEST_ESCAPE), at)
        return escape < 0 or _backslashes(raw, escape + 1) % self.unit == 0

    def counter(self, raw: bytes) -> Count:
        """Return what counts the matches in a range of raw bytes, and gives `None` where some of them may be none."""
        alike, proof = self.needle.alike(raw), self.is_proof(raw)
        if alike is None:
            return lambda start, stop: self.needle.count(raw[start:stop]) if proof else None
        data, literal = alike
        inside = [(_ESCAPE, _HEX_DIGITS), (b"\\" + literal, _BEHIND_BACKSLASH)]
        doubts = [each for each, firsts in inside if self._first in firsts and _holds(data, each)]

        def count(start: int, stop: int) -> int | None:
            for each in doubts:
                if stringzilla.find(data, each, start, stop) >= 0:
                    return None
            return int(stringzilla.count(data, literal, start, stop))

        return count


def spans_structure(needle: Needle, *, blanks: bool = False) -> bool:
    """Say whether a needle may match across values of JSON, where no text is; `blanks` may stand between them, too.

    Between two values is punctuation, and not blanks alone.
    """
    literal = needle.as_compared
    spans = not _STRUCTURE.isdisjoint(literal) or (blanks and literal.strip(_BLANKS) != literal)
    return spans and _BARE.issuperset(literal.translate(None, _BLANKS) if blanks else literal)


def _holds(raw: bytes, part: bytes) -> bool:
    return int(stringzilla.find(raw, part)) >= 0


def _backslashes(raw: bytes, at: int) -> int:
    """Count the backslashes right before a byte."""
    start = at
    while start and raw[start - 1] == _BACKSLASH:
        start -= 1
    return at - start
