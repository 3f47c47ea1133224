"""A person's own keys: which of them can be used, and what two commands would both be bound to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from unspool_tui.keymap import COMMANDS, FIRST, places
from unspool_tui.present.key_names import named, parse_key, shown_key, types_a_character

Keys = tuple[str, ...]

USUAL: Final[Mapping[str, Keys]] = {name: tuple(map(named, each.keys.split(","))) for name, each in COMMANDS.items()}
"""The keys of every command, unless a person gives it others."""


class Unusable(ValueError):
    """A key that a command cannot have; the message says why."""


def keys_from(name: str, written: Iterable[str]) -> Keys:
    """Return the names of the keys that a person wrote for a command; raises `Unusable`."""
    keys = []
    for each in written:
        key = parse_key(each)
        if key is None:
            raise Unusable(f"no key is called {each!r}; write it as n, N, ?, ctrl+n, f5 or PgDn")
        if name in FIRST and types_a_character(key):
            raise Unusable(f"{each!r} types a character, and this works while one types; take a ctrl key")
        keys.append(key)
    if not keys:
        raise Unusable(f"no key is named; leave it out to keep {' '.join(map(shown_key, USUAL[name]))}")
    return tuple(dict.fromkeys(keys))


def without_clashes(wanted: Mapping[str, Keys]) -> tuple[dict[str, Keys], dict[str, str]]:
    """Return those of the wanted keys that go together, and for each other command why it keeps its own keys.

    Of two that want the same key the first one gets it.
    """
    kept, refused = dict(wanted), dict[str, str]()
    while clash := next(_clashes(kept), None):
        key, name, other = clash
        del kept[name]
        refused[name] = f"{shown_key(key)} is bound to {other} too; the usual key stays until one of them has another"
    return kept, refused


def _clashes(wanted: Mapping[str, Keys]) -> Iterator[tuple[str, str, str]]:
    """Yield a key, the last wanted command that is bound to it, and another one that it would be bound to."""
    bound: dict[str, list[str]] = {}
    for name, keys in {**USUAL, **wanted}.items():
        for key in keys:
            bound.setdefault(key, []).append(name)
    for name in reversed(list(wanted)):
        for key in wanted[name]:
            for other in bound[key]:
                usual = key in USUAL[name] and key in USUAL[other]
                if other != name and not usual and places(name) & places(other):
                    yield key, name, other
