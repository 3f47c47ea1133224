"""JSON values: decoding that keeps what was written, and compact writing that never recurses.

`loads` is orjson with a tolerant second path; `loads_exact` is the tolerant path with number texts kept. Neither
depends on Python's stack, and both refuse nesting beyond `DEPTH_LIMIT`, so a record means the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from unspool.pattern import pattern
from unspool.sources import codec
from unspool.sources.bad_json import BadJson
from unspool.sources.codec import encode_basestring
from unspool.sources.json_text import Clipped, Number, paired

__all__ = ["BadJson", "Clipped", "Number", "clipped_in", "compact", "inexact", "leaves", "loads", "loads_exact"]

_NEGATIVE_ZERO = pattern(rb"(?:\A|[\[,: \t\r\n\0])-0(?![.eE0-9])")
_LITERALS = {None: "null", True: "true", False: "false"}
_PLAIN: Final = frozenset({dict, list, str, int, bool, type(None)})
"""What orjson writes as `compact` does: it has another notation for floats, and takes types that are no JSON."""


def loads(data: bytes) -> Any:
    """Decode one JSON value; raises `BadJson`.

    What orjson refuses is tried again by the tolerant path, which accepts what agents and crashes really leave behind:
    bytes that are not UTF-8 and lone surrogates (U+FFFD), raw control characters and line ends inside strings, NaN,
    infinities and numbers beyond every range (`Number`), NUL runs between tokens, a byte order mark.
    """
    try:
        return codec.loads(data)
    except ValueError:
        return _parsed(data)


def loads_exact(data: bytes | str) -> Any:
    """Decode one JSON value on the tolerant path; a number that would be written back differently is a `Number`."""
    return _parsed(data.encode(errors="replace") if isinstance(data, str) else data, exact=True)


def _parsed(data: bytes, *, exact: bool = False) -> Any:
    from unspool.sources.json_parser import parse

    return parse(data, exact=exact)


def inexact(value: Any, raw: bytes | None = None) -> bool:
    """Say whether a value from `loads` may have lost the text of a number: a float, or `-0`, which orjson reads as 0.

    With the value's `raw` bytes a zero counts only when they hold `-0`; without them every zero may be one.
    """
    found = _inside(value)
    if float in map(type, found):
        return True
    has_zero = 0 in found and any(type(item) is int and item == 0 for item in found)
    return has_zero and (raw is None or _NEGATIVE_ZERO.search(raw) is not None)


def compact(value: Any) -> str:
    """Write a value as compact JSON, keys in their order, non-ASCII kept, `Number` as written; depth is no limit.

    Raises `TypeError` for what is no JSON value.
    """
    if _PLAIN.issuperset(map(type, _inside(value))):
        try:
            return codec.dumps(value).decode()
        except (
            TypeError,
            ValueError,
        ):  # orjson is not there yet; too deep, an integer of over 64 bits, a lone surrogate
            pass
    return _written(value)


def _written(value: Any) -> str:
    written: list[str] = []
    pending: list[Iterator[tuple[str, Any] | str]] = [iter([("", value)])]
    while pending:
        step = next(pending[-1], None)
        if step is None:
            pending.pop()
        elif isinstance(step, str):
            written.append(step)
        else:
            written.append(step[0])
            if isinstance(step[1], (dict, list, tuple)):
                pending.append(_members(step[1]))
            else:
                written.append(_scalar_text(step[1]))
    return "".join(written)


def leaves(value: Any) -> Iterator[str]:
    """Yield what is searched of a structured value: key names, decoded strings, numbers and literals as written.

    In source order, a key before its value; depth is no limit.
    """
    pending: list[Iterator[Any]] = [iter([value])]
    while pending:
        for item in pending[-1]:
            if isinstance(item, dict):
                pending.append(_keys_and_values(item))
                break
            if isinstance(item, (list, tuple)):
                pending.append(iter(item))
                break
            yield item if isinstance(item, str) else _scalar_text(item)
        else:
            pending.pop()


def clipped_in(value: Any) -> list[Clipped]:
    """Return the strings of a value of which only the head is held, in an order that is the same for equal values."""
    return [item for item in _inside(value) if isinstance(item, Clipped)]


def _members(container: Any) -> Iterator[tuple[str, Any] | str]:
    """Yield what to write before each member, with the member, and then the closing bracket."""
    if isinstance(container, dict):
        opening = "{"
        for key, member in container.items():
            yield f"{opening}{encode_basestring(paired(key))}:", member
            opening = ","
        yield "}" if container else "{}"
    else:
        opening = "["
        for member in container:
            yield opening, member
            opening = ","
        yield "]" if container else "[]"


def _scalar_text(value: Any) -> str:
    if isinstance(value, Number):
        return value
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or isinstance(value, bool):
        return _LITERALS[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float_text(value)
    raise TypeError(f"not a JSON value: {type(value).__name__}")


def _float_text(value: float) -> str:
    text = float.__repr__(value)
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(text, text)


def _keys_and_values(mapping: dict[str, Any]) -> Iterator[Any]:
    for key, value in mapping.items():
        yield paired(key)
        yield value


def _inside(value: Any) -> list[Any]:
    """Return a value and every value that it holds, in some order; depth is no limit."""
    found = [value]
    for item in found:
        if type(item) is str:
            continue
        if isinstance(item, dict):
            found += item.values()
        elif isinstance(item, (list, tuple)):
            found += item
    return found
