"""What a tool gives back: short enough for a model's context, or stored, with a summary in its place."""

from __future__ import annotations

import warnings
from typing import Any, Final

from unspool.blobs.content import Content, Structured, Text, compact
from unspool.dataclass import dataclass
from unspool.errors import BlobError
from unspool.outputs.summary import summarize
from unspool.outputs.words import in_words
from unspool.text import size

INLINE_BYTES: Final = 800
"""The longest output that stays inline: with a summary of 400 bytes, storing a shorter one would save nothing."""

INLINE_ERROR_BYTES: Final = 64 * 1024
"""An error is usually what the model must read next, so it stays inline up to here."""


class Verbatim(str):
    """A text that goes into context as it is, whatever its length: the answer of a tool that reads stored outputs."""

    __slots__ = ()


class ToolOutput:
    """An output: `Inline` or `Stored`."""

    __slots__ = ()

    @property
    def whole(self) -> str:
        """The output as a model reads it where nothing is stored: a JSON value in its compact form."""
        raise NotImplementedError

    @staticmethod
    def of(value: Any, *, error: bool = False) -> ToolOutput:
        """Return the output for what a tool gave back; a `ToolOutput` is returned as it is.

        Text of up to 800 bytes is inline, unchanged; longer text is stored as text, also when it happens to be JSON. A
        JSON value is judged by its compact form. With `error` the limit is 64 KiB. Bytes become text, with a warning
        when they are no UTF-8. What is no JSON value becomes its `str()`, with a warning: an output is never lost.
        """
        if isinstance(value, ToolOutput):
            return value
        if isinstance(value, Verbatim):
            return Inline(str(value))
        content = _content(value)
        text = _as_text(content)
        if size(text) <= (INLINE_ERROR_BYTES if error else INLINE_BYTES):
            return Inline(text)
        return Stored(summarize(content, error=error), content)


@dataclass(frozen=True, slots=True)
class Inline(ToolOutput):
    """An output that goes into context whole."""

    text: str

    @property
    def whole(self) -> str:
        """The text."""
        return self.text


@dataclass(frozen=True, slots=True)
class Stored(ToolOutput):
    """An output that is to be stored; `summary` goes into context, behind the id of the blob."""

    summary: str
    content: Content

    @property
    def whole(self) -> str:
        """The content as text."""
        return _as_text(self.content)


def _as_text(content: Content) -> str:
    return content.text if isinstance(content, Text) else compact(content.value)


def _content(value: Any) -> Content:
    if isinstance(value, str):
        return Text(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return Text(_decoded(bytes(value)))
    try:
        compact(value)
    except BlobError as error:
        warnings.warn(f"an output is kept as text: {error}", RuntimeWarning, stacklevel=4)
        return Text(in_words(value))
    return Structured(value)


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = f"an output is no UTF-8 at byte {error.start}; what cannot be read is kept as U+FFFD"
        warnings.warn(message, RuntimeWarning, stacklevel=5)
        return data.decode(errors="replace")
