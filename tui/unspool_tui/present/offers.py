"""What a palette offers: commands and sessions under their names, chosen by typed words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from unspool_tui.present.cells import BLANK, GAP, Cell, Row, ellipsis, fit, marked, width_of

LISTED: Final = 200
"""Offers that a list shows at most: whoever sees more types another word."""

_WORD: Final = re.compile(r"\w+")


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hay", f"{self.name}\n{self.about}\n{self.hidden}".casefold())

    def rank(self, words: Sequence[str]) -> int | None:
        """Return how well typed words (in lower case) fit, less is better; `None` when one is nowhere in it.

        Best is a name that begins with them, then one in which words begin with them, then any place.
        """
        if any(word not in self._hay for word in words):
            return None
        name = self.name.casefold()
        if words and name.startswith(words[0]):
            return 0
        begins = [found[0] for found in _WORD.finditer(name)]
        return 1 if all(any(each.startswith(word) for each in begins) for word in words) else 2


@dataclass(frozen=True, slots=True)
class Fitting:
    """The offers that fit, the best first, at most `LISTED` of them; `more` counts those that are left out."""

    offers: tuple[Offer, ...]
    words: tuple[str, ...]
    more: int = 0


def fitting(offers: Iterable[Offer], typed: str) -> Fitting:
    """Choose among offers by typed words; those that fit alike stay in order."""
    words = tuple(typed.casefold().split())
    ranked = [(rank, offer) for offer in offers if (rank := offer.rank(words)) is not None]
    ranked.sort(key=lambda each: each[0])
    return Fitting(tuple(offer for _, offer in ranked[:LISTED]), words, max(0, len(ranked) - LISTED))


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
