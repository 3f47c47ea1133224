"""Values from the bytes that `pack` made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final

import orjson

from unspool.cache.compressed import Expanding
from unspool.cache.frames import Frames
from unspool.cache.kept_columns import KeptColumn
from unspool.cache.kept_texts import KeptTexts
from unspool.cache.packing import LENGTH, class_of
from unspool.cache.planes import STORED, join

MISFITS: Final = (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError)
"""What is raised for bytes that were never packed."""


def unpack(packed: bytes | memoryview, *, lazily: bool = False) -> Any:
    """Return the value that was packed; raises one of `MISFITS` for what no `pack` has written.

    What stands in frames is made `lazily`, of `KeptColumn` and `KeptTexts`, or at once.
    """
    view = memoryview(packed)
    behind = LENGTH + int.from_bytes(view[:LENGTH], "little")
    source = Expanding(view[LENGTH:behind])
    outline = orjson.loads(source.take(int.from_bytes(source.take(LENGTH), "little")))
    unpacker = _Unpacker(source, view[behind:], outline["classes"], lazily=lazily)
    value = unpacker.value(outline["value"])
    source.end()
    if unpacker.framed:
        raise ValueError("it goes on behind its frames")
    return value


class _Unpacker:
    """Makes values of their outlines; their bytes come from a source one behind the other.

    What can be changed is noted in `met` before its members are made, as they may name it.
    """

    def __init__(
        self, source: Expanding, framed: memoryview, classes: list[tuple[str, str, list[str]]], *, lazily: bool
    ) -> None:
        self.met: list[Any] = []
        self.taken = source.take
        self.framed = framed
        self.lazily = lazily
        self._classes = [(class_of(module, name), fields) for module, name, fields in classes]

    def value(self, outline: Any) -> Any:
        """Return the value of an outline."""
        return _KINDS[outline[0]](self, *outline[1:]) if type(outline) is list else outline

    def values(self, outlines: tuple[Any, ...]) -> list[Any]:
        """Return the values of several outlines, in order."""
        return [self.value(each) for each in outlines]

    def noted(self, value: Any) -> Any:
        """Note what can be changed, and return it."""
        self.met.append(value)
        return value

    def planes(self, length: int, kinds: list[int]) -> memoryview:
        """Take those planes of a column that are stored."""
        return memoryview(self.taken(length * kinds.count(STORED)))

    def frames(self, sizes: list[int]) -> Frames:
        """Take frames of these sizes."""
        frames, begin = list[memoryview](), 0
        for size in sizes:
            frames.append(self.framed[begin : begin + size])
            begin += size
        self.framed = self.framed[begin:]
        return Frames(frames)

    def known(self, place: int, base: type) -> tuple[Any, list[str]]:
        """Return a class that is a `base`, and its attributes."""
        found, fields = self._classes[place]
        if found is None or not issubclass(found, base):
            raise ValueError("no such class")
        return found, fields


def _column(unpacker: _Unpacker, typecode: str, length: int, kinds: list[int]) -> Any:
    return join(typecode, length, kinds, unpacker.planes(length, kinds))


def _array(unpacker: _Unpacker, outline: Any) -> Any:
    kind, typecode, length, kinds = outline
    if kind != "column":
        raise ValueError("an array that is no column")
    return unpacker.noted(join(typecode, length, kinds, unpacker.planes(length, kinds)))


def _framed(unpacker: _Unpacker, typecode: str, length: int, kinds: list[int], sizes: list[int]) -> Any:
    column = KeptColumn(typecode, length, kinds, unpacker.frames(sizes))
    return unpacker.noted(column if unpacker.lazily else column.whole())


def _texts(unpacker: _Unpacker, length: int, sizes: list[int]) -> Any:
    texts = KeptTexts(length, unpacker.frames(sizes))
    return unpacker.noted(texts if unpacker.lazily else texts.whole())


def _bytearray(unpacker: _Unpacker, length: int) -> Any:
    return unpacker.noted(bytearray(unpacker.taken(length)))


def _list(unpacker: _Unpacker, outline: Any) -> Any:
    made: list[Any] = unpacker.noted([])
    made += unpacker.value(outline)
    return made


def _set(unpacker: _Unpacker, outline: Any) -> Any:
    made: set[Any] = unpacker.noted(set())
    made.update(unpacker.value(outline))
    return made


def _dict(unpacker: _Unpacker, keys: Any, values: Any) -> Any:
    made: dict[Any, Any] = unpacker.noted({})
    made.update(zip(unpacker.value(keys), unpacker.value(values), strict=True))
    return made


def _counter(unpacker: _Unpacker, keys: Any, values: Any) -> Any:
    made: Counter[Any] = unpacker.noted(Counter())
    dict.update(made, zip(unpacker.value(keys), unpacker.value(values), strict=True))
    return made


def _named(unpacker: _Unpacker, place: int, *outlines: Any) -> Any:
    return tuple.__new__(unpacker.known(place, tuple)[0], unpacker.values(outlines))


def _rows(unpacker: _Unpacker, place: int | None, *columns: Any) -> Any:
    kind = tuple if place is None else unpacker.known(place, tuple)[0]
    return [tuple.__new__(kind, row) for row in zip(*unpacker.values(columns), strict=True)]


def _enum(unpacker: _Unpacker, place: int, value: Any) -> Any:
    return unpacker.known(place, Enum)[0](value)


def _object(unpacker: _Unpacker, place: int, *outlines: Any) -> Any:
    kind, fields = unpacker.known(place, object)
    made = unpacker.noted(object.__new__(kind))
    for name, value in zip(fields, unpacker.values(outlines), strict=True):
        object.__setattr__(made, name, value)
    return made


_KINDS: Final[Mapping[str, Callable[..., Any]]] = {
    "again": lambda unpacker, number: unpacker.met[number],
    "array": _array,
    "bytearray": _bytearray,
    "bytes": lambda unpacker, length: unpacker.taken(length),
    "column": _column,
    "Counter": _counter,
    "dict": _dict,
    "each": lambda unpacker, *outlines: unpacker.values(outlines),
    "enum": _enum,
    "framed": _framed,
    "list": _list,
    "named": _named,
    "object": _object,
    "plain": lambda unpacker, values: values,
    "range": lambda unpacker, *bounds: range(*bounds),
    "rows": _rows,
    "set": _set,
    "texts": _texts,
    "tuple": lambda unpacker, *outlines: tuple(unpacker.values(outlines)),
}
"""How a value is made, by what its outline begins with."""
