"""`dataclass` as in the standard library, at a price that a program of a moment can pay.

The standard one compiles half a dozen methods of each class when its module is imported, and brings `inspect` with
it. Here a method is compiled when it is first asked for, and the constructor when some objects were made without: of
most classes a short run makes few. A type checker sees the standard one; `dataclasses.fields`,
and whoever else asks for `__dataclass_fields__`, finds them.

Left out is what nobody uses: frozen classes without slots, `kw_only`, `InitVar`, `unsafe_hash`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn

__all__ = ["Deferred", "compiled", "dataclass", "field", "replace"]

_FIELDS: Final = "__unspool_fields__"
_MISSING: Final = object()
_FEW: Final = 16
"""Objects of a class that are made without a compiled constructor, which takes as long to compile as thirty."""

_SIGNS: Final = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


class _Field:
    """What is said of a field beside its type."""

    __slots__ = ("compare", "default", "default_factory", "init", "repr")

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        init: bool = True,
        repr: bool = True,  # noqa: A002 - the standard library's word
        compare: bool = True,
    ) -> None:
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.compare = init, repr, compare


class Deferred:
    """A member of classes that is made when it is first asked for, and then stands in this one's place."""

    __slots__ = ("_make", "_name")

    def __init__(self, name: str, make: Callable[[type, str], Any]) -> None:
        self._name, self._make = name, make

    def __get__(self, instance: object, owner: type) -> Any:
        for cls in owner.__mro__:
            if cls.__dict__.get(self._name) is self:
                setattr(cls, self._name, self._make(cls, self._name))
        return getattr(owner if instance is None else instance, self._name)


