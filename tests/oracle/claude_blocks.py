"""Blocks of Claude Code that hold text or data in places of their own, as plain text and image blocks."""

from __future__ import annotations

from typing import Any

from tests.oracle.blocks import Content, as_dict, as_text, read_content, type_of

WORDS = {
    "web_search_result": ("title", "url"),
    "web_fetch_result": ("url",),
    "search_result": ("title", "source"),
    "resource_link": ("name", "uri"),
}
HOLDERS = frozenset({"web_fetch_result", "search_result"})
KNOWN = frozenset({*WORDS, "resource", "document", "audio", "tool_reference"})


def read_blocks(content: Any) -> Content:
    """Read a string, or blocks; an object in place of a list is the only block."""
    return read_content(content, simple)


def simple(block: Any, depth: int = 1) -> list[Any]:
    """The block as blocks of text and images; at most three are written inside one another."""
    kind, found = type_of(block), as_dict(block)
    source = as_dict(found.get("source"))
    if kind in WORDS:
        said = [_text(found[key]) for key in WORDS[kind] if as_text(found.get(key))]
        return said + (_inside(found.get("content"), depth) if kind in HOLDERS else [])
    if kind == "resource":
        return _resource(as_dict(found.get("resource")))
    if kind == "document" and source.get("type") == "content":
        return _inside(source.get("content"), depth)
    if kind == "document" and source.get("type") == "text":
        return [_text(source.get("data"))]
    return [{**found, "type": "image"}] if kind in ("document", "audio") else [block]


def _inside(content: Any, depth: int) -> list[Any]:
    blocks = content if isinstance(content, list) else [content]
    return [one for block in blocks for one in simple(block, depth + 1)] if depth < 3 else []


def _resource(resource: dict[str, Any]) -> list[Any]:
    if isinstance(resource.get("text"), str) or not isinstance(resource.get("blob"), str):
        return [_text(resource.get("text", resource.get("uri")))]
    source = {"type": "base64", "media_type": resource.get("mimeType"), "data": resource["blob"]}
    return [{"type": "image", "source": source}]


def _text(text: Any) -> dict[str, Any]:
    return {"type": "text", "text": text}
