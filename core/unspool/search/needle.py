"""What is searched for: a literal, how its case counts, and which part of it must stand verbatim in raw JSON.

Case folding is Unicode's full folding as stringzilla implements it (so that answers do not depend on the Python
version): `ß` and `SS` match each other, and `s` matches inside `ß`. There is no normalisation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import stringzilla

from unspool.dataclass import dataclass
from unspool.errors import BadQuery
from unspool.pattern import pattern
from unspool.text import utf8

Case = Literal["ignore", "exact", "smart"]

LONGEST_NEEDLE: Final = 10_000
"""Characters; longer texts are compared, not searched, and the overlap kept between blocks grows with the needle."""

_VERBATIM = pattern(r'[^\x00-\x1f"\\\ufffd]+')
"""Runs of characters that JSON leaves as they are, unless it writes them as `\\uXXXX` or `\\/`; U+FFFD stands for
what was not decodable."""

_FOLDED_TO_ASCII = pattern(
    rb"\xc3\x9f|\xc4\xb0|\xc5[\x89\xbf]|\xc7\xb0|\xe1\xba[\x96-\x9a\x9e]|\xe2\x84\xaa|\xef\xac[\x80-\x86]"
)
"""What folds to letters of ASCII, alone or with others, and is none."""

FOLDED_GROWTH: Final = 3
"""Folding maps up to three code points to one: a match is at most this many times longer in bytes than its needle."""


@dataclass(frozen=True, slots=True)
class Needle:
    """A literal to look for in UTF-8; `folded` says that case is ignored.

    `fragment` is the longest run of it that raw JSON holds verbatim, empty when there is none.
    """

    literal: bytes
    folded: bool
    fragment: bytes

    @classmethod
    def of(cls, query: str, case: Case = "ignore") -> Needle:
        """Make a needle; raises `BadQuery` for an empty or enormous one. `smart` minds case when it has capitals."""
        if not query:
            raise BadQuery("an empty query finds everything; list pieces with `evidence`")
        if len(query) > LONGEST_NEEDLE:
            raise BadQuery(f"the query has {len(query)} characters; at most {LONGEST_NEEDLE} can be searched")
        folded = case == "ignore" or (case == "smart" and query == query.lower())
        runs = [utf8(run) for run in _VERBATIM.findall(utf8(query).decode())]
        return cls(utf8(query), folded, max(runs, key=len, default=b""))

    @property
    def as_compared(self) -> bytes:
        """The literal, its case folded if case is ignored."""
        return bytes(stringzilla.utf8_uncased_fold(self.literal)) if self.folded else self.literal

    @property
    def overlap(self) -> int:
        """Bytes that two neighbouring windows must share so that no match is missed between them."""
        return len(self.literal) * FOLDED_GROWTH + 4

    def find(self, haystack: bytes | bytearray | memoryview, start: int = 0) -> int:
        """Return the offset of the first match from `start` on, -1 for none."""
        return _find(haystack, self.literal, start, self.folded)

    def find_fragment(self, haystack: bytes | bytearray | memoryview, start: int = 0) -> int:
        """Return the offset of the fragment from `start` on, -1 for none."""
        return _find(haystack, self.fragment, start, self.folded)

    def matches(self, haystack: bytes) -> Iterator[tuple[int, int]]:
        """Yield the non-overlapping matches as half-open byte ranges."""
        if self.folded:
            whole = stringzilla.Str(haystack)
            for match in stringzilla.utf8_uncased_matches(whole, self.literal):
                offset = match.offset_within(whole)
                yield offset, offset + len(match)
            return
        start = haystack.find(self.literal)
        while start >= 0:
            yield start, start + len(self.literal)
            start = haystack.find(self.literal, start + len(self.literal))

    def count(self, haystack: bytes) -> int:
        """Return how many non-overlapping matches there are."""
        if not self.folded:
            return haystack.count(self.literal)
        if self.literal.isascii() and (haystack.isascii() or not _FOLDED_TO_ASCII.search(haystack)):
            return haystack.lower().count(self.literal.lower())
        if self.find(haystack) < 0:
            return 0
        return sum(1 for _ in self.matches(haystack))


def _find(haystack: bytes | bytearray | memoryview, needle: bytes, start: int, folded: bool) -> int:
    if folded:
        return int(stringzilla.utf8_uncased_search(haystack, needle, start))
    return int(stringzilla.find(haystack, needle, start))
