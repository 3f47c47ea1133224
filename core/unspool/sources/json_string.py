"""The bytes between the quotes of a JSON string, decoded whole or by chunks.

Bytes that are not UTF-8 become U+FFFD, as does an escaped surrogate without its partner; raw control characters are
taken as they are.
"""

from __future__ import annotations

import codecs
import json
from typing import Final

from unspool.pattern import pattern
from unspool.sources.json_text import paired

ESCAPE_BYTES: Final = 6
"""The longest escape, `\\uXXXX`."""

CHARACTER_BYTES: Final = 2 * ESCAPE_BYTES
"""The most that one character takes: a surrogate pair, each half escaped."""

_SOUND = pattern(rb'[^"\\]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*+)*+')
_CUT_ESCAPE = pattern(rb"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_HIGH_SURROGATE_LAST = pattern(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\Z")
_JSON: Final = json.JSONDecoder(strict=False)


def sound_end(data: bytes, pos: int) -> int:
    """Return where the body from `pos` on stops being sound: its closing quote, a bad or cut escape, the end."""
    quote = data.find(b'"', pos)
    escape = data.find(b"\\", pos, quote if quote >= 0 else len(data))
    if escape < 0:
        return quote if quote >= 0 else len(data)
    match = _SOUND.match(data, escape)
    return match.end() if match else escape


def is_cut_escape(rest: bytes) -> bool:
    """Say whether what is left of a body may become an escape when more bytes come."""
    return not rest or _CUT_ESCAPE.match(rest) is not None


def decode_body(body: bytes) -> str:
    """Decode a whole body; raises `ValueError` when it holds an escape that JSON does not know."""
    text = body.decode(errors="replace")
    return unescape(text) if "\\" in text else text


def decode_key(body: bytes) -> str:
    """Decode a whole key; its lone surrogates stay, so that keys which differ in them alone do. Raises `ValueError`."""
    text = body.decode(errors="replace")
    return str(_JSON.decode(f'"{text}"')) if "\\" in text else text


def unescape(text: str) -> str:
    """Replace the escapes of a body that is text already; raises `ValueError`."""
    decoded: str = _JSON.decode(f'"{text}"')
    return paired(decoded)


class BodyDecoder:
    """Decodes a body that arrives in chunks, cut anywhere; the texts together equal `decode_body` of the whole."""

    def __init__(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._waiting = b""

    @property
    def held(self) -> int:
        """How many of the bytes fed last stand in no text yet: decoding can begin again before them."""
        return len(self._waiting) + len(self._utf8.getstate()[0])

    def feed(self, chunk: bytes, *, final: bool = False) -> str:
        """Return the text that the chunk completes; `final` says that nothing follows. Raises `ValueError`."""
        data = self._waiting + chunk
        end = len(data) if final else _safe_end(data)
        self._waiting = data[end:]
        text = self._utf8.decode(data[:end], final)
        return unescape(text) if "\\" in text else text


def _safe_end(data: bytes) -> int:
    """Return where the data may be cut: not inside an escape, nor between the two escapes of a surrogate pair."""
    if b"\\" not in data[-2 * ESCAPE_BYTES :]:
        return len(data)
    end = _aligned_end(data, len(data))
    if _HIGH_SURROGATE_LAST.search(data, max(0, end - ESCAPE_BYTES), end) and _starts_escape(data, end - ESCAPE_BYTES):
        end -= ESCAPE_BYTES
    return end


def _aligned_end(data: bytes, end: int) -> int:
    """Return `end`, or the start of the escape that `end` cuts in two."""
    last = data.rfind(b"\\", max(0, end - ESCAPE_BYTES + 1), end)
    if last < 0 or not _starts_escape(data, last):
        return end
    whole = ESCAPE_BYTES if data[last + 1 : last + 2] == b"u" else 2
    return last if last + whole > end else end


def _starts_escape(data: bytes, pos: int) -> bool:
    """Say whether the backslash at `pos` begins an escape: an even number of them precedes it."""
    before = data[:pos]
    return (pos - len(before.rstrip(b"\\"))) % 2 == 0
