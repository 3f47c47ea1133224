"""Searching bytes at the speed of memory; the only module that knows stringzilla.

Both searches take `bytes` or any other contiguous buffer, and give the byte offset and the byte length of the first
match at or behind `start`.
"""

from __future__ import annotations

from typing import cast

import stringzilla

Buffer = bytes | bytearray | memoryview
Match = tuple[int, int]


def find(haystack: Buffer, needle: bytes, start: int = 0) -> Match | None:
    """Find the needle as it is. Raises `ValueError` for an empty needle."""
    offset = stringzilla.find(haystack, _wanted(needle), start)
    return (offset, len(needle)) if offset >= 0 else None


def find_folded(haystack: Buffer, needle: bytes, start: int = 0) -> Match | None:
    """Find UTF-8 text whatever its case, by full Unicode case folding. Raises `ValueError` for an empty needle.

    The match may be longer or shorter than the needle (`STRASSE` in `Straße`), and may lie inside the folding of one
    character: `s` is found in `ß`, and the match is then the whole character. Text is not normalised.
    """
    offset = stringzilla.utf8_uncased_search(haystack, _wanted(needle), start)
    if offset < 0:
        return None
    matches = stringzilla.utf8_uncased_matches(memoryview(haystack)[offset:], needle)
    return offset, len(next(iter(matches)))


def folded(text: bytes) -> bytes:
    """Fold the case of UTF-8 text by the same tables as `find_folded`."""
    return cast(bytes, stringzilla.utf8_uncased_fold(text))


def _wanted(needle: bytes) -> bytes:
    if not needle:
        raise ValueError("an empty needle is everywhere")
    return needle
