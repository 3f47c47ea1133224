"""Saying what an inspected output is, for errors that lead to a selector which fits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from unspool.text import elided

if TYPE_CHECKING:
    from unspool.views.inspectable import Inspectable

NAMED_KEYS: Final = 12
"""Keys that an error names: more would no longer be one line."""

KEY_CHARACTERS: Final = 60
"""Characters of a key that an error names."""


def what_it_is(inspected: Inspectable) -> str:
    """Say of what sort an output is, and which selector takes it apart."""
    value = inspected.value
    if inspected.too_long:
        long = f"this {inspected.noun} of {counted(inspected.text.size, 'byte')}"
        return f"{long} is too long to be taken apart: use bytes:A..B"
    if isinstance(value, list):
        return f"this is an array of {counted(len(value), 'entry', 'entries')}: use slice:A..B"
    if isinstance(value, dict):
        return f"this is an object with the keys {names(value)}: use key:NAME"
    if inspected.type == "json":
        return "this is a single JSON value: use bytes:A..B"
    return f"this is text of {how_much(inspected)}: use lines:A-B"


def how_much(inspected: Inspectable) -> str:
    """Say how much text there is, by what is known of it."""
    if inspected.counted:
        return counted(inspected.text.line_count, "line")
    return counted(inspected.text.size, "byte")


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def first_keys(mapping: dict[str, Any]) -> Iterator[str]:
    """Yield the first keys of an object, as many as one line bears."""
    return (elided(key, KEY_CHARACTERS) for key in islice(mapping, NAMED_KEYS))


def names(mapping: dict[str, Any]) -> str:
    """Name the first keys of an object, and say how many more there are."""
    first = ", ".join(first_keys(mapping)) or "none"
    more = len(mapping) - NAMED_KEYS
    return f"{first} and {more} more" if more > 0 else first
