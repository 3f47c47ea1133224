"""`NamedTuple` as in the standard library, at a price that a program of a moment can pay.

The standard one compiles the constructor of each class, and the name of each type, when its module is imported. Here
a constructor is compiled when the first tuple is made. A type checker sees the standard one.

Left out is what nobody uses: the function, generic tuples, `_field_defaults`.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from unspool.dataclass import Deferred, compiled

__all__ = ["NamedTuple"]


def plain_getter_of(at: int, doc: str) -> property:
    """Return what reads a field by its place."""
    return property(itemgetter(at), doc=doc)


try:
    from _collections import _tuplegetter as getter_of  # type: ignore[import-not-found]  # as the standard one takes
except ImportError:
    getter_of = plain_getter_of


class _Made(type):
    """Makes a class of tuples in the place of each class that names fields."""

    def __new__(meta, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
        if not bases:
            return super().__new__(meta, name, bases, namespace)
        fields = tuple(namespace["__annotations__"])
        defaults = {field: namespace[field] for field in fields if field in namespace}
        members = {"__slots__": (), "_fields": fields, "__match_args__": fields, "_defaults": defaults, **_MEMBERS}
        getters = {field: getter_of(at, "") for at, field in enumerate(fields)}
        return type(name, (tuple,), {**members, **namespace, **getters})


def _new(cls: type, name: str) -> Any:
    fields, defaults = cls.__dict__["_fields"], cls.__dict__["_defaults"]
    names: dict[str, Any] = {"make": tuple.__new__, **{f"default_{field}": defaults[field] for field in defaults}}
    parameters = [f"{field}=default_{field}" if field in defaults else field for field in fields]
    values = "".join(f"{field}, " for field in fields)
    return staticmethod(compiled(cls, name, ["cls", *parameters], [f"return make(cls, ({values}))"], names))


def _make(cls: Any, values: Any) -> Any:
    """Return a tuple of these values in order."""
    return cls(*values)


def _replace(self: Any, /, **changes: Any) -> Any:
    """Return another one that differs in some fields."""
    return type(self)(**{**_asdict(self), **changes})


def _asdict(self: Any) -> dict[str, Any]:
    """Return the values by the names of their fields."""
    return dict(zip(self._fields, self, strict=True))


def _repr(self: Any) -> str:
    return f"{type(self).__name__}({', '.join(f'{field}={value!r}' for field, value in _asdict(self).items())})"


def _arguments(self: Any) -> tuple[Any, ...]:
    """Return what a copy or a pickle is made of."""
    return tuple(self)


_MEMBERS: dict[str, Any] = {
    "__new__": Deferred("__new__", _new),
    "__repr__": _repr,
    "__getnewargs__": _arguments,
    "__replace__": _replace,
    "_replace": _replace,
    "_asdict": _asdict,
    "_make": classmethod(_make),
}

if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class NamedTuple(metaclass=_Made):
        """What a class of tuples names as its base, which is `tuple` itself then."""
