"""Content of Claude Code messages and tool results: strings, blocks, and lists of both, as parts of a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from unspool.formats.base64 import image_part
from unspool.formats.fields import items, mapping, text
from unspool.formats.piece import ImagePart, JsonPart, Part, Pointer, TextPart

_TYPE_CHARACTERS: Final = 80
"""A media type is a word or two; more is not repeated in the one line about an image."""
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "resource_link": ("name", "uri"),
    "search_result": ("title", "source"),
    "text": ("text",),
    "tool_reference": (),
    "web_fetch_result": ("url",),
    "web_search_result": ("title", "url"),
}
"""Blocks whose words stand under fixed keys. A reference to a tool has none."""
_HOLDERS: Final = frozenset({"search_result", "web_fetch_result"})
"""Blocks that hold others in their content."""
_BINARY: Final = frozenset({"audio", "document", "image"})
_DEEPEST: Final = 3
"""Blocks inside one another: a fetched page holds a document, and that blocks of text. Nothing is written deeper."""


def blocks_at(pointer: Pointer, content: Any) -> list[tuple[int, Pointer, Any]]:
    """Return (number, pointer, block) of content: a list of blocks, or the only one; nothing is no block."""
    if isinstance(content, list):
        return [(index, (*pointer, index), block) for index, block in enumerate(content)]
    return [] if content is None else [(0, pointer, content)]


def block_type(block: Any) -> str:
    """Return the type of a block; a bare string is a text block, what has no type is ``."""
    return text(block.get("type")) or "" if isinstance(block, dict) else "text" if text(block) is not None else ""


def block_parts(pointer: Pointer, block: Any, depth: int = 1) -> tuple[Part, ...] | None:
    """Return the parts of a block of a message or a result; `None` for a block of unknown type."""
    if text(block) is not None:
        return (TextPart(pointer, block),)
    kind = block_type(block)
    if kind in _WORDS:
        said = [TextPart((*pointer, key), block[key]) for key in _WORDS[kind] if text(block.get(key)) is not None]
        return (*said, *(_held((*pointer, "content"), block.get("content"), depth) if kind in _HOLDERS else ()))
    if kind == "resource":
        return _resource((*pointer, "resource"), mapping(block.get("resource")))
    if kind not in _BINARY:
        return None
    source = mapping(block.get("source"))
    if kind == "document" and source.get("type") == "content":
        return _held((*pointer, "source", "content"), source.get("content"), depth)
    return (_binary(pointer, source or block),)


def said_at(pointer: Pointer, content: Any) -> tuple[list[tuple[int, tuple[Part, ...]]], bool]:
    """Return the number and parts of each block that says something, and whether all blocks were known."""
    found = [(number, block_parts(place, block)) for number, place, block in blocks_at(pointer, content)]
    said = [(number, parts) for number, parts in found if parts is not None]
    return said, len(said) == len(found)


def content_parts(pointer: Pointer, content: Any) -> tuple[tuple[Part, ...], bool]:
    """Return the parts of a tool result's content, and whether all of it was known."""
    if content is None:
        return (), True
    if text(content) is not None:
        return (TextPart(pointer, content),), True
    if not isinstance(content, list):
        parts = block_parts(pointer, content)
        return (JsonPart(pointer, content),) if parts is None else parts, True
    found = [block_parts((*pointer, index), block) for index, block in enumerate(content)]
    return tuple(part for parts in found for part in parts or ()), all(parts is not None for parts in found)


def _held(pointer: Pointer, content: Any, depth: int) -> tuple[Part, ...]:
    """Return the parts of the blocks inside a block."""
    blocks = blocks_at(pointer, content) if depth < _DEEPEST else []
    return tuple(part for _, place, block in blocks for part in block_parts(place, block, depth + 1) or ())


def words(pointer: Pointer, value: Any, path: tuple[str, ...]) -> list[Part]:
    """Return the non-empty texts that a path leads to; the step `*` goes into every element of an array."""
    if not path:
        if text(value) is None:
            return []
        return [TextPart(pointer, value)] if value else []
    step, rest = path[0], path[1:]
    if step == "*":
        if not isinstance(value, list):
            return words(pointer, value, rest)
        return [part for index, item in enumerate(items(value)) for part in words((*pointer, index), item, rest)]
    return words((*pointer, step), mapping(value).get(step), rest)


def empty(parts: tuple[Part, ...]) -> bool:
    """Say whether parts hold no text at all."""
    return all(isinstance(part, TextPart) and not part.value for part in parts)


def _resource(pointer: Pointer, resource: Mapping[str, Any]) -> tuple[Part, ...]:
    """Return what MCP embeds: its text, one line about it when it is binary, else its address."""
    for key in ("text", "blob", "uri"):
        value = text(resource.get(key))
        if value is not None and key == "blob":
            return (_binary(pointer, {"mimeType": resource.get("mimeType"), "data": value}),)
        if value is not None:
            return (TextPart((*pointer, key), value),)
    return ()


def _binary(pointer: Pointer, source: Mapping[str, Any]) -> Part:
    """Return an image or document: its text when it is one, else one line about it.

    MCP writes what stands in a `source` into the block itself.
    """
    data = text(source.get("data"))
    if source.get("type") == "text" and data is not None:
        return TextPart((*pointer, "source", "data"), data)
    named = text(source.get("media_type")) or text(source.get("mimeType")) or text(source.get("type")) or ""
    media_type = " ".join(named[:_TYPE_CHARACTERS].split()) or "unknown"
    return ImagePart(pointer, media_type, None) if data is None else image_part(pointer, media_type, data)
