"""The structure of a record that is too long to be decoded whole: read by windows, never held.

`read(offset, size)` gives bytes relative to the record's first byte; the last window may be short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from unspool.pattern import pattern
from unspool.sources.bad_json import BadJson
from unspool.sources.json_parser import Parser
from unspool.sources.json_string import BodyDecoder
from unspool.sources.json_text import Clipped

__all__ = ["CLIP", "NODE_LIMIT", "WINDOW", "Clipped", "iter_string", "locate", "skeleton", "string_blocks"]

Read = Callable[[int, int], bytes]
Pointer = tuple[str | int, ...]

WINDOW: Final = 1 << 20
"""Bytes read at a time: large enough that reading costs little, small enough that it never shows in memory."""

CLIP: Final = 65_536
"""Raw bytes from which a string of a long record is represented by its head."""

KEPT_CHARACTERS: Final = 4096
"""Characters of that head."""

TAIL: Final = 4096
"""Raw bytes of the end of that string."""

_PLAIN: Final = pattern(rb"[ -!#-.:-@G-Zg-mo-qsv-z]")
"""An ASCII character that stands for itself wherever it stands: none of an escape."""

NODE_LIMIT: Final = 200_000
"""Values that the skeleton of one record may have: what is beyond is no message, and would cost over 30 MB."""


def skeleton(read: Read, length: int, *, exact: bool = False) -> Any:
    """Decode a record of `length` bytes as `loads` would, but with each string of over `CLIP` raw bytes `Clipped`.

    A clipped string holds the first `KEPT_CHARACTERS` and the raw span; with `exact` numbers keep their text. Raises
    `BadJson`, with `too_large` beyond `NODE_LIMIT` values.
    """
    parser = Parser(more=windows(read, 0, length), clip=CLIP, keep=KEPT_CHARACTERS, max_nodes=NODE_LIMIT, exact=exact)
    value = parser.value()
    parser.finish()
    for leaf in leaves_of(value):
        leaf.tail = _tail(read, leaf.span)
    return value


def leaves_of(value: Any) -> Iterator[Clipped]:
    """Yield the clipped strings of a value; depth is no limit."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Clipped):
            yield item
        elif isinstance(item, (dict, list)):
            waiting.extend(item.values() if isinstance(item, dict) else item)


def _tail(read: Read, span: tuple[int, int]) -> str | None:
    """Return the end of a string, from behind a character on that no escape has; `None` where there is no such one."""
    start = max(span[0], span[1] - TAIL)
    raw = read(start, span[1] - start)
    plain = _PLAIN.search(raw)
    if plain is None:
        return None
    try:
        return BodyDecoder().feed(raw[plain.end() :], final=True)
    except ValueError:
        return None


def value_at(read: Read, start: int, end: int) -> tuple[Any, int]:
    """Return the value that begins at `start`, containers empty, and the place behind it; nothing of it is held.

    Raises `BadJson` with the place of the fault.
    """
    parser = Parser(more=windows(read, start, end), build=False, clip=CLIP)
    try:
        value = parser.value()
    except BadJson as error:
        raise BadJson(error.reason, start + error.pos) from None
    return value, start + parser.pos


def iter_string(read: Read, span: tuple[int, int], start_raw: int | None = None, chunk: int = WINDOW) -> Iterator[str]:
    """Decode the string with the raw `span` by chunks of about `chunk` bytes, from `start_raw` on (a border).

    The texts together are the string, wherever escapes and characters lie; bytes that are not UTF-8 become U+FFFD.
    Raises `BadJson` when the span holds an escape that JSON does not know.
    """
    return (text for _, text in string_blocks(read, span, start_raw, chunk))


def string_blocks(
    read: Read, span: tuple[int, int], start_raw: int | None = None, chunk: int = WINDOW
) -> Iterator[tuple[int, str]]:
    """Yield (border behind the text, text) as `iter_string` does; a border can be given back as `start_raw`."""
    decoder = BodyDecoder()
    offset = span[0] if start_raw is None else start_raw
    while offset < span[1]:
        raw = read(offset, min(chunk, span[1] - offset))
        if not raw:
            raise BadJson("torn", offset)
        offset += len(raw)
        try:
            text = decoder.feed(raw, final=offset >= span[1])
        except ValueError:
            raise BadJson("syntax", offset - len(raw)) from None
        if text:
            yield offset - decoder.held, text


def locate(read: Read, length: int, pointer: Pointer) -> tuple[int, int]:
    """Return the half-open byte span of the value under a pointer (with its quotes, if it is a string).

    Where a key occurs twice, the last one counts, as in decoding. Raises `KeyError` when nothing is there, and
    `BadJson`.
    """
    span = _value_span(read, 0, length)
    for step in pointer:
        found = None
        for name, inner in _members(read, span):
            if name == step and type(name) is type(step):
                found = inner
                if isinstance(step, int):
                    break
        if found is None:
            raise KeyError(step)
        span = found
    return span


def _value_span(read: Read, offset: int, end: int) -> tuple[int, int]:
    parser = Parser(more=windows(read, offset, end), build=False, clip=CLIP)
    parser.peek()
    start = parser.pos
    parser.value()
    return offset + start, offset + parser.pos


def _members(read: Read, span: tuple[int, int]) -> Iterator[tuple[str | int, tuple[int, int]]]:
    """Yield key or index, and span, of each member of the container at a span; nothing for a scalar."""
    parser = Parser(more=windows(read, *span), build=False, clip=CLIP)
    opening = parser.peek()
    if opening not in (b"{", b"["):
        return
    closing = b"}" if opening == b"{" else b"]"
    parser.take(opening)
    index = 0
    while not parser.take(closing):
        if index:
            parser.take(b",")
        name: str | int = parser.key() if opening == b"{" else index
        parser.peek()
        start = parser.pos
        parser.value()
        yield name, (span[0] + start, span[0] + parser.pos)
        index += 1


def windows(read: Read, offset: int, end: int, size: int = WINDOW) -> Callable[[], bytes]:
    """Return a function that reads the next window of a range at each call."""

    def following() -> bytes:
        nonlocal offset
        window = read(offset, min(size, end - offset)) if offset < end else b""
        offset += len(window)
        return window

    return following
