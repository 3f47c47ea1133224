"""What a tool gave back that a writer of JSON refuses, as text all the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_CONTAINERS = (dict, list, tuple)


class _Sign(str):
    """What stands between values."""

    __slots__ = ()


def in_words(value: Any) -> str:
    """Return the `str()` of a value, of one that is nested too deeply for that a compact form like that of JSON."""
    try:
        return str(value)
    except RecursionError:
        return "".join(_written(value)) if _ends(value) else f"({type(value).__name__} that holds itself)"


def _written(value: Any) -> Iterator[str]:
    pending: list[Any] = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, _Sign):
            yield each
        elif isinstance(each, _CONTAINERS):
            pending += reversed(_steps(each))
        else:
            yield _told(each)


def _steps(container: Any) -> list[Any]:
    """Return the members of a container, with the signs around and between them."""
    keyed = isinstance(container, dict)
    steps: list[Any] = []
    for member in container:
        steps.append(_Sign(("," if steps else "") + (f"{_told(str(member))}:" if keyed else "")))
        steps.append(container[member] if keyed else member)
    opening, closing = "{}" if keyed else "[]"
    return [_Sign(opening), *steps, _Sign(closing)]


def _told(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except TypeError:
        return str(value)


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
