"""What a palette offers: commands and sessions under their names, chosen by typed words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from unspool.dataclass import dataclass, field
from unspool.pattern import pattern
from unspool_tui.present.cells import BLANK, GAP, Cell, Row, ellipsis, fit, marked, width_of

LISTED: Final = 200
"""Offers that a list shows at most: whoever sees more types another word."""

_WORD: Final = pattern(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """Something that can be chosen: its `name`, what is said `about` it, and its `key`, all cleaned.

    `hidden` words find it too, and are not shown. `choose` is what choosing it does.
    """

    name: str
    choose: Callable[[], object]
    key: str = ""
    about: str = ""
    hidden: str = ""
    mark: Cell = BLANK
    _hay: str = field(init=False, default="")
    _words: str = field(init=False, default="")

    def __post_init__(self) -> None:
        name = self.name.casefold()
        object.__setattr__(self, "_hay", f"{name}\n{self.about}\n{self.hidden}".casefold())
        object.__setattr__(self, "_words", " ".join(["", *_WORD.findall(name)]))

    def rank(self, words: Sequence[str]) -> int | None:
        """Return how well typed words (some, in lower case) fit, less is better; `None` when one is nowhere in it.

        Best is a name that begins with them, then one in which words begin with them, then any place.
        """
        hay = self._hay
        for word in words:
            if word not in hay:
                return None
        if hay.startswith(words[0]):
            return 0
        for word in words:
            if f" {word}" not in self._words:
                return 2
        return 1


@dataclass(frozen=True, slots=True)
class Fitting:
    """The offers that fit, the best first, at most `LISTED` of them; `more` counts those that are left out."""

    offers: tuple[Offer, ...]
    words: tuple[str, ...]
    more: int = 0


def fitting(offers: Iterable[Offer], typed: str) -> Fitting:
    """Choose among offers by typed words; those that fit alike stay in order."""
    words = tuple(typed.casefold().split())
    ranks: tuple[list[Offer], ...] = ([], [], [])
    for offer in offers:
        rank = offer.rank(words) if words else 0
        if rank is not None:
            ranks[rank].append(offer)
    found = [offer for rank in ranks for offer in rank]
    return Fitting(tuple(found[:LISTED]), words, max(0, len(found) - LISTED))


def offer_row(offer: Offer, words: Sequence[str], width: int, *, bar: Cell, here: bool) -> Row:
    """Return an offer: its name with the typed words marked, at the right what is said about it and its key."""
    right: list[Cell] = [GAP, (offer.about, "muted")] if offer.about else []
    right += [GAP, (offer.key, "text bold")] if offer.key else []
    right += [GAP]
    room = width - width_of(right) - 4
    name = ellipsis(offer.name, max(8, room))
    left: list[Cell] = [bar, offer.mark, BLANK, *marked(name, _spans(name, words), "text bold" if here else "text")]
    return (*fit(left, max(12, room + 4)), *right)


def _spans(name: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return where typed words stand in a name, in order; those that overlap are left out."""
    low = name.casefold()
    if len(low) != len(name):  # a sign that has another length in lower case
        return []
    spans = sorted((at, at + len(word)) for word in words if (at := low.find(word)) >= 0)
    return [span for number, span in enumerate(spans) if number == 0 or span[0] >= spans[number - 1][1]]
