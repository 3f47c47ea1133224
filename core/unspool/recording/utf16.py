"""Lengths in UTF-16 code units, in which the format counts: a character beyond U+FFFF is two of them."""

from __future__ import annotations


def length(text: str) -> int:
    """Return how many code units a text has."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def beginning(text: str, units: int) -> str:
    """Return the longest beginning of at most so many units; no character is split into its two surrogates."""
    head = text[:units]
    if head.isascii():
        return head
    left = units
    for place, character in enumerate(head):
        left -= 2 if character > "\uffff" else 1
        if left < 0:
            return head[:place]
    return head


def without_half(text: str) -> str:
    """Return a text without the half of a character at its end, which programs leave that cut between code units."""
    return text[:-1] if "\ud800" <= text[-1:] <= "\udbff" else text
