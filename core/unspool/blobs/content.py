"""What a blob holds: a text or a JSON value, and the bytes that stand for it on disk."""

from __future__ import annotations

import json
from typing import Any, Literal

from unspool.dataclass import dataclass
from unspool.errors import BlobError
from unspool.text import utf8

Kind = Literal["text", "json"]


@dataclass(frozen=True, slots=True)
class Text:
    """A text; `text` is stored as it is, in UTF-8, lone surrogates as U+FFFD."""

    text: str


@dataclass(frozen=True, slots=True)
class Structured:
    """A JSON value: `None`, bool, number, string, list or dict with string keys, nested at will."""

    value: Any


Content = Text | Structured


def kind_of(content: Content) -> Kind:
    """Return which of the two a content is."""
    return "text" if isinstance(content, Text) else "json"


def encoded(content: Content) -> bytes:
    """Return the bytes of a blob's file: the text itself, or the value as JSON, indented by two spaces.

    Keys keep their order, characters beyond ASCII stay as they are, integers keep all their digits. Raises `BlobError`
    for what cannot be written: other types, NaN and infinities, nesting and digits beyond Python's own limits.
    """
    if isinstance(content, Text):
        return utf8(content.text)
    try:
        return _escaped(json.dumps(content.value, ensure_ascii=False, allow_nan=False, indent=2))
    except (TypeError, ValueError, RecursionError) as error:
        raise BlobError(f"not a JSON value that can be stored: {error}") from error


def compact(value: Any) -> str:
    """Write a JSON value without spaces, keys in their order, characters beyond ASCII as they are.

    Raises `BlobError` as `encoded` does.
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise BlobError(f"not a JSON value: {error}") from error


def decoded(kind: Kind, data: bytes) -> Content:
    """Return the content of a blob's file; bytes that are no UTF-8 become U+FFFD; raises `BlobError` for bad JSON."""
    text = data.decode(errors="replace")
    if kind == "text":
        return Text(text)
    try:
        return Structured(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise BlobError(f"the blob's JSON cannot be read: {error}") from error


def _escaped(text: str) -> bytes:
    """Encode JSON text; a lone surrogate is written as its escape, which keeps it."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="backslashreplace")
