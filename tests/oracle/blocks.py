"""Text and images of message contents, as both agents write them: a string, or a list of blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.values import compact, visible

TEXT_BLOCKS = frozenset({"text", "Text", "input_text", "output_text", "summary_text", "reasoning_text"})
IMAGE_BLOCKS = frozenset({"image", "input_image"})
_PICTURES = frozenset({"bmp", "gif", "jpeg", "jpg", "png", "webp"})


@dataclass
class Content:
    """Lines of a message in order; `first` is the place of the first block that gave one."""

    lines: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    images: int = 0
    first: int = 0

    @property
    def text(self) -> str:
        """All of it joined by LF, an image as one line at its place."""
        return "\n".join(self.lines)


def as_dict(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one: a reader never trips over a shape."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """The value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """The value if it is a string, lone surrogates made visible, else an empty one."""
    return visible(value) if isinstance(value, str) else ""


def id_of(value: Any) -> str | None:
    """An id as text, whatever it is written as; None when there is none."""
    return None if value is None else as_text(value) or (compact(value) if not isinstance(value, str) else None)


def read_content(content: Any, simple: Callable[[Any], list[Any]] = lambda block: [block]) -> Content:
    """Read a string, or the text and image blocks of a list; blocks of other types leave no line.

    `simple` makes plain blocks of those that are an agent's own.
    """
    found = Content()
    listed = content if isinstance(content, list) else [content]
    for place, block in ((place, one) for place, given in enumerate(listed) for one in simple(given)):
        line = as_text(block) or as_text(as_dict(block).get("text")) * (type_of(block) in TEXT_BLOCKS)
        if type_of(block) in IMAGE_BLOCKS:
            line = image_line(block)
            found.images += 1
        elif line:
            found.texts.append(line)
        else:
            continue
        found.first = found.first if found.lines else place
        found.lines.append(line)
    return found


def type_of(block: Any) -> str:
    """The type of a block; an object without one, a string, a number have none."""
    return as_text(as_dict(block).get("type"))


def image_line(block: dict[str, Any]) -> str:
    """Say an image as `[image <media type> <bytes>]`; of one that is not stored here only what its name tells."""
    source = as_dict(block.get("source", block))
    if source.get("type") == "base64" or as_text(block.get("data")):
        return _line(as_text(source.get("media_type", source.get("mimeType"))), as_text(source.get("data")))
    return data_url_line(block.get("image_url"))


def data_url_line(url: Any) -> str:
    """Say an image that is given by its address; only a `data:` address holds its bytes."""
    head, _, data = as_text(as_dict(url).get("url") if isinstance(url, dict) else url).partition(";base64,")
    if head.startswith("data:"):
        return _line(head.removeprefix("data:"), data)
    ending = head.rpartition(".")[2].lower()
    return f"[image image/{ending.replace('jpg', 'jpeg')}]" if ending in _PICTURES else "[image ?]"


def _line(media_type: str, base64: str) -> str:
    return f"[image {media_type or '?'} {len(base64.rstrip('=')) * 3 // 4}]"
