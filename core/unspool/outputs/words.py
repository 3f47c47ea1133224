"""What a tool gave back that a writer of JSON refuses, as text all the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unspool.sources.json_value import compact

_CONTAINERS = (dict, list, tuple)


def in_words(value: Any) -> str:
    """Return the `str()` of a value; of one that is nested too deeply for that its compact JSON, or else its type."""
    try:
        return str(value)
    except RecursionError:
        pass
    try:
        return compact(value) if _ends(value) else f"({type(value).__name__} that holds itself)"
    except (TypeError, AttributeError):
        return f"({type(value).__name__}, nested too deeply)"


def _ends(value: Any) -> bool:
    """Say whether a value holds itself nowhere, however deep."""
    inside = {id(value)}
    pending: list[tuple[int, Iterator[Any]]] = [(id(value), _held(value))]
    while pending:
        own, members = pending[-1]
        member = next((each for each in members if isinstance(each, _CONTAINERS)), None)
        if member is None:
            pending.pop()
            inside.discard(own)
        elif id(member) in inside:
            return False
        else:
            inside.add(id(member))
            pending.append((id(member), _held(member)))
    return True


def _held(container: Any) -> Iterator[Any]:
    return iter(container.values() if isinstance(container, dict) else container)
