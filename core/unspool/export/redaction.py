"""Redaction: secrets that announce themselves by their shape are replaced by `[redacted: <rule>]`.

What is not seen on a screen (escape sequences, characters without width) does not hide a secret. A text may come in
blocks: what is given out is the same as for the whole text, and a secret is replaced whole or not at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from unspool.dataclass import dataclass
from unspool.export.assignment import Assignments, is_secret_pair
from unspool.export.key_block import KeyBlocks
from unspool.export.seen import Seen, hides
from unspool.export.shape import Rule, Shape, Shapes, Span
from unspool.export.tokens import TOKENS

HELD_CHARACTERS: Final = 65_536
"""How far behind a character is looked before it is given out: twice the longest block of a key."""

CONTEXT_CHARACTERS: Final = 256
"""What is remembered of what was given out: the name of a value stands before it."""

SHORTEST_CHARACTERS: Final = 8
"""No text that shows a secret is shorter: `pwd=` and six characters, `a@b.cd` and two more."""

RULES: Final[tuple[Rule, ...]] = (KeyBlocks(), *TOKENS, Assignments())
"""What is redacted unless a person says otherwise; where two rules meet, the first gives the name."""


def _address(match: re.Match[str]) -> Span | None:
    return match.span() if "@" in match[0] else None


EMAIL: Final[Rule] = Shapes(
    "e-mail",
    [Shape("@", re.compile(r"[A-Za-z0-9._%+\-]++(?:@[A-Za-z0-9\-]++(?:\.[A-Za-z0-9\-]++)++)?+"), _address)],
)
"""Addresses of people; only on request, since commits and packages are full of them."""


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """A stretch of a text that is replaced; `rank` is the place of its rule."""

    start: int
    stop: int
    rank: int


class Redactor:
    """Replaces secrets and counts them by rule; without rules it changes nothing."""

    def __init__(self, rules: Sequence[Rule] = RULES) -> None:
        self.rules = tuple(rules)
        self.counts: Counter[str] = Counter()

    def text(self, text: str, stop: int | None = None, *, counted: bool = True) -> str:
        """Return a text without its secrets, up to a character; what lies behind only helps to judge."""
        end = len(text) if stop is None else stop
        written: list[str] = []
        done = 0
        for secret in self.secrets(text):
            if secret.start >= end:
                break
            written += text[done : secret.start], self._mark(secret.rank, counted)
            done = secret.stop
        written.append(text[done:end])
        return "".join(written)

    def quietly(self, text: str) -> str:
        """Return a text without its secrets, not counted: it repeats what stands elsewhere."""
        return self.text(text, counted=False)

    def named(self, name: str, value: str) -> str:
        """Return a text that a structured value has under a name, without secrets; its name may make it one."""
        found = self.secrets(f"{name}: {value}")
        rank = next((rank for rank, rule in enumerate(self.rules) if isinstance(rule, Assignments)), None)
        if rank is not None and is_secret_pair(name, value):
            return self._mark(min([secret.rank for secret in found], default=rank), True)
        before = len(name) + 2
        written, done = "", 0
        for secret in found:
            if secret.stop > before:
                written += value[done : max(0, secret.start - before)] + self._mark(secret.rank, True)
                done = secret.stop - before
        return written + value[done:]

    def blocks(self, blocks: Iterable[str], *, counted: bool = True) -> Iterator[str]:
        """Yield a text that comes in blocks without its secrets; no more is held than a block and some 200,000 signs.

        A secret longer than that is replaced before its end is seen, and swallowed up to it.
        """
        held, done = "", 0
        more: re.Pattern[str] | None = None
        for block, last in _with_last(blocks):
            held, done = held[max(0, done - CONTEXT_CHARACTERS) :] + block, min(done, CONTEXT_CHARACTERS)
            if more is not None:
                done = _end_of(more, held, done)
                more = more if done == len(held) else None
            limit = len(held) if last else max(done, len(held) - HELD_CHARACTERS)
            for secret in self.secrets(held):
                if secret.stop <= done:
                    continue
                start, growing = max(secret.start, done), secret.stop == len(held) and not last
                if start >= limit or (growing and len(held) - start < 2 * HELD_CHARACTERS):
                    limit = min(limit, start)
                    break
                yield held[done:start]
                yield self._mark(secret.rank, counted)
                done = secret.stop
                more = self.rules[secret.rank].more if growing else None
            if done < limit:
                yield held[done:limit]
                done = limit

    def secrets(self, text: str) -> list[Secret]:
        """Return the secrets of a text in order; those that overlap are one."""
        if not self.rules or len(text) < SHORTEST_CHARACTERS:
            return []
        if hides(text):
            seen = Seen.of(text)
            return [Secret(*seen.span(each.start, each.stop), each.rank) for each in self._found(seen.text)]
        return self._found(text)

    def _found(self, text: str) -> list[Secret]:
        lowered = text.lower() if "İ" not in text else text.replace("İ", "I").lower()
        return _merged(
            [Secret(*span, rank) for rank, rule in enumerate(self.rules) for span in rule.spans(text, lowered)]
        )

    def _mark(self, rank: int, counted: bool) -> str:
        name = self.rules[rank].name
        if counted:
            self.counts[name] += 1
        return f"[redacted: {name}]"


def _merged(found: list[Secret]) -> list[Secret]:
    """Join what overlaps, under the name of the first rule."""
    merged: list[Secret] = []
    for secret in sorted(found):
        if merged and secret.start < merged[-1].stop:
            last = merged.pop()
            secret = Secret(last.start, max(last.stop, secret.stop), min(last.rank, secret.rank))
        merged.append(secret)
    return merged


def _end_of(more: re.Pattern[str], text: str, start: int) -> int:
    match = more.match(text, start)
    return match.end() if match is not None else start


def _with_last(blocks: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield the blocks, small ones joined so that what is held is not looked at for each; and which is the last."""
    waiting: list[str] = []
    length = 0
    for block in blocks:
        if length >= HELD_CHARACTERS:
            yield "".join(waiting), False
            waiting, length = [], 0
        waiting.append(block)
        length += len(block)
    yield "".join(waiting), True
