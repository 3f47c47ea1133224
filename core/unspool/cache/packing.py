"""Values as bytes: numbers, texts, containers, columns, and the plain objects that formats and columns hold.

    length of the head | head | frames

The head is compressed as a whole:

    length of the outline | outline, as JSON | bytes and planes, in the order in which the outline names them

Long columns and long lists of texts are in frames, each of them compressed by itself, in the same order.

Nothing of it is ever run. A class is named by its module and its own name, and only those of `HOMES` are known; its
objects are made without calling it, and given their attributes. What two objects share they share again.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from enum import Enum
from typing import Any, Final

import orjson

from unspool.cache.compressed import compressed
from unspool.cache.frames import ITEMS, TEXTS, frames_of_column, frames_of_texts
from unspool.cache.planes import split

HOMES: Final = ("unspool.columns.", "unspool.formats.", "unspool.sources.")
"""Modules whose classes are known."""

LENGTH: Final = 8
"""Bytes that tell the length of the head, and of the outline."""

_SCALARS: Final = frozenset({bool, int, str, type(None)})
"""What stands in the outline as it is."""
_FEW: Final = 8
"""Integers up to which a column of them takes more room than they do."""


class Unpackable(Exception):
    """A value of a kind that is not packed."""


def pack(value: Any) -> bytes:
    """Return a value as bytes; raises `Unpackable`."""
    packer = _Packer()
    try:
        told = orjson.dumps({"value": packer.outline(value), "classes": packer.classes})
    except TypeError as error:  # half a character, or more than 64 bits
        raise Unpackable(str(error)) from None
    head = compressed(b"".join([len(told).to_bytes(LENGTH, "little"), told, *packer.blocks]))
    return b"".join([len(head).to_bytes(LENGTH, "little"), head, *packer.frames])


def class_of(module: str, name: str) -> type | None:
    """Return a class of a module that is loaded and known; `None` where there is none."""
    home = sys.modules.get(module) if module.startswith(HOMES) else None
    found = vars(home).get(name) if home is not None else None
    return found if isinstance(found, type) and found.__module__ == module else None


class _Packer:
    """Outlines values: scalars as they are, all else as a list that begins with what it is."""

    def __init__(self) -> None:
        self.blocks: list[bytes] = []
        self.frames: list[bytes] = []
        self.classes: list[tuple[str, str, tuple[str, ...]]] = []
        self._places: dict[tuple[type, tuple[str, ...]], int] = {}
        self._met: dict[int, int] = {}

    def outline(self, value: Any) -> Any:
        """Return the outline of a value."""
        kind = type(value)
        if kind in _SCALARS:
            return value
        if issubclass(kind, Enum):
            return ["enum", self._class(kind), value.value]
        if kind is tuple:
            return ["tuple", *map(self.outline, value)]
        if issubclass(kind, tuple):
            return ["named", self._class(kind), *map(self.outline, value)]
        if kind is range:
            return ["range", value.start, value.stop, value.step]
        if kind is bytes:
            return ["bytes", self._block(value)]
        if issubclass(kind, str):
            return str(value)  # what else is known of a long text is needed only with its record
        return self._shared(value, kind)

    def _shared(self, value: Any, kind: type) -> Any:
        """Return the outline of what can be changed; where it is met again, its number."""
        if id(value) in self._met:
            return ["again", self._met[id(value)]]
        self._met[id(value)] = len(self._met)
        if kind is dict or kind is Counter:
            return [kind.__name__, self._items([*value]), self._items([*value.values()])]
        if kind is list and len(value) > TEXTS and {*map(type, value)} == {str}:
            return ["texts", len(value), self._framed(frames_of_texts(value))]
        if kind is list or kind is set:
            return [kind.__name__, self._items([*value])]
        if kind is array:
            return self._framed_column(value) if len(value) > ITEMS else ["array", self._column(value)]
        if kind is bytearray:
            return ["bytearray", self._block(bytes(value))]
        fields = _fields(value, kind)
        return ["object", self._class(kind, fields), *(self.outline(getattr(value, name)) for name in fields)]

    def _items(self, values: list[Any]) -> Any:
        """Return the outline of the members of a container."""
        kinds = {*map(type, values)}
        if kinds == {int} and len(values) > _FEW:
            return self._column(_column_of(values))
        if kinds <= _SCALARS:
            return ["plain", values]
        kind = kinds.pop() if len(kinds) == 1 else object
        if not issubclass(kind, tuple) or not values[0] or len({*map(len, values)}) > 1:
            return ["each", *map(self.outline, values)]
        place = None if kind is tuple else self._class(kind)
        return ["rows", place, *(self._items([*column]) for column in zip(*values, strict=True))]

    def _column(self, column: array[int]) -> Any:
        kinds, stored = split(column)
        self.blocks += stored
        return ["column", column.typecode, len(column), kinds]

    def _framed_column(self, column: array[int]) -> Any:
        kinds, frames = frames_of_column(column)
        return ["framed", column.typecode, len(column), kinds, self._framed(frames)]

    def _framed(self, frames: list[bytes]) -> list[int]:
        self.frames += frames
        return [*map(len, frames)]

    def _block(self, data: bytes) -> int:
        self.blocks.append(data)
        return len(data)

    def _class(self, kind: type, fields: tuple[str, ...] = ()) -> int:
        if class_of(kind.__module__, kind.__name__) is not kind:
            raise Unpackable(f"{kind.__module__}.{kind.__qualname__}")
        place = self._places.setdefault((kind, fields), len(self.classes))
        if place == len(self.classes):
            self.classes.append((kind.__module__, kind.__name__, fields))
        return place


def _fields(value: Any, kind: type) -> tuple[str, ...]:
    """Return the attributes of an object."""
    slots = [name for each in kind.__mro__ for name in vars(each).get("__slots__", ()) if hasattr(value, name)]
    return (*slots, *getattr(value, "__dict__", ()))


def _column_of(values: list[int]) -> array[int]:
    try:
        return array("q", values)
    except OverflowError:
        pass
    try:
        return array("Q", values)
    except OverflowError as error:
        raise Unpackable(str(error)) from None
