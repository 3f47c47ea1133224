"""Every setting there is, by its dotted name, and how a value of the file is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from unspool.text import elided
from unspool.views.bounds import MIN_BYTES
from unspool_tui.keymap import COMMANDS
from unspool_tui.settings.limits import DOES, MOST, Limits
from unspool_tui.settings.rebinding import USUAL, Unusable, keys_from

THEMES: Final = ("auto", "dark", "light")
MARKS: Final = ("auto", "ascii", "unicode")

SHOWN: Final = 40
"""Characters of a wrong value or name that its line repeats."""

Value = str | int | bool | tuple[str, ...] | None

DEFAULTS: Final[Mapping[str, Value]] = {
    "theme": "auto",
    "marks": "auto",
    "bell": False,
    "cache": True,
    "roots": None,
    "blobs": None,
    **{f"limits.{name}": getattr(Limits(), name) for name in DOES},
    **{f"keys.{name}": USUAL[name] for name in COMMANDS},
}
"""Name and value where nobody says otherwise; roots `None` are the agents' own folders, blobs `None` no folder."""


def value_of(name: str, written: object) -> Value:
    """Return the value of a setting as it was written; raises `Unusable` for a wrong one, and for one there is not."""
    table, _, own = name.partition(".")
    if name not in DEFAULTS:
        raise Unusable(_unknown(name, table, own))
    if table == "keys":
        return keys_from(own, _texts(written, 'a key, as "n" or ["n", "ctrl+n"]'))
    return (_PARSERS.get(name) or _number)(written)


def choice(allowed: tuple[str, ...], written: object) -> str:
    """Return one of the allowed words."""
    if isinstance(written, str) and written in allowed:
        return written
    raise Unusable(f"{shown(written)} is not one of {', '.join(allowed)}")


def shown(value: object) -> str:
    """Write a wrong value, however long it is."""
    return elided(str(value).lower() if isinstance(value, bool) else repr(value), SHOWN)


def _roots(written: object) -> tuple[str, ...]:
    what = 'a list of folders, as ["~/.claude", "/mnt/old"]'
    roots = tuple(_texts(written, what))
    for each in roots:
        if not each.startswith(("/", "~/")) or "\0" in each:
            raise Unusable(f"{shown(each)} is no whole path; begin it with / or ~/")
    if not roots:
        raise Unusable("no folder is named; leave it out for the agents' own")
    return roots


def _folder(written: object) -> str:
    if not isinstance(written, str):
        raise Unusable(f'{shown(written)} is not a folder, as "~/agent/blobs"')
    if not written.startswith(("/", "~/")) or "\0" in written:
        raise Unusable(f"{shown(written)} is no whole path; begin it with / or ~/")
    return written


def _switch(written: object) -> bool:
    if isinstance(written, bool):
        return written
    raise Unusable(f"{shown(written)} is not true or false")


def _number(written: object, least: int = 1) -> int:
    if isinstance(written, int) and not isinstance(written, bool) and least <= written <= MOST:
        return written
    raise Unusable(f"{shown(written)} is no whole number from {least} to {MOST}")


def _texts(written: object, what: str) -> list[str]:
    texts = [written] if isinstance(written, str) else written
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise Unusable(f"{shown(written)} is not {what}")
    return texts


def _unknown(name: str, table: str, own: str) -> str:
    """Say that there is no such setting, and which one may be meant."""
    import difflib

    if table == "keys" and own:
        known, named, what = list(COMMANDS), own, "command"
    else:
        known, named, what = [each for each in DEFAULTS if not each.startswith("keys.")], name, "setting"
    near = difflib.get_close_matches(named, known, 1)
    hint = f"did you mean {near[0]}?" if near else "`unspool settings --show` lists what there is"
    return f"no {what} is called {shown(named)}; {hint}"


_PARSERS: Final[Mapping[str, Callable[[object], Value]]] = {
    "theme": partial(choice, THEMES),
    "marks": partial(choice, MARKS),
    "bell": _switch,
    "cache": _switch,
    "roots": _roots,
    "blobs": _folder,
    "limits.read_bytes": partial(_number, least=MIN_BYTES),
}
