"""Making the overview: the thread of prompts, steps and answers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, compress, islice, pairwise
from typing import TYPE_CHECKING

from unspool.formats.piece import Flag, Kind
from unspool.ids import EntryRange
from unspool.named_tuple import NamedTuple
from unspool.views.filter import Filter
from unspool.views.label import excerpt
from unspool.views.masks import STORED, counted
from unspool.views.overview import Overview, OverviewItem

if TYPE_CHECKING:
    from unspool.views.index import Index
    from unspool.views.material import Material

_MESSAGES = Filter(kinds=frozenset({Kind.USER, Kind.ASSISTANT}))
_PROMPTS = Filter(kinds=frozenset({Kind.USER}))


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
    lanes = Lanes.of(index)
    total, start = counted(lanes.messages), index.span[0]
    wanted = islice(chain(thinned(total, max_items), [total]), None if first is None else first + 1)
    places = _places_at(lanes.messages, wanted)
    items = []
    for (place, end), standing in zip(pairwise(places), _standings(lanes, places[:-1]), strict=True):
        if cancelled():
            break
        row, between = start + place, lanes.between(place + 1, end)
        items.append(_item(material, row, standing, between, start, excerpts.get(row)))
    return Overview(tuple(items), total, counted(lanes.prompts))


def thinned(total: int, wanted: int) -> Iterator[int]:
    """Yield at most `wanted` positions of `total`, ascending and evenly spread, the first and the last among them."""
    if total <= wanted:
        yield from range(total)
    elif wanted == 1:
        yield total - 1
    else:
        yield from (round(step * (total - 1) / (wanted - 1)) for step in range(wanted))


class Between(NamedTuple):
    """The pieces between two messages that a list shows: how many, and the places of the first and the last."""

    pieces: int
    errors: int
    stored: int
    first: int
    last: int


class Lanes(NamedTuple):
    """The rows of a view by what the thread asks of them: a byte each, 1 for those that are so.

    A row's place is its number less that of the first one. What lies in a range of them is counted at memory speed.
    """

    messages: bytes
    prompts: bytes
    every: bytes
    """Messages with those that another branch has."""
    visible: bytes
    errors: bytes
    stored: bytes

    @classmethod
    def of(cls, index: Index) -> Lanes:
        """Return those of a view."""
        return cls(
            index.chosen(_MESSAGES, without=Flag.BY_USER),
            index.chosen(_PROMPTS, without=Flag.BY_USER),
            index.chosen(_MESSAGES.with_(hidden=True)),
            index.chosen(Filter()),
            index.chosen(Filter(), having=Flag.ERROR),
            index.chosen(Filter(), having=STORED),
        )

    def between(self, start: int, stop: int) -> Between:
        """Return what lies between two places."""
        lanes = self.visible, self.errors, self.stored
        pieces, errors, stored = (lane.count(1, start, stop) for lane in lanes)
        return Between(pieces, errors, stored, self.visible.find(1, start, stop), self.visible.rfind(1, start, stop))


class Standing(NamedTuple):
    """Where a message stands in the thread: a turn goes from a prompt to its last answer."""

    turn: int
    step: int
    is_answer: bool
    message_seq: int


def _places_at(messages: bytes, positions: Iterable[int]) -> list[int]:
    """Return the places of the messages at some ascending positions; behind the last message it is the end."""
    wanted = [*positions]
    places = array("I", islice(compress(range(len(messages)), messages), wanted[-1] + 1))
    places.append(len(messages))
    return [places[position] for position in wanted]


def _standings(lanes: Lanes, places: Iterable[int]) -> Iterator[Standing]:
    """Yield where the messages at ascending places stand."""
    turn = step = seq = start = 0
    for place in places:
        stop = place + 1
        prompt = lanes.prompts.rfind(1, start, stop)
        turn += lanes.prompts.count(1, start, stop)
        before, since = (0, prompt + 1) if prompt >= 0 else (step, start)
        step = before + lanes.messages.count(1, since, stop)
        seq += lanes.every.count(1, start, stop)
        following = lanes.messages.find(1, stop)
        ends = following < 0 or bool(lanes.prompts[following])
        yield Standing(turn, step, ends and not lanes.prompts[place], seq - 1)
        start = stop


def _item(
    material: Material, row: int, standing: Standing, between: Between, start: int, words: str | None
) -> OverviewItem:
    """Return the item of a row; `between` lies behind it, at places from the row `start` on."""
    index, kind = material.index, material.index.kind(row)
    if kind == Kind.USER:
        label = f"turn {standing.turn}"
    else:
        label = f"turn {standing.turn} · " + ("answer" if standing.is_answer else f"progress {standing.step}")
    evidence_id = index.id(row)
    last = index.id(start + between.last).entry if between.pieces else evidence_id.entry
    return OverviewItem(
        id=evidence_id,
        row=row,
        kind=kind,
        message_seq=standing.message_seq,
        turn=standing.turn,
        step=standing.step,
        is_answer=standing.is_answer,
        label=label,
        excerpt=excerpt(material.head(row)) if words is None else words,
        time=index.time(row),
        flags=index.flags(row),
        entry_range=EntryRange(evidence_id.entry, last),
        intervening=between.pieces,
        errors=between.errors,
        stored=between.stored,
        first_between=start + between.first if between.pieces else None,
    )
