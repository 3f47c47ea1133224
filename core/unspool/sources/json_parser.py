"""A tolerant JSON parser over bytes: iterative, linear, the same on every Python.

It reads one value at a place in a buffer and says where the value ends, so that records glued together can be told
apart; and its refusals say where and why, so that a torn record can be told from a broken one.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, Literal

Reason = Literal["torn", "syntax", "encoding", "too_deep", "too_large"]

DEPTH_LIMIT: Final = 1024
"""Containers inside each other that a value may have: orjson's own limit, kept on every path."""

_SPACE = re.compile(rb"[ \t\r\n\0]*+")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_SOUND_BODY = re.compile(rb'(?:[^\\]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+')
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*+)(?:(\.[0-9]++)?([eE][-+]?[0-9]++)?)")
_LITERAL = re.compile(rb"true|false|null|NaN|-?Infinity")
_LITERALS: Final[dict[bytes, bool | None]] = {b"true": True, b"false": False, b"null": None}
_NUMBER_GOES_ON = re.compile(rb"(?:\.|[eE][-+]?)\Z")
_BEGINNINGS: Final = frozenset(
    word[:length]
    for word in (b"true", b"false", b"null", b"NaN", b"Infinity", b"-Infinity")
    for length in range(1, len(word))
)
_LONGEST_WORD: Final = 9
_INTEGER_DIGITS: Final = 20
_SURROGATE = re.compile("[\ud800-\udfff]")
_JSON_STRING: Final = json.JSONDecoder(strict=False)
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_OPEN, _QUOTE = b"{[", b'"'
_OPENED: Final = object()


class Number(str):
    """A number whose text is kept because `int` or `float` would lose it (`1.10`, `1e400`, 30 digits, `NaN`)."""

    __slots__ = ()


class BadJson(ValueError):
    """Bytes are no JSON value.

    `reason` is `torn` when the input ended inside the value (then `at_end` holds too), else `syntax`, `encoding`
    (bytes that are no UTF-8 between tokens), `too_deep` or `too_large`; `pos` is the byte at which reading stopped.
    """

    def __init__(self, reason: Reason, pos: int) -> None:
        super().__init__(f"{reason} at byte {pos}")
        self.reason: Reason = reason
        self.pos = pos

    @property
    def at_end(self) -> bool:
        """Whether the input ended inside the value: it is torn, or goes on elsewhere."""
        return self.reason == "torn"


def parse(data: bytes, *, exact: bool = False) -> Any:
    """Decode the one value that the data holds; raises `BadJson`. With `exact`, number texts are kept (`Number`)."""
    parser = Parser(data, exact=exact)
    value = parser.value(len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0)
    end = skip_space(data, parser.pos)
    if end < len(data):
        raise parser.refusal(end)
    return value


def skip_space(data: bytes, pos: int) -> int:
    """Return the place of the first byte from `pos` on that is neither white space nor NUL padding."""
    match = _SPACE.match(data, pos)
    return match.end() if match else pos


