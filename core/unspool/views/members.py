"""The members of a piece that is one JSON object: people read them by name and value, not as JSON on one line.

There is one rule for reading, export and the summaries of lists. A call is told by its arguments. An output is, when it
is one line of JSON in which a text of several lines stands: so a harness wraps what a program printed. Every other text
is shown as it is, and ids, digests, sizes and lines are always those of the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from unspool.sources.json_value import BadJson, Number, compact, leaves, loads_exact

MEMBERS_BYTES: Final = 1 << 20
"""A longer output is not taken apart for reading: it is a file to search in."""

DEEP: Final = 8
"""Levels that hang in; what lies deeper is JSON."""


def wrapped(text: str) -> Mapping[str, Any] | None:
    """Return the members of an output that is one line of JSON around a text of several lines, else `None`."""
    line = text.strip()
    if not line.startswith("{") or "\n" in line or "\\n" not in line:
        return None
    try:
        value = value_of(line)
    except BadJson:
        return None
    return value if isinstance(value, dict) and said_in(value) is not None else None


def value_of(written: str | bytes) -> Any:
    """Decode JSON, numbers as they are written; raises `BadJson`."""
    import json

    try:
        return json.loads(written, parse_float=Number, parse_int=Number)
    except (ValueError, RecursionError):
        return loads_exact(written)


def said_in(members: Mapping[str, Any]) -> str | None:
    """Return the first text of several lines among some members, `None` where there is none."""
    return next((value for value in members.values() if isinstance(value, str) and "\n" in value), None)


def named_texts(members: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return names and values: a string as it reads, what holds texts of several lines by its members, else JSON."""
    return [(name, _text(value, 0)) for name, value in members.items()]


def told(named: Iterable[tuple[str, str]]) -> str:
    """Write names and values below each other; a text of several lines begins a line of its own, and is hung in."""
    return "\n".join(f"{name}:{_hung(text.removesuffix(chr(10)))}" for name, text in named)


def readable(members: Mapping[str, Any]) -> str:
    """Return the text in which people read a piece by its members; lines that they are told are lines of it."""
    return told(named_texts(members))


def _text(value: Any, depth: int) -> str:
    if isinstance(value, str) and not isinstance(value, Number):
        return value
    if depth < DEEP and isinstance(value, (dict, list)) and any("\n" in leaf for leaf in leaves(value)):
        inner = depth + 1
        if isinstance(value, dict):
            return told((name, _text(member, inner)) for name, member in value.items())
        return "\n".join("- " + _text(each, inner).replace("\n", "\n  ") for each in value)
    return compact(value)


def _hung(text: str) -> str:
    return "\n  " + text.replace("\n", "\n  ") if "\n" in text else f" {text}"
