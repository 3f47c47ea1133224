"""Making the overview: the thread of prompts, steps and answers."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from unspool.formats.piece import Flag, Kind
from unspool.ids import EntryRange
from unspool.views.filter import Filter
from unspool.views.label import excerpt
from unspool.views.masks import STORED
from unspool.views.overview import Overview, OverviewItem

if TYPE_CHECKING:
    from unspool.views.material import Material

_MESSAGES = Filter(kinds=frozenset({Kind.USER, Kind.ASSISTANT}))
_USER, _ASSISTANT = bytes([Kind.USER]), bytes([Kind.ASSISTANT])


def make_overview(
    material: Material,
    max_items: int,
    known: Overview | None = None,
    first: int | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Overview:
    """Return the user and assistant texts in order, thinned evenly to `max_items`, first and last kept.

    What `known` has of their excerpts is not read again, and nothing behind the `first` so many items; nor is anything
    once it is `cancelled`, which is asked before each item.
    """
    excerpts = {item.row: item.excerpt for item in known.items} if known is not None else {}
    index = material.index
    messages = index.select(_MESSAGES)
    by_user = {*index.flagged(messages, Flag.BY_USER)}
    shown = [row for row in messages if row not in by_user]
    every = index.select(_MESSAGES.with_(hidden=True))
    visible = index.select(Filter())
    kinds = bytes(index.kinds(shown))
    bounds = [*thinned(len(shown), max_items), len(shown)][: None if first is None else first + 1]
    items = []
    for (position, following), place in zip(pairwise(bounds), _places(kinds, bounds[:-1]), strict=True):
        if cancelled():
            break
        row, end = shown[position], shown[following] if following < len(shown) else index.rows
        between = visible[bisect_right(visible, row) : bisect_left(visible, end)]
        words = excerpts.get(row)
        items.append(_item(material, row, place, bisect_right(every, row) - 1, between, words))
    return Overview(tuple(items), len(shown), kinds.count(_USER))


def thinned(total: int, wanted: int) -> list[int]:
    """Return at most `wanted` positions of `total`, evenly spread, the first and the last among them."""
    if total <= wanted:
        return list(range(total))
    if wanted == 1:
        return [total - 1]
    return sorted({round(step * (total - 1) / (wanted - 1)) for step in range(wanted)})


def _places(kinds: bytes, positions: Iterable[int]) -> Iterator[tuple[int, int, bool]]:
    """Yield (turn, step, is answer) of messages at ascending positions: a turn goes from a prompt to its last answer.

    `kinds` are those of all messages, a byte each.
    """
    turn, prompt, start = 0, -1, 0
    for position in positions:
        stop = position + 1
        turn += kinds.count(_USER, start, stop)
        prompt = max(prompt, kinds.rfind(_USER, start, stop))
        last = kinds[stop : stop + 1] in (b"", _USER)
        yield turn, position - prompt, last and kinds[position:stop] == _ASSISTANT
        start = stop


def _item(
    material: Material,
    row: int,
    place: tuple[int, int, bool],
    message_seq: int,
    between: array[int],
    words: str | None,
) -> OverviewItem:
    index, (turn, step, is_answer) = material.index, place
    kind = index.kind(row)
    if kind == Kind.USER:
        label = f"turn {turn}"
    else:
        label = f"turn {turn} · answer" if is_answer else f"turn {turn} · progress {step}"
    evidence_id = index.id(row)
    last = index.id(between[-1]).entry if between else evidence_id.entry
    return OverviewItem(
        id=evidence_id,
        row=row,
        kind=kind,
        message_seq=message_seq,
        turn=turn,
        step=step,
        is_answer=is_answer,
        label=label,
        excerpt=excerpt(material.head(row)) if words is None else words,
        time=index.time(row),
        flags=index.flags(row),
        entry_range=EntryRange(evidence_id.entry, last),
        intervening=len(between),
        errors=len(index.flagged(between, Flag.ERROR)),
        stored=len(index.flagged(between, STORED)),
        first_between=between[0] if between else None,
    )
