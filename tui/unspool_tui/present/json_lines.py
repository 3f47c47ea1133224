"""JSON laid out for reading, from its text: order, repeated keys and numbers stay as they were written.

A string with line ends is shown with line ends, hung in under its key, because what a call writes to a file is read
as a file. What holds nothing long stands on one line. Nothing is parsed into objects, so depth costs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool.pattern import pattern
from unspool.text import clean
from unspool_tui.present.lines import Line, line_of

if TYPE_CHECKING:
    from unspool_tui.present.cells import Cell

LINES: Final = 20_000
"""Lines laid out at most: what comes after is read as it was written."""

CHARACTERS: Final = 1_000_000
"""A longer text is not laid out: it is a file to search in, not a value to look at."""

FLAT: Final = 60
"""Characters up to which a list or an object without longer strings stays on one line."""

DEEP: Final = 24
"""Levels that still hang in; below, the text would leave the screen."""

_TOKEN = pattern(
    r'[ \t\n\r]*(?:(?P<string>"(?:[^"\\\x00-\x1f]|\\.)*+")|(?P<mark>[{}\[\],:])'
    r"|(?P<number>-?[0-9][0-9.eE+-]*)|(?P<word>true|false|null|NaN|-?Infinity))"
)
_CLOSE: Final = {"{": "}", "[": "]"}

Token = tuple[str, str]
"""Group of the token, and how it is written."""


def laid_out(text: str) -> tuple[Line, ...] | None:
    """Return the lines of one JSON object or list; `None` when the text is something else, broken, or too long."""
    if len(text) > CHARACTERS or not text.lstrip(" \t\n\r").startswith(("{", "[")):
        return None
    tokens = _tokens(text)
    if tokens is None or not _balanced(tokens):
        return None
    return tuple(_capped(_lines(tokens)))


def _tokens(text: str) -> list[Token] | None:
    text = text.rstrip(" \t\n\r")
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            return None
        tokens.append((found.lastgroup, found[found.lastgroup]))
        at = found.end()
    return tokens


def _balanced(tokens: list[Token]) -> bool:
    """Say whether the brackets make one value."""
    awaited: list[str] = []
    for index, (_, token) in enumerate(tokens):
        if token in _CLOSE:
            awaited.append(_CLOSE[token])
        elif token in ("}", "]") and (not awaited or awaited.pop() != token):
            return False
        if not awaited:
            return index == len(tokens) - 1
    return False


def _lines(tokens: list[Token]) -> Iterator[Line]:
    """Lay the tokens out, one member a line."""
    row: list[Cell] = []
    depth = index = 0
    while index < len(tokens):
        group, token = tokens[index]
        if token in _CLOSE and group == "mark":
            stop = _flat_end(tokens, index)
            if stop and row:
                row += _flat(tokens[index:stop])
                index = stop
                continue
            depth += 1
            yield line_of([*row, (token, "muted")])
            row = [_indent(depth)]
        elif token in ("}", "]") and group == "mark":
            depth -= 1
            if any(text.strip() for text, _ in row):
                yield line_of(row)
            row = [_indent(depth), (token, "muted")]
        elif token == "," and group == "mark":
            yield line_of([*row, (token, "muted")])
            row = [_indent(depth)]
        elif group == "string" and "\\n" in token and not _is_key(tokens, index):
            yield line_of([*row, ('"', "muted")])
            yield from _block(token, _indent(depth + 1))
            row = [_indent(depth), ('"', "muted")]
        else:
            row += _written(tokens, index)
        index += 1
    yield line_of(row)


def _written(tokens: list[Token], index: int) -> list[Cell]:
    """Return one token in its ink; a colon is followed by a space."""
    group, token = tokens[index]
    if group == "mark":
        return [(f"{token} " if token in ":," else token, "muted")]
    ink = {"number": "syn-num", "word": "syn-key"}.get(group, "syn-def" if _is_key(tokens, index) else "syn-str")
    return [(clean(token, newline=False), ink)]


def _is_key(tokens: list[Token], index: int) -> bool:
    return tokens[index][0] == "string" and index + 1 < len(tokens) and tokens[index + 1] == ("mark", ":")


def _flat_end(tokens: list[Token], start: int) -> int:
    """Return where a short, flat list or object that begins at `start` ends; 0 when it deserves lines of its own."""
    length = 0
    for index in range(start + 1, len(tokens)):
        group, token = tokens[index]
        length += len(token) + 1
        if length > FLAT or (group == "mark" and token in _CLOSE) or (group == "string" and "\\n" in token):
            return 0
        if group == "mark" and token in ("}", "]"):
            return index + 1
    return 0


def _flat(tokens: list[Token]) -> list[Cell]:
    return [cell for index in range(len(tokens)) for cell in _written(tokens, index)]


def _block(token: str, indent: Cell) -> Iterator[Line]:
    """Yield the lines of a string with line ends, hung in."""
    try:
        value = str(json.loads(token))
    except ValueError:
        value = token[1:-1]
    for text in value.removesuffix("\n").split("\n"):  # the last line end is what ends the last line
        line = line_of([indent, (clean(text.removesuffix("\r"), newline=False), "syn-str")])
        yield line._replace(lead=len(indent[0]))


def _indent(depth: int) -> Cell:
    return ("  " * min(depth, DEEP), "muted")


def _capped(lines: Iterator[Line]) -> Iterator[Line]:
    for count, line in enumerate(lines):
        if count >= LINES:
            yield line_of([(f"more than {LINES} lines; the raw record holds all of it", "faint")], source=False)
            return
        yield line
