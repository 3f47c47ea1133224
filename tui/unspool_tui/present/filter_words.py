"""The filter line: how its words are inked, how one is completed, and what was left by it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from unspool.pattern import pattern
from unspool.text import clean
from unspool_tui.present import numbers

if TYPE_CHECKING:
    from unspool_tui.present.cells import Cell, Row

HINT: Final = "filter: words, kind: tool: is: path: in:"
LEDGER_HINT: Final = "filter: words, tool: is: path: in:"
PATHS_HINT: Final = "filter: a part of a path"
SEARCH_HINT: Final = "search all sessions: words, agent: project: kind: tool: is:"
SESSIONS_HINT: Final = "filter: words, agent: project: since: is:live"

VALUES: Final = {
    "kind:": ("user", "assistant", "system", "tool"),
    "part:": ("input", "output"),
    "is:": ("error", "stored", "reasoning", "hidden"),
    "tool:": (),
    "path:": (),
    "in:": (),
}
"""The words of a session's filter, with the values that are known beforehand."""

LEDGER_VALUES: Final = {"tool:": (), "is:": ("error", "stored"), "path:": (), "in:": ()}
"""The words of the ledger's filter: outputs only."""

SESSION_VALUES: Final = {
    "agent:": (),
    "project:": (),
    "since:": ("1h", "1d", "7d", "30d"),
    "is:": ("live", "waiting", "empty"),
}

SEARCH_VALUES: Final = {
    **VALUES,
    **{name: values for name, values in SESSION_VALUES.items() if name not in VALUES},
}
"""The words of the search over all sessions: of pieces, and of the sessions that are searched."""

_WORD = pattern(r'(?:[^\s"]|"[^"]*"?)+')
_NAMED = pattern(r"([a-z]+:)(.*)\Z", re.IGNORECASE | re.DOTALL)


def inked(words: str, names: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Yield half-open stretches of the line with their ink: names muted, values accent, free words as a match."""
    known = {name.lower() for name in names}
    for found in _WORD.finditer(words):
        named = _NAMED.match(found[0])
        if named and named[1].lower() in known:
            middle = found.start() + len(named[1])
            yield found.start(), middle, "muted"
            yield middle, found.end(), "accent"
        else:
            yield found.start(), found.end(), "match bold"


def findable(value: str) -> str:
    """Return the longest part of a value that is shown as it stands: of nearly every value all."""
    shown = clean(value, newline=False)
    signs = "".join(sign if clean(sign, newline=False) == sign else "\0" for sign in value)
    return max((part for part in signs.split("\0") if part in shown), key=len)


def with_named(words: str, name: str, value: str) -> str:
    """Return the line with a named word, in place of others of that name."""
    kept = [word for word in _WORD.findall(words) if not word.lower().startswith(f"{name}:")]
    quoted = f'"{value}"' if any(sign.isspace() for sign in value) else value
    return " ".join([f"{name}:{quoted}", *kept])


def completions(line: str, values: dict[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the line with its last word completed in each way that there is."""
    last = line.rpartition(" ")[2]
    if not last:
        return ()
    name, colon, begun = last.partition(":")
    if colon:
        pool = [f"{name.lower()}:{value}" for value in values.get(f"{name.lower()}:", ()) if " " not in value]
        typed = f"{name.lower()}:{begun}"
    else:
        pool, typed = list(values), last.lower()
    before = line[: len(line) - len(last)]
    fitting = [word for word in pool if word.lower().startswith(typed.lower()) and len(word) > len(typed)]
    return tuple(before + word for word in fitting)


def left_over(shown: int, total: int, matches: int | None, *, complete: bool = True, where: str = "") -> Row:
    """Say how much a filter left: `12 of 812`, and how many matches there are in it.

    `where` says in what part of a session they were looked for that is not all read, empty for one that is.
    """
    row: tuple[Cell, ...] = ((numbers.full(shown), "text bold"), (f" of {numbers.full(total)}", "muted"))
    if matches is None:
        return row
    word = "match" if matches == 1 else "matches"
    told = f"   {numbers.full(matches)} {word}{where and ' '}{where}{'' if complete else ' so far'}"
    return (*row, (told, "match"))


def kept_aside(counts: Sequence[tuple[str, str, int]]) -> Row:
    """Say what a list leaves out: `t reasoning 12   H hidden 3`; what there is none of is not said."""
    row: list[Cell] = []
    for key, word, number in counts:
        if number:
            row += [
                *([("   ", "text")] if row else []),
                (f"{key} ", "faint"),
                (f"{word} {numbers.count(number)}", "muted"),
            ]
    return tuple(row)
