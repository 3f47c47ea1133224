"""A named tuple of ours does what the standard library's does; it only makes its constructor later."""

from __future__ import annotations

import copy
import pickle
import typing
from types import ModuleType
from typing import Any

import pytest

import unspool.named_tuple as ours

BOTH = pytest.mark.parametrize("module", [typing, ours], ids=["standard", "ours"])


def point(module: ModuleType) -> Any:
    class Point(module.NamedTuple):  # type: ignore[misc, name-defined]  # one base or the other
        """A place."""

        x: int
        y: int = 2
        marks: tuple[str, ...] = ()

        @property
        def sum(self) -> int:
            return self.x + self.y

    return Point


class Kept(ours.NamedTuple):
    a: int
    b: str = "b"


@BOTH
def test_it_is_a_tuple_of_its_fields(module: ModuleType) -> None:
    new = point(module)
    value = new(1, marks=("m",))
    assert value == (1, 2, ("m",))
    assert (value.x, value.y, value.marks, value.sum) == (1, 2, ("m",), 3)
    assert isinstance(value, tuple)
    assert hash(value) == hash((1, 2, ("m",)))
    assert new.__mro__ == (new, tuple, object)
    assert new._fields == new.__match_args__ == ("x", "y", "marks")
    assert new.__doc__ == "A place."
    assert not hasattr(value, "__dict__")
    with pytest.raises(AttributeError):
        value.x = 3


@BOTH
def test_what_is_missing_or_too_much_is_refused(module: ModuleType) -> None:
    new = point(module)
    for wrong in ((), (1, 2, (), 4)):
        with pytest.raises(TypeError):
            new(*wrong)
    with pytest.raises(TypeError):
        new(1, nothing=1)
    with pytest.raises(TypeError):
        new._make([])


@BOTH
def test_another_one_differs_in_what_is_named(module: ModuleType) -> None:
    value = point(module)(1)
    assert value._replace(y=9) == (1, 9, ())
    assert type(value._replace(y=9)) is type(value)
    assert type(value)._make([4, 5, ()]) == (4, 5, ())
    assert value._asdict() == {"x": 1, "y": 2, "marks": ()}
    with pytest.raises((TypeError, ValueError)):
        value._replace(nothing=1)


@BOTH
def test_it_is_shown_by_its_fields(module: ModuleType) -> None:
    assert repr(point(module)(1)) == "Point(x=1, y=2, marks=())"
    match point(module)(1):
        case object(x=1, y=y):
            assert y == 2
        case other:
            pytest.fail(repr(other))


def test_it_can_be_copied_and_pickled() -> None:
    value = Kept(1)
    for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert type(twin) is Kept
        assert twin == value == (1, "b")


def test_what_takes_the_place_of_a_class_made_in_c_does_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "getter_of", ours.plain_getter_of)
    value = point(ours)(1)
    assert (value.x, value.y, value.marks, value.sum) == (1, 2, (), 3)


def test_its_constructor_is_made_when_it_is_asked_for() -> None:
    new = point(ours)
    before = vars(new)["__new__"]
    assert new(1) == new(1)
    assert vars(new)["__new__"] is not before
