"""What every rule about secrets shares: spans of a text, and the judgements that keep rules from guessing.

A rule never tries the same characters twice: its patterns take a run of characters as a whole (`*+`) and are judged
afterwards, so that looking takes time in proportion to the text whatever the text is.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol

from unspool.dataclass import dataclass
from unspool.pattern import pattern

Span = tuple[int, int]
"""Half open, in characters."""

JUDGED_CHARACTERS: Final = 128
"""Characters of a value that are judged: a longer one is no other for its end."""

CUT_LEAST: Final = 6
"""Characters of a token that was cut off (`ghp_a81…`) from which on it is hidden too: fewer help nobody."""

ELLIPSES: Final = ("…", "...")

MORE: Final = pattern(r"""[^\s"'`<>]*+""")
"""What still belongs to a secret that is longer than the text that is held: whatever no space or quote ends."""


class Rule(Protocol):
    """One shape of secrets, under a name that people read in `[redacted: <name>]`."""

    @property
    def name(self) -> str:
        """The rule's name."""
        ...

    @property
    def more(self) -> re.Pattern[str]:
        """What goes on with a secret whose beginning is already gone."""
        ...

    def spans(self, text: str, lowered: str) -> Iterator[Span]:
        """Yield the secrets of a text; `lowered` is the text in lower case, of the same length."""
        ...


@dataclass(frozen=True, slots=True)
class Shape:
    """A run of characters behind a beginning that says what it is.

    `pattern` matches from the beginning to the end of the run, the run in its group `secret` where that is not all.
    `anchor` stands in every text that can match, in lower case with `folded`.
    """

    anchor: str
    pattern: re.Pattern[str]
    judge: Callable[[re.Match[str]], Span | None]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Shapes:
    """A rule made of shapes."""

    name: str
    shapes: Sequence[Shape]
    more: re.Pattern[str] = MORE

    def spans(self, text: str, lowered: str) -> Iterator[Span]:
        """Yield the secrets of a text."""
        for shape in self.shapes:
            if shape.anchor in (lowered if shape.folded else text):
                for match in shape.pattern.finditer(text):
                    span = shape.judge(match)
                    if span is not None and span[1] > span[0]:
                        yield span


def token(least: int, *, free: bool = False, exact: bool = False) -> Callable[[re.Match[str]], Span | None]:
    """Return a judge of tokens: the group `run` must have at least (or `exact`ly) so many characters.

    With `free` nothing that is part of a word may stand before it. A token that was cut off needs fewer characters,
    if it does not read like a word.
    """

    def judge(match: re.Match[str]) -> Span | None:
        if free and not is_free(match.string, match.start()):
            return None
        run = match["run"].rstrip(".")
        stop = match.end() - (len(match["run"]) - len(run))
        enough = len(run) == least if exact else len(run) >= least
        if not enough and not (len(run) < least and is_cut(match.string, stop) and is_random(run)):
            return None
        return match.start(), stop

    return judge


def is_free(text: str, start: int) -> bool:
    """Say whether what begins here is no part of a word; an escape that ends in a letter (`[31m`, `%3D`) is none."""
    before = text[max(0, start - 3) : start]
    if not before or not (before[-1].isascii() and before[-1].isalnum()):
        return True
    return _ESCAPE.search(before) is not None


def is_cut(text: str, stop: int) -> bool:
    """Say whether a text ends here, or was shortened."""
    return stop == len(text) or text.startswith(ELLIPSES, stop)


def is_random(run: str) -> bool:
    """Say whether the beginning of a token reads like no word."""
    return len(run) >= CUT_LEAST and any(sign.isdigit() or sign.isupper() for sign in run)


def entropy(text: str) -> float:
    """Return Shannon's entropy in bits a character: 0 for one character repeated, about 4 for random hex digits."""
    text = text[:JUDGED_CHARACTERS]
    return -sum(number / len(text) * math.log2(number / len(text)) for number in Counter(text).values())


_ESCAPE: Final = pattern(r"(?:\\[nrtbfav0]|[0-9;\[]m|%[0-9A-Fa-f]{2})\Z")