class _Constructor(Deferred):
    """The constructor of classes: compiled for one of which there are more than a few objects."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        super().__init__("__init__", _init)
        self._made: dict[type, int] = {}

    def __get__(self, instance: object, owner: type) -> Any:
        made = self._made.get(owner, 0)
        own = next(cls.__dict__["__init__"] for cls in owner.__mro__ if "__init__" in cls.__dict__)
        if instance is None or made == _FEW or own is not self:
            return super().__get__(instance, owner)
        self._made[owner] = made + 1
        return partial(_fill, instance)


def _fill(self: Any, /, *given: Any, **named: Any) -> None:
    """Set the fields of an object one by one."""
    cls, left = type(self), iter(given)
    put = object.__setattr__ if cls.__setattr__ is _refuse else setattr
    for name, each in _fields_of(cls).items():
        value = next(left, _MISSING) if each.init else _MISSING
        value = named.pop(name, _MISSING) if value is _MISSING and each.init else value
        if value is _MISSING:
            value = each.default if each.default_factory is _MISSING else each.default_factory()
        if value is not _MISSING:
            put(self, name, value)
        elif each.init:
            raise TypeError(f"{cls.__qualname__}.__init__() misses {name!r}")
    if named or next(left, _MISSING) is not _MISSING:
        raise TypeError(f"{cls.__qualname__}.__init__() takes no {next(iter(named), 'more')!r}")
    if hasattr(cls, "__post_init__"):
        self.__post_init__()


def _dataclass(
    cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True, order: bool = False
) -> Any:
    """Return the class, with the members that its fields ask for; those that it has of its own stay."""

    def made(cls: type) -> type:
        own = _own_fields(cls)
        fields = _fields_of(cls) | own
        members: dict[str, Any] = {
            _FIELDS: fields,
            "__match_args__": tuple(name for name, each in fields.items() if each.init),
            "__replace__": _replace,
            "__repr__": _repr,
            **_DEFERRED,
        }
        if eq:
            members |= {"__eq__": _EQUAL, "__hash__": _HASH if frozen else None}
        if order:
            members |= _ORDER
        if frozen:
            members |= {"__setattr__": _refuse, "__delattr__": _refuse, "__setstate__": _restore}
        return _with_slots(cls, members, own) if slots else _filled(cls, members, own)

    return made if cls is None else made(cls)


def _replace(value: Any, /, **changes: Any) -> Any:
    """Return another one that differs in some fields."""
    kept = {name: getattr(value, name) for name in value.__match_args__ if name not in changes}
    return type(value)(**kept, **changes)


def _own_fields(cls: type) -> dict[str, _Field]:
    fields = {}
    for name, annotation in cls.__annotations__.items():
        if not annotation.startswith("ClassVar"):
            default = cls.__dict__.get(name, _MISSING)
            fields[name] = default if isinstance(default, _Field) else _Field(default=default)
    return fields


def _fields_of(cls: type) -> dict[str, _Field]:
    """Return the fields of a class that has been made, or those that one inherits that is being made."""
    fields: dict[str, _Field] = getattr(cls, _FIELDS, {})
    return fields


def _with_slots(cls: type, members: dict[str, Any], own: Iterable[str]) -> type:
    """Return a class in the place of this one that has a slot for each field."""
    namespace = {**members, **cls.__dict__, "__qualname__": cls.__qualname__}
    for name in (*own, "__dict__", "__weakref__"):
        namespace.pop(name, None)
    namespace["__slots__"] = tuple(own)
    return type(cls)(cls.__name__, cls.__bases__, namespace)


def _filled(cls: type, members: dict[str, Any], own: dict[str, _Field]) -> type:
    """Return this class, which keeps the defaults of its fields as its own attributes."""
    for name, member in members.items():
        if name not in cls.__dict__:
            setattr(cls, name, member)
    for name, each in own.items():
        if cls.__dict__.get(name) is each:
            delattr(cls, name)
            if each.default is not _MISSING:
                setattr(cls, name, each.default)
    return cls


def _init(cls: type, name: str) -> Callable[..., None]:
    names: dict[str, Any] = {"missing": _MISSING}
    parameters, lines = ["self"], []
    for field, each in _fields_of(cls).items():
        value, parameter = field, field
        if each.default is not _MISSING:
            names[f"default_{field}"] = each.default
            value, parameter = (field if each.init else f"default_{field}"), f"{field}=default_{field}"
        elif each.default_factory is not _MISSING:
            names[f"make_{field}"] = each.default_factory
            made = f"make_{field}()"
            value, parameter = (f"{made} if {field} is missing else {field}" if each.init else made), f"{field}=missing"
        elif not each.init:
            continue
        parameters += [parameter] if each.init else []
        if cls.__setattr__ is _refuse:
            names[f"put_{field}"] = getattr(cls, field).__set__  # of the slot
            lines.append(f"put_{field}(self, {value})")
        else:
            lines.append(f"self.{field} = {value}")
    lines += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    return compiled(cls, name, parameters, lines or ["pass"], names)


def _comparison(cls: type, name: str) -> Callable[..., None]:
    answer = f"return {_compared(cls, 'self')} {_SIGNS[name]} {_compared(cls, 'other')}"
    return compiled(
        cls, name, ["self", "other"], ["if other.__class__ is self.__class__:", f" {answer}", "return NotImplemented"]
    )


def _hash(cls: type, name: str) -> Callable[..., None]:
    return compiled(cls, name, ["self"], [f"return hash({_compared(cls, 'self')})"])


def _compared(cls: type, of: str) -> str:
    return f"({''.join(f'{of}.{name}, ' for name, each in _fields_of(cls).items() if each.compare)})"


def compiled(
    cls: type, name: str, parameters: Iterable[str], lines: Iterable[str], names: dict[str, Any] | None = None
) -> Callable[..., None]:
    """Return a method of a class, made of its lines; `names` are those that they use."""
    names = {} if names is None else names
    exec("\n ".join([f"def {name}({', '.join(parameters)}):", *lines]), names)
    made: Callable[..., None] = names[name]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.{name}", cls.__module__
    return made


def _standard_fields(cls: type, _: str) -> Any:
    """Return the fields as the standard library knows them."""
    import dataclasses

    types: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        types |= getattr(base, "__annotations__", {})
    told = []
    for name, each in _fields_of(cls).items():
        said = {word: getattr(each, word) for word in _Field.__slots__ if getattr(each, word) is not _MISSING}
        told.append((name, types[name], dataclasses.field(**said)))
    return vars(dataclasses.make_dataclass(cls.__name__, told, kw_only=True))["__dataclass_fields__"]


def _repr(self: Any) -> str:
    shown = (f"{name}={getattr(self, name)!r}" for name, each in _fields_of(type(self)).items() if each.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot change field {name!r}")


def _restore(self: object, state: tuple[None, dict[str, Any]]) -> None:
    """Take what a copy or a pickle holds."""
    for name, value in state[1].items():
        object.__setattr__(self, name, value)


_DEFERRED: Final = {
    "__init__": _Constructor(),
    "__dataclass_fields__": Deferred("__dataclass_fields__", _standard_fields),
}
_EQUAL: Final = Deferred("__eq__", _comparison)
_HASH: Final = Deferred("__hash__", _hash)
_ORDER: Final = {name: Deferred(name, _comparison) for name in ("__lt__", "__le__", "__gt__", "__ge__")}

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:
    dataclass, field, replace = _dataclass, _Field, _replace
