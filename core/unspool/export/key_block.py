"""Private keys in PEM: whole blocks, and blocks whose end or beginning is not there, also inside of JSON texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool.pattern import pattern

if TYPE_CHECKING:
    from unspool.export.shape import Span

BLOCK_CHARACTERS: Final = 32_768
"""The longest block: an RSA key of 16,384 bits takes 13,000 characters, numbered lines and escapes add to it."""

_NAME = r"-----(?: ?)%s[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_BEGIN: Final = pattern(_NAME % "BEGIN")
_END: Final = pattern(_NAME % "END")

_BETWEEN = r"""(?:\\[nrt]|[0-9]{1,6}(?:→|\t|[:|-])|[\s>|+:"',\-\\])"""
"""What stands between the lines of a key in outputs of tools: line ends, line numbers, marks of quotes and diffs."""

_HEADER = r"(?:Proc-Type|DEK-Info|Version|Comment|Hash)[^\n\\]{0,200}+"
_LINE: Final = pattern(rf"(?:{_BETWEEN}|[A-Za-z0-9+/=]{{16,}}+|{_HEADER})")
_REST: Final = pattern(rf"{_BETWEEN}*+[A-Za-z0-9+/=]*+(?=\s*\Z|…|\.\.\.)")
_CODED: Final = pattern(r"[A-Za-z0-9+/=]{32}")
_LAST_LINES: Final = pattern(rf"{_BETWEEN}*+[A-Za-z0-9+/=]+{_BETWEEN}*")
_LINE_END: Final = pattern(r"\n|\\n")


class KeyBlocks:
    """The rule about private keys."""

    name = "private-key"
    more = re.compile(rf"[A-Za-z0-9+/=]*+(?:{_LINE.pattern})*+(?:[A-Za-z0-9+/=]{{1,15}}+\Z)?+")

    def spans(self, text: str, lowered: str) -> Iterator[Span]:
        """Yield the blocks of a text."""
        if "PRIVATE KEY" not in text:
            return
        ends = [match.span() for match in _END.finditer(text)]
        reached, next_end = 0, 0
        for match in _BEGIN.finditer(text):
            while next_end < len(ends) and ends[next_end][0] < match.end():
                yield from _tail(text, reached, ends[next_end])
                reached, next_end = ends[next_end][1], next_end + 1
            span = _block(text, match, ends[next_end] if next_end < len(ends) else None)
            if span is not None:
                yield span
            reached = max(reached, span[1] if span is not None else match.end())
        for end in ends[next_end:]:
            if end[0] >= reached:
                yield from _tail(text, reached, end)
            reached = max(reached, end[1])


def _block(text: str, begin: re.Match[str], end: Span | None) -> Span | None:
    """Return the block that begins here: up to its end, or as far as it looks like one."""
    if end is not None and end[0] - begin.end() <= BLOCK_CHARACTERS:
        return (begin.start(), end[1]) if _CODED.search(text, begin.end(), end[0]) else None
    stop = begin.end()
    while (line := _LINE.match(text, stop)) is not None:
        stop = line.end()
    rest = _REST.match(text, stop)
    stop = rest.end() if rest is not None else stop
    coded = any(sign.isalnum() for sign in text[begin.end() : stop][:BLOCK_CHARACTERS])
    return (begin.start(), len(text[:stop].rstrip()) if stop < len(text) else stop) if coded else None


def _tail(text: str, reached: int, end: Span) -> Iterator[Span]:
    """Yield the lines of a key before an end whose beginning is not there."""
    low = max(reached, end[0] - BLOCK_CHARACTERS)
    before = text[low : end[0]]
    start, stop = len(before), len(before)
    for line_end in reversed([0, *(match.end() for match in _LINE_END.finditer(before))]):
        line = before[line_end:stop]
        if line.strip() and not _LAST_LINES.fullmatch(line):
            break
        start, stop = line_end, line_end
    if _CODED.search(before, start) or (start < len(before) and _coded_line(before[start:])):
        yield low + start, end[1]


def _coded_line(text: str) -> bool:
    return any(sign.isdigit() or sign in "+/=" for sign in text)
