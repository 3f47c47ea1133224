"""A dataclass of ours does what the standard library's does; it only makes its methods later."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from types import ModuleType
from typing import Any, ClassVar

import pytest

import unspool.dataclass as ours

STANDARD = dataclasses
BOTH = pytest.mark.parametrize("module", [STANDARD, ours], ids=["standard", "ours"])


def point(module: ModuleType) -> Any:
    @module.dataclass(frozen=True, slots=True, order=True)
    class Point:
        kind: ClassVar[str] = "point"
        x: int
        y: int = 2
        name: str = module.field(default="", repr=False, compare=False)
        marks: tuple[int, ...] = module.field(default_factory=tuple)

        @property
        def sum(self) -> int:
            return self.x + self.y

    return Point


def box(module: ModuleType) -> Any:
    @module.dataclass
    class Box:
        size: int
        held: list[int] = module.field(default_factory=list)
        label: str = module.field(init=False, default="none")
        twice: int = module.field(init=False)

        def __post_init__(self) -> None:
            self.twice = self.size * 2

    return Box


def colored(module: ModuleType) -> Any:
    @module.dataclass(frozen=True, slots=True)
    class Base:
        x: int
        y: int = 1

    @module.dataclass(frozen=True, slots=True)
    class Colored(Base):
        color: str = "red"

        def __repr__(self) -> str:
            return "coloured"

    return Colored


@BOTH
def test_values_are_equal_hashed_ordered_and_shown_by_their_fields(module: ModuleType) -> None:
    new = point(module)
    assert new(1) == new(1, 2, "other") != new(1, 3)
    assert hash(new(1)) == hash(new(1, 2, "other")) == hash((1, 2, ()))
    assert new(1) < new(1, 3) <= new(1, 3) < new(2, 0) > new(1, 3) >= new(1, 3)
    assert repr(new(1, name="n")).endswith(".Point(x=1, y=2, marks=())")
    assert new(1) != (1, 2, "", ())
    assert new(1).sum == 3
    assert new.kind == "point"
    with pytest.raises(TypeError):
        assert new(1) < 1


@BOTH
def test_a_frozen_one_refuses_to_change(module: ModuleType) -> None:
    value = point(module)(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del value.x
    assert value.x == 1
    assert not hasattr(value, "__dict__")


@BOTH
def test_fields_have_defaults_and_those_that_are_not_given_are_made(module: ModuleType) -> None:
    new = box(module)
    one, other = new(3), new(3)
    one.held.append(1)
    assert (other.held, other.label, other.twice) == ([], "none", 6)
    assert one != other
    with pytest.raises(TypeError):
        hash(one)
    for wrong in ({}, {"size": 1, "label": "x"}, {"size": 1, "other": 1}):
        with pytest.raises(TypeError):
            new(**wrong)


@BOTH
def test_fields_are_inherited_and_methods_of_ones_own_stay(module: ModuleType) -> None:
    new = colored(module)
    assert (new(1).x, new(1, 2, "blue").color) == (1, "blue")
    assert new(1) != new.__mro__[1](1)
    assert new.__slots__ == ("color",)
    assert repr(new(1)) == "coloured"


@BOTH
def test_another_one_differs_in_what_is_named(module: ModuleType) -> None:
    value = point(module)(1, name="n")
    assert module.replace(value, y=9) == point_like(value, y=9)
    assert module.replace(value, y=9).name == "n"
    assert sys.version_info < (3, 13) or value.__replace__(y=9) == module.replace(value, y=9)
    with pytest.raises(TypeError):
        module.replace(value, nothing=1)


def point_like(value: Any, **changes: Any) -> Any:
    return type(value)(**{"x": value.x, "y": value.y, "name": value.name, "marks": value.marks, **changes})


@BOTH
def test_copies_are_equal(module: ModuleType) -> None:
    value = point(module)(1, marks=(1, 2))
    assert copy.copy(value) == value == copy.deepcopy(value)
    held = box(module)(2, [1])
    assert copy.deepcopy(held) == held
    assert copy.deepcopy(held).held is not held.held


def test_a_value_can_be_pickled() -> None:
    value = Kept(1, (2,))
    assert pickle.loads(pickle.dumps(value)) == value


@BOTH
def test_what_it_takes_is_told(module: ModuleType) -> None:
    assert list(inspect.signature(point(module)).parameters) == ["x", "y", "name", "marks"]
    assert [each.name for each in dataclasses.fields(box(module))] == ["size", "held", "label", "twice"]
    assert dataclasses.asdict(point(module)(1)) == {"x": 1, "y": 2, "name": "", "marks": ()}
    match point(module)(1):
        case object(x=1, y=y):
            assert y == 2
        case other:
            pytest.fail(repr(other))


def test_a_method_is_made_when_it_is_asked_for_and_a_constructor_for_more_than_a_few() -> None:
    new = point(ours)
    before = dict(vars(new))
    assert new(1) == new(1)
    assert changed(new, before) == {"__eq__"}
    assert [new(number).x for number in range(20)] == [*range(20)]
    assert changed(new, before) == {"__eq__", "__init__"}


def changed(new: Any, before: dict[str, Any]) -> set[str]:
    return {name for name in ("__init__", "__eq__", "__hash__", "__lt__") if vars(new)[name] is not before[name]}


@pytest.mark.parametrize("made", [0, 20], ids=["first", "compiled"])
def test_the_first_objects_are_made_as_all_others_are(made: int) -> None:
    new, plain = box(ours), point(ours)
    for number in range(made):
        new(number)
        plain(number)
    for wrong in ((), (1, [], 2)):
        with pytest.raises(TypeError):
            new(*wrong)
    for named in ({}, {"size": 1, "label": "x"}, {"size": 1, "other": 1}, {"held": []}):
        with pytest.raises(TypeError):
            new(**named)
    with pytest.raises(TypeError):
        new(1, size=2)
    one = new(3, held=[1])
    assert (one.size, one.held, one.label, one.twice) == (3, [1], "none", 6)
    assert plain(1, marks=(2,)) == plain(1, 2, "", (2,))
    with pytest.raises(dataclasses.FrozenInstanceError):
        plain(1).x = 2


def test_a_constructor_of_ones_own_may_call_the_one_of_its_base() -> None:
    class Named(box(ours)):  # type: ignore[misc]  # made as the test runs
        def __init__(self, name: str) -> None:
            super().__init__(4)
            self.name = name

    assert [(each.name, each.twice) for each in map(Named, "abc")] == [("a", 8), ("b", 8), ("c", 8)]


def test_a_class_costs_no_import_of_what_is_not_needed() -> None:
    code = "from unspool.dataclass import dataclass; import sys; sys.exit('dataclasses' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@ours.dataclass(frozen=True, slots=True)
class Kept:
    a: int
    b: tuple[int, ...] = ()
