"""Selectors: which window of an output is meant.

    lines:20-50     lines of a text, from 1, both ends inclusive
    bytes:0..4096   bytes of a text in UTF-8, from 0, the end exclusive, cut inwards to characters
    tail:50         the last lines of a text
    grep:TEXT       the lines of a text that hold TEXT, case ignored
    slice:3..8      elements of an array, from 0, the end exclusive
    key:results     the value under a key of an object; the name is everything behind the first colon

A selector is only a wish: what the output is, and where it ends, is known where it is answered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from unspool.dataclass import dataclass
from unspool.errors import BadQuery
from unspool.pattern import pattern

_NUMBER = pattern(r"[0-9]+\Z")

MOST_DIGITS: Final = 18
"""Digits of a number; a longer one lies behind the end of everything, and counts as the largest of these."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines `first` to `last`, from 1, both ends inclusive."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"lines:{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class ByteRange:
    """Bytes of the text in UTF-8, from 0, half open."""

    start: int
    stop: int

    def __str__(self) -> str:
        return f"bytes:{self.start}..{self.stop}"


@dataclass(frozen=True, slots=True)
class Tail:
    """The last `count` lines."""

    count: int

    def __str__(self) -> str:
        return f"tail:{self.count}"


@dataclass(frozen=True, slots=True)
class Grep:
    """The lines that hold a text."""

    text: str

    def __str__(self) -> str:
        return f"grep:{self.text}"


@dataclass(frozen=True, slots=True)
class Elements:
    """Elements of an array, from 0, half open."""

    start: int
    stop: int

    def __str__(self) -> str:
        return f"slice:{self.start}..{self.stop}"


@dataclass(frozen=True, slots=True)
class Key:
    """The value under one key of an object, top level only."""

    name: str

    def __str__(self) -> str:
        return f"key:{self.name}"


Selector = Lines | ByteRange | Tail | Grep | Elements | Key


def parse_selector(text: str) -> Selector:
    """Parse a selector; raises `BadQuery`, whose line says what would be right."""
    name, colon, rest = text.partition(":")
    parse = _PARSERS.get(name) if colon else None
    if parse is None:
        forms = "lines:20-50, tail:50, bytes:0..4096, grep:TEXT, slice:3..8 or key:NAME"
        raise BadQuery(f"not a selector: {text!r}; write {forms}")
    return parse(rest)


def _lines(rest: str) -> Lines:
    first, last = _pair(rest, "-", "lines needs A-B, as in lines:20-50")
    if first < 1:
        raise BadQuery("lines count from 1; write lines:1-20 for the first twenty")
    return Lines(first, last)


def _bytes(rest: str) -> ByteRange:
    return ByteRange(*_pair(rest, "..", "bytes needs A..B, as in bytes:0..4096"))


def _elements(rest: str) -> Elements:
    return Elements(*_pair(rest, "..", "slice needs A..B, as in slice:3..8"))


def _tail(rest: str) -> Tail:
    count = _number(rest)
    if not count:
        raise BadQuery("tail needs a number of lines, as in tail:50")
    return Tail(count)


def _grep(rest: str) -> Grep:
    if not rest:
        raise BadQuery("grep needs a text to look for, as in grep:Traceback")
    return Grep(rest)


def _key(rest: str) -> Key:
    if not rest:
        raise BadQuery("key needs a name, as in key:command")
    return Key(rest)


def _pair(rest: str, separator: str, need: str) -> tuple[int, int]:
    """Parse two unsigned numbers that go up or are equal; raises `BadQuery` with `need`."""
    start, stop = map(_number, rest.partition(separator)[::2])
    if start is None or stop is None:
        raise BadQuery(need)
    if start > stop:
        raise BadQuery(f"the start {start} lies after the end {stop}; swap them")
    return start, stop


def _number(digits: str) -> int | None:
    """Return the number that digits write, at most the largest that is told apart; `None` for other texts."""
    if not _NUMBER.match(digits):
        return None
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS - 1


_PARSERS: Final[dict[str, Callable[[str], Selector]]] = {
    "lines": _lines,
    "bytes": _bytes,
    "tail": _tail,
    "grep": _grep,
    "slice": _elements,
    "key": _key,
}
