"""The brief: overview first, then the head of the evidence index, as one bounded text with ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from unspool.dataclass import replace
from unspool.formats.piece import ToolPart
from unspool.text import cut, size
from unspool.views.bounds import BYTES_PER_TOKEN, Bounds
from unspool.views.filter import Filter
from unspool.views.thread import make_overview
from unspool.views.times import iso

if TYPE_CHECKING:
    from unspool.views.evidence import Evidence
    from unspool.views.material import Material

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
    said: list[str] = []
    for line in _lines(material, title, bounds.max_items):
        if not _fits("\n".join([*said, line]), bounds):
            return _shortened(said, bounds)
        said.append(line)
    return "\n".join(said)


def _shortened(said: list[str], bounds: Bounds) -> str:
    """Return as many of the lines as leave room to say that there are more."""
    while said and not _fits("\n".join([*said, _MORE]), bounds):
        said.pop()
    return _cut("\n".join([*said, _MORE]), bounds)


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
        between = f"  ({_following(item.intervening)})" if item.intervening else ""
        yield f"{item.id} {iso(item.time) or ''} {item.label}: {item.excerpt}{between}"
    yield ""
    yield "Evidence"
    for row in index.select(Filter())[: items - len(overview.items)]:
        evidence = material.evidence(row)
        yield f"{evidence.id} {_said(evidence)}"


def _said(evidence: Evidence) -> str:
    """Return label and summary; the label of a call is the beginning of what its summary says."""
    if evidence.tool_part == ToolPart.INPUT:
        return " · ".join(word for word in (" ".join((evidence.tool or "tool").split()), evidence.summary) if word)
    return f"{evidence.label}: {evidence.summary}"


def _following(number: int) -> str:
    return "1 piece follows" if number == 1 else f"{number} pieces follow"
