"""Where the model's view of a text stopped."""

from __future__ import annotations

from typing import Final

from unspool.text import size

ENOUGH: Final = 64
"""Characters that must agree before a part of what the model saw is taken for the beginning of the text."""

LOOKED_AT: Final = 65_536
"""Bytes of both texts that are compared: previews are a few KB."""


def seam(seen: str, head: str) -> int | None:
    """Return how many bytes of the text the model saw from its beginning.

    `seen` is what the model was given, `head` the beginning of the full text. `None` when what the model saw does not
    hold the beginning, or holds no less than `head`.
    """
    start = seen.find(head[:ENOUGH]) if head else -1
    if start < 0:
        return None
    length = _common(seen[start:], head)
    return size(head[:length]) if 0 < length < len(head) else None


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
