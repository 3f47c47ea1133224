"""What is searched for: a literal, how its case counts, and which part of it must stand verbatim in raw JSON.

Case folding is Unicode's full folding as stringzilla implements it (so that answers do not depend on the Python
version): `ß` and `SS` match each other, and `s` matches inside `ß`. There is no normalisation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, Literal

import stringzilla

from unspool.dataclass import dataclass
from unspool.errors import BadQuery
from unspool.pattern import pattern
from unspool.text import utf8

Case = Literal["ignore", "exact", "smart"]

LONGEST_NEEDLE: Final = 10_000
"""Characters; longer texts are compared, not searched, and the overlap kept between blocks grows with the needle."""

_VERBATIM = pattern(r'[^\x00-\x1f"\\]+')
"""Runs of characters that JSON leaves as they are, unless it writes them as `\\uXXXX` or `\\/`."""

_UNDECODABLE: Final = "\ufffd"
"""What stands for bytes that are no text; a class of characters that names it takes long to be compiled."""

_LETTERED: Final[Mapping[bytes, bytes]] = {
    "\u00df".encode(): b"s", "\u0130".encode(): b"i", "\u0149".encode(): b"n", "\u017f".encode(): b"s",
    "\u01f0".encode(): b"j", "\u1e96".encode(): b"h", "\u1e97".encode(): b"t", "\u1e98".encode(): b"w",
    "\u1e99".encode(): b"y", "\u1e9a".encode(): b"a", "\u1e9e".encode(): b"s", "\u212a".encode(): b"k",
    "\ufb00".encode()[:2]: b"filst",
}  # fmt: skip
"""What is no ASCII, and folds to letters of ASCII, alone or with others; of ligatures what they begin with."""

FOLDED_GROWTH: Final = 3
"""Folding maps up to three code points to one: a match is at most this many times longer in bytes than its needle."""


Find = Callable[[bytes | memoryview, int], int]
"""Returns the offset of something in some bytes from an offset on, -1 for none."""


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
        runs = [utf8(run) for run in _VERBATIM.findall(utf8(query).decode().replace(_UNDECODABLE, "\0"))]
        return cls(utf8(query), folded, max(runs, key=len, default=b""))

    @property
    def as_compared(self) -> bytes:
        """The literal, its case folded if case is ignored."""
        return bytes(stringzilla.utf8_uncased_fold(self.literal)) if self.folded else self.literal

    @property
    def overlap(self) -> int:
        """Bytes that two neighbouring windows must share so that no match is missed between them."""
        return len(self.literal) * FOLDED_GROWTH + 4

    @property
    def finder(self) -> Find:
        """What returns the offset of the first match in some bytes from an offset on, -1 for none."""
        return _finder(self.literal, folded=self.folded)

    @property
    def fragment_finder(self) -> Find:
        """What returns the offset of the fragment in some bytes from an offset on, -1 for none."""
        return _finder(self.fragment, folded=self.folded)

    def find(self, haystack: bytes, start: int = 0) -> int:
        """Return the offset of the first match from `start` on, -1 for none."""
        return self.finder(haystack, start)

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
        alike = self.alike(haystack)
        if alike is not None:
            return alike[0].count(alike[1])
        return sum(1 for _ in self.matches(haystack)) if self.find(haystack) >= 0 else 0

    def alike(self, haystack: bytes) -> tuple[bytes, bytes] | None:
        """Return some bytes and the literal such that equal bytes are matches, `None` where folding takes more."""
        if not self.folded:
            return haystack, self.literal
        literal = self.literal.lower()
        if literal.isascii() and (
            haystack.isascii() or not any(stringzilla.find(haystack, each) >= 0 for each in _lettered(literal))
        ):
            return haystack.lower(), literal
        return None


@lru_cache
def _lettered(literal: bytes) -> tuple[bytes, ...]:
    """Return what begins the characters that fold to a letter of some ASCII, among others."""
    return tuple(each for each, letters in _LETTERED.items() if not {*letters}.isdisjoint(literal))


def _finder(literal: bytes, *, folded: bool) -> Find:
    search = stringzilla.utf8_uncased_search if folded else stringzilla.find
    return lambda haystack, start: search(haystack, literal, start)
