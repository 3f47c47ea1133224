"""A tolerant JSON parser over bytes: iterative, linear, the same on every Python.

It reads one value at a place in its input and says where the value ends, so that records glued together can be told
apart; its refusals say where and why, so that a torn record can be told from a broken one. The input may be one
buffer, or arrive window by window, so that a record need not be held to be read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from unspool.pattern import pattern
from unspool.sources.bad_json import BadJson
from unspool.sources.json_string import (
    CHARACTER_BYTES,
    ESCAPE_BYTES,
    BodyDecoder,
    decode_body,
    decode_key,
    is_cut_escape,
    sound_end,
)
from unspool.sources.json_text import Clipped, Number, number_of

DEPTH_LIMIT: Final = 1024
"""Containers inside each other that a value may have: orjson's own limit, kept on every path."""

TOKEN_LIMIT: Final = 65_536
"""Bytes of a key or a number that is read by windows: none that means something is longer."""

_SPACE = pattern(rb"[ \t\r\n\0]*+")
_NUMBER = pattern(rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?")
_WORD = pattern(rb"true|false|null|NaN|-?Infinity")
_WORDS: Final[dict[bytes, bool | None]] = {b"true": True, b"false": False, b"null": None}
_WORD_BEGINNINGS: Final = frozenset(
    word[:length]
    for word in (b"true", b"false", b"null", b"NaN", b"Infinity", b"-Infinity")
    for length in range(1, len(word))
)
_LONGEST_WORD: Final = 9
_CUT_NUMBER = pattern(rb"(?:\.|[eE][-+]?)\Z")
_PLAIN = rb'(?:"([^"\\]*+)"|(' + _NUMBER.pattern + rb")|(true|false|null))[ \t\r\n\0]*+"
_PLAIN_MEMBER = pattern(rb'[ \t\r\n\0]*+"([^"\\]*+)"[ \t\r\n\0]*+:[ \t\r\n\0]*+' + _PLAIN + rb"([,}])")
_PLAIN_ITEM = pattern(rb"[ \t\r\n\0]*+()" + _PLAIN + rb"([,\]])")
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_OPENED: Final = object()


def parse(data: bytes, *, exact: bool = False) -> Any:
    """Decode the one value that the data holds; raises `BadJson`. With `exact`, number texts are kept (`Number`)."""
    parser = Parser(data, exact=exact)
    value = parser.value(len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0)
    parser.finish()
    return value


class Parser:
    """Reads values out of one buffer, or out of the windows that `more` returns (empty: no more).

    `exact` keeps the text of numbers. Strings of over `clip` raw bytes become `Clipped` heads of `keep` characters;
    without `build`, values are checked and skipped: containers come back empty. More than `max_nodes` values, and
    keys or numbers over `TOKEN_LIMIT` that go beyond a window, are `too_large`.
    """

    def __init__(
        self,
        data: bytes = b"",
        *,
        exact: bool = False,
        more: Callable[[], bytes] | None = None,
        clip: int | None = None,
        keep: int = 0,
        build: bool = True,
        max_nodes: int | None = None,
    ) -> None:
        self._data = data
        self._base = 0  # what was dropped before `_data`
        self._pos = 0
        self._exact = exact
        self._more = more
        self._clip = clip
        self._keep = keep
        self._build = build
        self._nodes_left = max_nodes if max_nodes is not None else -1
        self._takes_plain = build and clip is None and max_nodes is None

    @property
    def pos(self) -> int:
        """The byte that is read next, counted from the beginning of the input."""
        return self._base + self._pos

    def value(self, pos: int | None = None) -> Any:
        """Decode the value at `pos`, or where the last one ended, after white space; raises `BadJson`."""
        if pos is not None:
            self._pos = pos - self._base
        holders: list[tuple[Any, str]] = []  # each open container, with the key (of an object) that waits for its value
        while True:
            value = self._scalar_or_opening(holders)
            if value is _OPENED:
                continue
            while holders:
                if self._build:
                    _put(holders[-1], value)
                if self._goes_on(holders):
                    break
                value = holders.pop()[0]
            else:
                return value

    def finish(self) -> None:
        """Raise `BadJson` unless only white space and padding follow."""
        if self.peek():
            raise self._refusal()

    def peek(self) -> bytes:
        """Return the next byte that is neither white space nor NUL padding, without taking it; empty at the end."""
        mark = self._data[self._pos : self._pos + 1]
        if mark > b" ":
            return mark
        while True:
            match = _SPACE.match(self._data, self._pos)
            self._pos = match.end() if match else self._pos
            if self._pos < len(self._data) or not self._refill():
                return self._data[self._pos : self._pos + 1]

    def take(self, mark: bytes) -> bool:
        """Take the next byte if it is the mark."""
        if self.peek() != mark:
            return False
        self._pos += 1
        return True

    def key(self) -> str:
        """Take a key and its colon; raises `BadJson`."""
        if self.peek() != b'"':
            raise self._refusal()
        key = self._string(is_key=True)
        if not self.take(b":"):
            raise self._refusal()
        return key

    def _scalar_or_opening(self, holders: list[tuple[Any, str]]) -> Any:
        """Read a scalar or an empty container; a container with members is pushed, and `_OPENED` returned."""
        start = self.peek()
        self._count()
        if start == b'"':
            return self._string()
        if start == b"{":
            return self._opening(holders, {}, b"}")
        if start == b"[":
            return self._opening(holders, [], b"]")
        return self._number_or_word()

    def _opening(self, holders: list[tuple[Any, str]], container: Any, closing: bytes) -> Any:
        if len(holders) >= DEPTH_LIMIT:
            raise BadJson("too_deep", self.pos)
        self._pos += 1
        if self.take(closing) or (self._takes_plain and self._plain_members(container)):
            return container
        holders.append((container, self.key() if closing == b"}" else ""))
        return _OPENED

    def _goes_on(self, holders: list[tuple[Any, str]]) -> bool:
        """Take what follows a member: a comma (and the next key) or the end of the innermost container."""
        container = holders[-1][0]
        is_object = isinstance(container, dict)
        mark = self.peek()
        if mark == b",":
            self._pos += 1
            if self._takes_plain and self._plain_members(container):
                return False
            if is_object:
                holders[-1] = (container, self.key())
            return True
        if mark == (b"}" if is_object else b"]"):
            self._pos += 1
            return False
        raise self._refusal()

    def _plain_members(self, container: Any) -> bool:
        """Take members without escapes, fractions and inner containers at once; say whether the container ended."""
        is_object = isinstance(container, dict)
        pattern = _PLAIN_MEMBER if is_object else _PLAIN_ITEM
        while match := pattern.match(self._data, self._pos):
            key, text, number, word, mark = match.groups()
            value: Any = _WORDS[word] if word else None
            if text is not None:
                value = text.decode(errors="replace")
            elif not word:
                value = number_of(number, self._exact)
            if is_object:
                container[key.decode(errors="replace")] = value
            else:
                container.append(value)
            self._pos = match.end()
            if mark != b",":
                return True
        return False

    def _string(self, *, is_key: bool = False) -> str:
        begin = self._pos + 1
        end = sound_end(self._data, begin)
        if self._data[end : end + 1] != b'"':
            return self._windowed_string(is_key)
        self._pos = end + 1
        body = self._data[begin:end] if self._build or is_key else b""
        return self._text(body, self._base + begin, len(body), is_key)

    def _windowed_string(self, is_key: bool) -> str:
        """Take a string that goes beyond the window; past what is kept of it, it is only measured."""
        self._pos += 1
        start = self.pos
        raw = bytearray()
        while True:
            end = sound_end(self._data, self._pos)
            if self._clip is None or is_key or len(raw) <= max(self._clip, self._keep * CHARACTER_BYTES):
                raw += self._data[self._pos : end]
            self._pos = end
            if self._data[end : end + 1] == b'"':
                break
            if is_key and self._more and len(raw) > TOKEN_LIMIT:
                raise BadJson("too_large", start)
            self._more_of_string()
        length = self.pos - start
        self._pos += 1
        return self._text(bytes(raw), start, length, is_key)

    def _more_of_string(self) -> None:
        if len(self._data) - self._pos >= ESCAPE_BYTES:
            raise BadJson("syntax", self.pos)
        if not self._refill():
            cut = is_cut_escape(self._data[self._pos :])
            raise BadJson("torn", self._base + len(self._data)) if cut else BadJson("syntax", self.pos)

    def _text(self, raw: bytes, start: int, length: int, is_key: bool) -> str:
        if is_key:
            return decode_key(raw)
        if self._clip is None or length <= self._clip:
            return decode_body(raw)
        beginning = raw[: self._keep * CHARACTER_BYTES]
        head = BodyDecoder().feed(beginning, final=len(beginning) == length)
        return Clipped.of(head[: self._keep], (start, start + length))

    def _number_or_word(self) -> Any:
        while True:
            match = _WORD.match(self._data, self._pos) or _NUMBER.match(self._data, self._pos)
            reached = match.end() if match else self._pos
            if self._more and reached - self._pos > TOKEN_LIMIT:
                raise BadJson("too_large", self.pos)
            if len(self._data) - reached > _LONGEST_WORD or not self._refill():
                break
        if match is None:
            raise self._refusal()
        self._pos = match.end()
        word = match[0]
        if word in _WORDS:
            return _WORDS[word]
        return Number(word.decode()) if word.endswith((b"N", b"y")) else number_of(word, self._exact)

    def _refill(self) -> bool:
        """Drop what was read (but for its last byte), append the next window; say whether there was one."""
        window = self._more() if self._more else b""
        if window:
            read = max(0, self._pos - 1)
            self._base += read
            self._data = self._data[read:] + window
            self._pos -= read
        return bool(window)

    def _count(self) -> None:
        if self._nodes_left == 0:
            raise BadJson("too_large", self.pos)
        self._nodes_left -= 1

    def _refusal(self) -> BadJson:
        """Return the error for a byte that fits no rule, or for an input that ends where more must follow."""
        while len(self._data) - self._pos <= _LONGEST_WORD and self._refill():
            pass
        rest = self._data[self._pos : self._pos + _LONGEST_WORD + 1]
        after_digit = self._data[max(0, self._pos - 1) : self._pos].isdigit()
        if not rest or rest in _WORD_BEGINNINGS or (after_digit and _CUT_NUMBER.match(rest)):
            return BadJson("torn", self._base + len(self._data))
        try:
            rest[:4].decode()
        except UnicodeDecodeError as error:
            return BadJson("encoding" if error.start == 0 else "syntax", self.pos)
        return BadJson("syntax", self.pos)


def _put(holder: tuple[Any, str], value: Any) -> None:
    container, key = holder
    if isinstance(container, dict):
        container[key] = value
    else:
        container.append(value)