class Parser:
    """Reads values out of one buffer; after `value()`, `pos` is the byte behind it."""

    __slots__ = ("data", "exact", "pos")

    def __init__(self, data: bytes, *, exact: bool = False) -> None:
        self.data = data
        self.exact = exact
        self.pos = 0

    def value(self, pos: int = 0) -> Any:
        """Decode the value that begins at `pos` (after white space); raises `BadJson`."""
        self.pos = pos
        holders: list[tuple[Any, str]] = []  # each open container, with the key (if an object) that waits for a value
        while True:
            value = self._open_or_scalar(holders)
            if value is _OPENED:
                continue
            while holders:
                container, key = holders[-1]
                if isinstance(container, dict):
                    container[key] = value
                else:
                    container.append(value)
                if self._goes_on(holders):
                    break
                value = holders.pop()[0]
            else:
                return value

    def _open_or_scalar(self, holders: list[tuple[Any, str]]) -> Any:
        """Read a scalar or an empty container; a container with members is pushed, and `_OPENED` returned."""
        self.pos = skip_space(self.data, self.pos)
        start = self.data[self.pos : self.pos + 1]
        if start == _QUOTE:
            return self._string()
        if not start or start not in _OPEN:
            return self._number_or_literal()
        if len(holders) >= DEPTH_LIMIT:
            raise BadJson("too_deep", self.pos)
        container: Any = {} if start == b"{" else []
        self.pos = skip_space(self.data, self.pos + 1)
        if self.data[self.pos : self.pos + 1] == (b"}" if start == b"{" else b"]"):
            self.pos += 1
            return container
        holders.append((container, self._key() if start == b"{" else ""))
        return _OPENED

    def _goes_on(self, holders: list[tuple[Any, str]]) -> bool:
        """Read what follows a member: a comma (and the next key) or the end of the innermost container."""
        self.pos = skip_space(self.data, self.pos)
        container = holders[-1][0]
        mark = self.data[self.pos : self.pos + 1]
        if mark == b",":
            self.pos = skip_space(self.data, self.pos + 1)
            if isinstance(container, dict):
                holders[-1] = (container, self._key())
            return True
        if mark == (b"}" if isinstance(container, dict) else b"]"):
            self.pos += 1
            return False
        raise self.refusal(self.pos)

    def _key(self) -> str:
        if self.data[self.pos : self.pos + 1] != _QUOTE:
            raise self.refusal(self.pos)
        key = self._string()
        self.pos = skip_space(self.data, self.pos)
        if self.data[self.pos : self.pos + 1] != b":":
            raise self.refusal(self.pos)
        self.pos += 1
        return key

    def _string(self) -> str:
        match = _STRING.match(self.data, self.pos)
        end = match.end() if match else self.pos
        if self.data[end : end + 1] != _QUOTE:
            raise BadJson("torn", len(self.data))
        body = self.data[self.pos + 1 : end]
        text = body.decode(errors="replace")
        if b"\\" in body:
            text = self._unescaped(text, body)
        self.pos = end + 1
        return text

    def _unescaped(self, text: str, body: bytes) -> str:
        try:
            decoded = _JSON_STRING.decode(f'"{text}"')
        except json.JSONDecodeError:
            sound = _SOUND_BODY.match(body)
            raise BadJson("syntax", self.pos + 1 + (sound.end() if sound else 0)) from None
        return _SURROGATE.sub("\ufffd", decoded)

    def _number_or_literal(self) -> Any:
        literal = _LITERAL.match(self.data, self.pos)
        if literal:
            self.pos = literal.end()
            return _LITERALS[literal[0]] if literal[0] in _LITERALS else Number(literal[0].decode())
        number = _NUMBER.match(self.data, self.pos)
        if number is None:
            raise self.refusal(self.pos)
        self.pos = number.end()
        text = number[0].decode()
        return self._float(text) if number[1] or number[2] else self._integer(text)

    def _integer(self, text: str) -> int | float | Number:
        if len(text) > _INTEGER_DIGITS:
            return Number(text)
        number = int(text)
        fits = -(2**63) <= number < 2**64
        return number if fits and not (self.exact and text == "-0") else Number(text)

    def _float(self, text: str) -> float | Number:
        number = float(text)
        if self.exact:
            return number if repr(number) == text else Number(text)
        return Number(text) if number in (float("inf"), float("-inf")) else number

    def refusal(self, pos: int) -> BadJson:
        """Return the error for a byte that fits no rule, or for an input that ends where more must follow."""
        rest = self.data[pos : pos + _LONGEST_WORD + 1]
        if not rest or rest in _BEGINNINGS or (_NUMBER_GOES_ON.match(rest) and self.data[pos - 1 : pos].isdigit()):
            return BadJson("torn", len(self.data))
        try:
            rest[:4].decode()
        except UnicodeDecodeError as error:
            return BadJson("encoding" if error.start == 0 else "syntax", pos)
        return BadJson("syntax", pos)
