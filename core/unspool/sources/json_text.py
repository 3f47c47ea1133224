"""Strings that stand for what was not decoded further: numbers as they were written, heads of long strings."""

from __future__ import annotations

from typing import Final

from unspool.pattern import pattern

_INTEGER_DIGITS: Final = 20
_SURROGATE = pattern("[\ud800-\udfff]")


class Number(str):
    """A number whose text is kept because `int` or `float` would lose it (`1.10`, `1e400`, 30 digits, `NaN`)."""

    __slots__ = ()


class Clipped(str):
    """The head of a string too long to be decoded with its record; `span` is the raw byte range of the whole string.

    `span` is half open, relative to the record's first byte, and excludes the quotes. `tail` is its end, a few thousand
    characters at the most, `None` where that is not at hand; `digest` is one of all of it, `words` one of it without
    white space, `sizes` are its bytes and lines, `None` until someone has read so far.
    """

    span: tuple[int, int]
    tail: str | None = None
    digest: bytes | None = None
    words: bytes | None = None
    sizes: tuple[int, int] | None = None

    @classmethod
    def of(cls, head: str, span: tuple[int, int]) -> Clipped:
        """Return the head with its span."""
        clipped = cls(head)
        clipped.span = span
        return clipped


def paired(text: str) -> str:
    """Return a text with U+FFFD in place of each surrogate without its partner."""
    try:
        text.encode()  # to try it takes a third of what to look for them does
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def number_of(raw: bytes, exact: bool) -> int | float | Number:
    """Return the number that a JSON number is; its text where that would lose it, with `exact` in any way."""
    text = raw.decode()
    if not raw.isdigit() and not raw[1:].isdigit():
        return _float(text, exact)
    if len(text) > _INTEGER_DIGITS:
        return Number(text)
    number = int(text)
    fits = -(2**63) <= number < 2**64
    return number if fits and not (exact and text == "-0") else Number(text)


def _float(text: str, exact: bool) -> float | Number:
    number = float(text)
    if exact:
        return number if repr(number) == text else Number(text)
    return Number(text) if number in (float("inf"), float("-inf")) else number
