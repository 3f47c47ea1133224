"""Names of keys: as the screen library knows them, as a person writes them, and as help and key bar show them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from unicodedata import name

from unspool.pattern import pattern

_OTHER_NAMES: Final = {
    "solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "hyphen_minus": "minus",
    "plus_sign": "plus", "low_line": "underscore",
}  # fmt: skip
"""Names that differ from those of Unicode."""


def _name_of(sign: str) -> str:
    known = name(sign).lower().replace("-", "_").replace(" ", "_")
    return _OTHER_NAMES.get(known, known)


NAMES: Final[Mapping[str, str]] = {sign: _name_of(sign) for sign in map(chr, range(32, 127)) if not sign.isalnum()}
"""The sign on a key, and its name: `?` and `question_mark`."""

_SIGNS: Final = {each: sign for sign, each in NAMES.items() if sign != " "}
_ARROWS: Final = {"down": "↓", "up": "↑", "left": "←", "right": "→"}
_SHORT: Final = {"pagedown": "PgDn", "pageup": "PgUp", "escape": "esc"}

_SPECIAL: Final = frozenset(
    {
        *_ARROWS,
        *_SHORT,
        "home",
        "end",
        "enter",
        "tab",
        "backspace",
        "delete",
        "insert",
        *(f"f{n}" for n in range(1, 25)),
    }
)
_WRITTEN: Final = {
    **{shown.lower(): key for key, shown in (_ARROWS | _SHORT).items()},
    **{"pgdown": "pagedown", "return": "enter", "del": "delete"},
}
"""Names that people write, besides those that help shows."""

_MODIFIED: Final = pattern(r"((?:(?:ctrl|alt|shift|super|meta|hyper)\+)*)(.+)\Z", re.IGNORECASE | re.DOTALL)


def named(key: str) -> str:
    """Return the name of a key that may be written as its sign."""
    return NAMES.get(key, key)


def parse_key(written: str) -> str | None:
    """Return the name of a key as a person writes it (`n`, `?`, `ctrl+n`, `PgDn`), `None` when there is no such key."""
    found = _MODIFIED.match(written)
    if found is None:
        return None
    modifiers, key = sorted(set(found[1].lower().split("+")) - {""}), found[2]
    if len(key) == 1 and key.isalnum():
        if modifiers == ["shift"]:
            return key.upper()
        return "+".join([*modifiers, key.lower()]) if modifiers else key
    key = NAMES.get(key) or _WRITTEN.get(key.lower(), key.lower())
    return "+".join([*modifiers, key]) if key in _SPECIAL or key in NAMES.values() else None


def types_a_character(key: str) -> bool:
    """Say whether a key writes something where text is typed."""
    return len(key) == 1 or key in NAMES.values()


def shown_key(key: str, *, words: bool = False) -> str:
    """Write a key as help and key bar show it; arrows as `words` where arrows cannot be drawn."""
    shown = _SIGNS.get(key) or _SHORT.get(key, key)
    return shown if words else _ARROWS.get(key, shown)
