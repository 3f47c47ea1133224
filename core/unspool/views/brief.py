"""The brief: overview first, then the head of the evidence index, as one bounded text with ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from unspool.text import cut, size
from unspool.views.bounds import BYTES_PER_TOKEN, Bounds
from unspool.views.filter import Filter
from unspool.views.material import Material
from unspool.views.thread import make_overview
from unspool.views.times import iso

INDEX_ROWS: Final = 200
"""Rows of the index offered: a brief is a place to start from."""


def make_brief(material: Material, title: str, bounds: Bounds) -> str:
    """Return the brief within bounds; what did not fit is said in its last line."""
    room = min(bounds.max_bytes, bounds.max_tokens * BYTES_PER_TOKEN)
    said: list[str] = []
    total = 0
    for line in _lines(material, title, bounds.max_items):
        cost = size(line) + 1
        rest = "… more: read on with the ids above"
        if total + cost + size(rest) > room:
            said.append(cut(rest, max(0, room - total)))
            break
        said.append(line)
        total += cost
    return cut("\n".join(said), room)


def _lines(material: Material, title: str, items: int) -> Iterator[str]:
    index, counts = material.index, material.index.counts
    yield title
    numbers = ", ".join(f"{name} {count}" for name, count in counts.to_json().items())
    yield f"{index.entries} entries; {numbers}"
    yield ""
    yield "Overview"
    overview = make_overview(material, items)
    for item in overview.items:
        between = f"  ({item.intervening} pieces follow)" if item.intervening else ""
        yield f"{item.id} {iso(item.time) or ''} {item.label}: {item.excerpt}{between}"
    yield ""
    yield "Evidence"
    for row in index.select(Filter())[:INDEX_ROWS]:
        evidence = material.evidence(row)
        yield f"{evidence.id} {evidence.label}: {evidence.summary}"
