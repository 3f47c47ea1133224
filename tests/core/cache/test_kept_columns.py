"""A column that is kept gives what the whole one gives, and becomes it once most of it is asked for."""

from __future__ import annotations

from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.cache.test_planes import COLUMNS
from unspool.cache import kept_columns, planes
from unspool.cache.kept_columns import FEW, KeptColumn, KeptColumns, column
from unspool.cache.planes import split
from unspool.columns.table import Columns

SLICES = st.builds(slice, *[st.none() | st.integers(-40, 40)] * 2, st.none() | st.integers(1, 3))


def kept(whole: array[int]) -> KeptColumn:
    kinds, stored = split(whole)
    return KeptColumn(whole.typecode, len(whole), kinds, memoryview(b"".join(stored)))


@given(COLUMNS, st.lists(SLICES, max_size=3))
def test_each_item_and_each_stretch_is_that_of_the_whole(whole: array[int], slices: list[slice]) -> None:
    few = kept(whole)
    assert len(few) == len(whole)
    assert [few[at] for at in range(-len(whole), len(whole))] == [*whole, *whole]
    assert [few[each] for each in slices] == [whole[each] for each in slices]
    assert not few.is_whole
    for beyond in (len(whole), -len(whole) - 1):
        with pytest.raises(IndexError):
            few[beyond]
    assert few.whole() == whole
    assert ([*few], few[:]) == ([*whole], whole)


class Meanwhile(int):
    """A place at which somebody else asks for the whole column while its item is looked for."""

    column: KeptColumn

    def __ge__(self, other: int) -> bool:
        self.column.whole()
        return super().__ge__(other)


def test_an_item_is_found_while_somebody_else_makes_all() -> None:
    whole = array("Q", range(FEW + 5))
    at = Meanwhile(7)
    at.column = kept(whole)
    assert at.column[at] == 7
    assert at.column.is_whole


def test_two_who_make_all_at_once_get_the_same_array(monkeypatch: pytest.MonkeyPatch) -> None:
    few = kept(array("Q", range(FEW + 5)))
    others: list[array[int]] = []

    def join(*told: Any) -> array[int]:
        if not others:
            others.append(array("Q"))  # so that the other one is asked once
            others.append(few.whole())
        return planes.join(*told)

    monkeypatch.setattr(kept_columns, "join", join)
    made = few.whole()
    assert made is others[-1]
    assert made is few.whole()


def columns_of(**told: Any) -> KeptColumns:
    return KeptColumns({name: getattr(Columns(), name) for name in Columns.__slots__} | told)


def kept_of(columns: Columns) -> object:
    return columns.bytes


def test_who_asks_for_many_items_gets_an_array_in_the_place_of_the_column() -> None:
    whole = array("Q", range(FEW + 5))
    columns = columns_of(bytes=kept(whole))
    assert [columns.bytes[at] for at in range(9)] == [*range(9)]
    assert isinstance(kept_of(columns), KeptColumn)
    assert [columns.bytes[at] for at in range(len(whole))] == [*whole]
    assert isinstance(kept_of(columns), array)
    with pytest.raises(AttributeError):
        columns.nothing  # noqa: B018


def test_a_twin_writes_sizes_of_its_own_and_nobody_elses() -> None:
    whole = array("Q", range(FEW + 5))
    columns = columns_of(bytes=kept(whole), flags=kept(array("I", whole)))
    twin = columns.resized()
    assert isinstance(twin, KeptColumns)
    twin.make_whole()
    twin.bytes[3] = 99
    assert (columns.bytes[3], twin.bytes[3], twin.flags[3]) == (3, 99, 3)


@pytest.mark.parametrize(("typecode", "length"), [("Q", FEW), ("H", FEW + 5)])
def test_what_is_short_or_narrow_is_whole_at_once(typecode: str, length: int) -> None:
    kinds, stored = split(array(typecode, [7]) * length)
    assert column(typecode, length, kinds, memoryview(b"".join(stored))) == array(typecode, [7]) * length


def test_kinds_of_no_column_are_refused() -> None:
    with pytest.raises(ValueError, match="7 planes"):
        column("Q", kept_columns.FEW + 1, [0] * 7, memoryview(b""))
