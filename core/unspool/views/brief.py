"""The brief: overview first, then the head of the evidence index, as one bounded text with ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from unspool.text import cut, size
from unspool.views.bounds import BYTES_PER_TOKEN, Bounds
from unspool.views.filter import Filter
from unspool.views.material import Material
from unspool.views.thread import make_overview
from unspool.views.times import iso

BRIEF_ITEMS: Final = 250
"""Items of overview and index together: a brief is a place to start from."""

_MORE: Final = "… more: read on with the ids above"


def brief_bounds() -> Bounds:
    """Return the bounds of a brief for which nobody named any."""
    return replace(Bounds(), max_items=BRIEF_ITEMS)


def make_brief(material: Material, title: str, bounds: Bounds) -> str:
    """Return the brief within bounds; what did not fit is said in its last line.

    The overview takes what the index leaves of `max_items`, but at least half.
    """
    said = ""
    lines = _lines(material, title, bounds.max_items)
    line = next(lines)
    while True:
        following = next(lines, None)
        longer = f"{said}\n{line}" if said else line
        if not _fits(longer if following is None else f"{longer}\n{_MORE}", bounds):
            return _cut(f"{said}\n{_MORE}" if said else _MORE, bounds)
        if following is None:
            return longer
        said, line = longer, following


def _fits(text: str, bounds: Bounds) -> bool:
    tokens = bounds.tokens(text) if bounds.tokens else -(-size(text) // BYTES_PER_TOKEN)
    return size(text) <= bounds.max_bytes and tokens <= bounds.max_tokens


def _cut(text: str, bounds: Bounds) -> str:
    """Return the longest beginning of a text that fits."""
    low, high = 0, size(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _fits(cut(text, middle), bounds) else (low, middle - 1)
    return cut(text, low)


def _lines(material: Material, title: str, items: int) -> Iterator[str]:
    index, counts = material.index, material.index.counts
    yield title
    numbers = ", ".join(f"{name} {count}" for name, count in counts.to_json().items())
    yield f"{index.entries} entries; {numbers}"
    yield ""
    yield "Overview"
    overview = make_overview(material, max(items - counts.visible, items - items // 2))
    for item in overview.items:
        between = f"  ({item.intervening} pieces follow)" if item.intervening else ""
        yield f"{item.id} {iso(item.time) or ''} {item.label}: {item.excerpt}{between}"
    yield ""
    yield "Evidence"
    for row in index.select(Filter())[: items - len(overview.items)]:
        evidence = material.evidence(row)
        yield f"{evidence.id} {evidence.label}: {evidence.summary}"
