"""JSON values: decoding that keeps what was written, and compact writing that never recurses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Number(str):
    """A number whose text is kept because `int` or `float` would lose it (`1.10`, `1e400`, 30 digits, `NaN`)."""

    __slots__ = ()


class Clipped(str):
    """The head of a string too long to be decoded with its record; `span` is the raw byte range of the whole string.

    `span` is half open, relative to the record's first byte, and excludes the quotes.
    """

    span: tuple[int, int]


def compact(value: Any) -> str:
    """Write a value as compact JSON, keys in their order, non-ASCII kept, `Number` as written; depth is no limit."""
    raise NotImplementedError


def leaves(value: Any) -> Iterator[str]:
    """Yield what is searched of a structured value: key names, decoded strings, numbers and literals as written."""
    raise NotImplementedError
