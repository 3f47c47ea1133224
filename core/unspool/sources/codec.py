"""JSON by orjson, as soon as there is enough of it: to import orjson takes as long as to read a megabyte without.

Until then the standard library reads what both read alike, and what it is not sure of is orjson's at once. Names of
this module are looked up where they are used (`codec.loads(…)`): they are orjson's own functions from then on.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable
    from json.encoder import encode_basestring as encode_basestring

    def _scanner(context: SimpleNamespace) -> Callable[[str, int], tuple[Any, int]]: ...
else:
    try:  # what the standard library decodes and writes with: all around it takes a millisecond to import
        from _json import encode_basestring
        from _json import make_scanner as _scanner
    except ImportError:
        from json.decoder import JSONDecoder
        from json.encoder import encode_basestring

        def _scanner(context: SimpleNamespace) -> Callable[[str, int], tuple[Any, int]]:
            return JSONDecoder(**vars(context)).scan_once


ENOUGH: Final = 1 << 20
"""Bytes that are read without orjson."""

DEEP: Final = 512
"""Brackets of a value whose depth is not looked at: orjson has a limit of its own."""

SHORT: Final = 18
"""Characters of a whole number that is one in 64 bits."""

_read = 0


def _loads(data: bytes | memoryview) -> Any:
    """Decode one JSON value; raises `ValueError` as orjson does."""
    global _read
    _read += len(data)
    if _read <= ENOUGH and "orjson" not in sys.modules:
        try:
            return plain(data)
        except (ValueError, RecursionError):
            pass
    _settle()
    return loads(data)


def _dumps(value: Any) -> bytes:
    """Write a text as JSON; raises `ValueError` for one with lone surrogates, `TypeError` for what is no text."""
    if type(value) is str:
        return encode_basestring(value).encode()
    raise TypeError(f"no text: {type(value).__name__}")


def plain(data: bytes | memoryview) -> Any:
    """Decode what the standard library reads as orjson does; raises `ValueError` or `RecursionError` for all else."""
    text = str(data, "utf-8")
    if "\\ud" in text or "\\uD" in text or text.count("[") + text.count("{") > DEEP:
        raise ValueError("surrogates, or many brackets")
    start = len(text) - len(text.lstrip(_SPACE))
    try:
        value, end = _scan(text, start)
    except (StopIteration, SystemError) as error:  # nothing; a fault whose class lies in what is not imported
        raise ValueError(f"no JSON: {error}") from None
    if end < len(text) and text[end:].strip(_SPACE):
        raise ValueError(f"more behind {end}")
    return value


def _settle() -> None:
    global loads, dumps
    import orjson

    loads, dumps = orjson.loads, orjson.dumps


def _whole(text: str) -> int:
    if len(text) > SHORT:
        raise ValueError(f"a long number: {text}")
    return int(text)


def _broken(text: str) -> float:
    number = float(text)
    if number in (_INFINITY, -_INFINITY):
        raise ValueError(f"beyond every number: {text}")
    return number


def _constant(name: str) -> NoReturn:
    raise ValueError(f"no JSON: {name}")


_INFINITY: Final = float("inf")
_SPACE: Final = " \t\n\r"

_scan: Final = _scanner(
    SimpleNamespace(
        strict=True,
        object_hook=None,
        object_pairs_hook=None,
        parse_int=_whole,
        parse_float=_broken,
        parse_constant=_constant,
    )
)

loads: Callable[[bytes | memoryview], Any] = _loads
dumps: Callable[[Any], bytes] = _dumps
