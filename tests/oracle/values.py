"""JSON values as the oracle sees them: numbers keep their text, lone surrogates become U+FFFD."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.oracle.binary import without_base64

DEEPEST = 1024  # arrays and objects open at once; one more is "too deep"

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_STRING_BODY = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)


@dataclass(frozen=True)
class Number:
    """A number as it is written: `1e5`, `-0`, `NaN`, or ten thousand digits."""

    text: str


class TooDeep(ValueError):
    """More than `DEEPEST` arrays and objects are open at once."""


_DECODER = json.JSONDecoder(parse_int=Number, parse_float=Number, parse_constant=Number, strict=False)


@contextmanager
def _room_to_recurse() -> Iterator[None]:
    """Let the standard parser go down `DEEPEST` levels: its own limit would stop it a little earlier."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + 4 * DEEPEST)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def decode_first(text: str, start: int = 0) -> tuple[Any, int]:
    """Decode the value that begins at `start`; return it and the place behind it.

    Raises:
        TooDeep: more than `DEEPEST` levels.
        ValueError: no JSON value begins here.
    """
    if depth(text, start) > DEEPEST:
        raise TooDeep
    with _room_to_recurse():
        return _DECODER.raw_decode(text, start)


def decode_whole(text: str) -> Any:
    """Decode a text that is one value and nothing else but blanks; raises as `decode_first`."""
    start = len(text) - len(text.lstrip(" \t\r\n"))
    value, end = decode_first(text, start)
    if text[end:].strip(" \t\r\n"):
        raise ValueError("extra data")
    return value


def depth(text: str, start: int = 0) -> int:
    """Count the most brackets open at once in the value at `start`, those inside strings left out."""
    if text.count("[", start) + text.count("{", start) <= DEEPEST:
        return 0  # too few brackets to be too deep, in whatever order
    now = most = 0
    place = start
    while place < len(text):
        character = text[place]
        place += 1
        if character == '"':
            body = _STRING_BODY.match(text, place)
            assert body is not None
            place = body.end() + 1
        elif character in "[{":
            now += 1
            most = max(most, now)
        elif character in "]}":
            now -= 1
            if now <= 0:
                break
    return most


def visible(text: str) -> str:
    """Replace each lone surrogate by U+FFFD."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def compact(value: Any) -> str:
    """Write a value without blanks, in source order, numbers as they were written, base64 as what it is."""
    with _room_to_recurse():
        return visible("".join(_tokens(without_base64(value)[0])))


def _tokens(value: Any) -> list[str]:
    if isinstance(value, Number):
        return [value.text]
    if isinstance(value, dict):
        members = [[json.dumps(key, ensure_ascii=False), ":", *_tokens(item)] for key, item in value.items()]
        return ["{", *_joined(members), "}"]
    if isinstance(value, list):
        return ["[", *_joined([_tokens(item) for item in value]), "]"]
    return [json.dumps(value, ensure_ascii=False)]


def _joined(parts: list[list[str]]) -> list[str]:
    tokens: list[str] = []
    for part in parts:
        tokens += [",", *part] if tokens else part
    return tokens


def leaves(value: Any) -> list[str]:
    """List what a search looks into: decoded strings, numbers and literals as written, key names."""
    found: list[str] = []
    with _room_to_recurse():
        waiting = [without_base64(value)[0]]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            found += map(visible, item)
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
        elif isinstance(item, str):
            found.append(visible(item))
        else:
            found.append(compact(item))
    return found


def pictures(value: Any) -> int:
    """Count the base64 texts of a structured value."""
    with _room_to_recurse():
        return without_base64(value)[1]


def integer(value: Any) -> int:
    """Read a token count; anything that is no short whole number is 0."""
    return int(value.text) if isinstance(value, Number) and re.fullmatch(r"-?\d{1,18}", value.text) else 0
