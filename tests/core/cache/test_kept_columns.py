"""A column that is kept gives what the whole one gives, and becomes it once most of it is asked for."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.cache.short_frames import shorten_frames
from tests.core.cache.test_planes import COLUMNS
from unspool.cache import frames, kept_columns, planes
from unspool.cache.compressed import compressed
from unspool.cache.frames import Frames, frames_of_column, frames_of_texts
from unspool.cache.kept_columns import FEW, KeptColumn, KeptColumns, KeptVerbatim
from unspool.cache.kept_texts import KeptTexts
from unspool.cache.planes import STORED
from unspool.columns.table import Columns, plane_of
from unspool.columns.verbatim import Verbatim

SLICES = st.builds(slice, *[st.none() | st.integers(-40, 40)] * 2, st.none() | st.integers(1, 3))


def kept(whole: array[int]) -> KeptColumn:
    kinds, packed = frames_of_column(whole)
    return KeptColumn(whole.typecode, len(whole), kinds, Frames([*map(memoryview, packed)]))


@pytest.fixture(autouse=True, scope="module")
def _short_frames() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        shorten_frames(patch, 7)
        yield


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


def test_a_column_as_it_is_now_is_not_written_to() -> None:
    whole = array("I", range(FEW + 5))
    columns = columns_of(flags=kept(whole), tool=array("H", [1, 2]))
    now, tools = columns.as_now("flags"), columns.as_now("tool")
    columns.make_whole()
    columns.flags[3] = columns.tool[1] = 99
    later = columns.as_now("flags")
    columns.flags[3] = 100
    assert (now[3], later[3], tools[1]) == (3, 99, 2)
    assert isinstance(now, KeptColumn)
    assert not now.is_whole


@given(COLUMNS, st.integers(0, 30), st.integers(0, 30))
def test_one_byte_of_each_item_is_told_without_the_items(whole: array[int], start: int, stop: int) -> None:
    start, stop = min(start, stop, len(whole)), min(max(start, stop), len(whole))
    few = kept(whole)
    for number in range(whole.itemsize):
        told = bytes(item >> 8 * number & 0xFF for item in whole[start:stop])
        assert plane_of(few, number, start, stop) == told
        assert plane_of(whole, number, start, stop) == told
    assert not few.is_whole


def test_who_asks_for_few_items_expands_few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    expanded: list[int] = []
    whole = array("Q", range(500))
    few, texts = kept(whole), kept_texts_of([str(item) for item in whole])
    inside = frames.Expanding

    def expanding(data: memoryview) -> frames.Expanding:
        expanded.append(len(data))
        return inside(data)

    monkeypatch.setattr(frames, "Expanding", expanding)
    assert [few[at] for at in (8, 9, 499, 8)] == [8, 9, 499, 8]
    assert [texts[at] for at in (8, 9, 499, 8)] == ["8", "9", "499", "8"]
    assert len(expanded) == 4


def kept_texts_of(texts: list[str]) -> KeptTexts:
    return KeptTexts(len(texts), Frames([*map(memoryview, frames_of_texts(texts))]))


@given(st.lists(st.text(), max_size=20), st.lists(SLICES, max_size=3))
def test_each_text_is_that_of_the_list(whole: list[str], slices: list[slice]) -> None:
    few = kept_texts_of(whole)
    assert [few[at] for at in range(-len(whole), len(whole))] == [*whole, *whole]
    assert [few[each] for each in slices] == [whole[each] for each in slices]
    assert ([*few], few.whole()) == (whole, whole)
    for beyond in (len(whole), -len(whole) - 1):
        with pytest.raises(IndexError):
            few[beyond]


def test_texts_are_a_list_once_they_are_to_be_written_to() -> None:
    columns = columns_of(calls=kept_texts_of([str(number) for number in range(20)]))
    assert columns.calls[19] == "19"
    columns.make_whole()
    columns.calls.append("20")
    assert columns.calls[20] == "20"


def test_where_texts_stand_is_made_when_it_is_asked_for() -> None:
    names = {"starts": "Q", "lengths": "I", "forms": "B"}
    columns = {name: kept(array(typecode, [7] * 30)) for name, typecode in names.items()}
    verbatim = KeptVerbatim({name: getattr(Verbatim(), name) for name in Verbatim.__slots__} | columns)
    verbatim.lengths[3] = 9
    assert [columns[name].is_whole for name in names] == [False, True, False]
    verbatim.reach(31)
    assert ([*verbatim.lengths[:5]], verbatim.starts[30], len(verbatim.forms)) == ([7, 7, 7, 9, 7], 0, 31)
    with pytest.raises(AttributeError):
        verbatim.nothing  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("length", "kinds", "packed"),
    [
        (9, [0] * 7, []), (9, [0] * 8, [b""]), (9, [STORED, *[0] * 7], [b""]), (7, [STORED, *[0] * 7], [b"x"]),
        (7, [STORED, *[0] * 7], [compressed(bytes(6))]), (7, [STORED, *[0] * 7], [compressed(bytes(8))]),
    ],
    ids=["too few planes", "a frame of nothing", "a frame is missing", "no frame", "too short", "too long"],
)  # fmt: skip
def test_what_is_no_column_is_refused(length: int, kinds: list[int], packed: list[bytes]) -> None:
    with pytest.raises(ValueError, match=r"planes|frames|wanted|torn|[Dd]ata|frame"):
        KeptColumn("Q", length, kinds, Frames([*map(memoryview, packed)])).whole()


def test_texts_that_are_more_or_fewer_are_refused() -> None:
    packed = [*map(memoryview, frames_of_texts(["a", "b"]))]
    for length in (1, 3, 8):
        with pytest.raises(ValueError, match=r"texts"):
            KeptTexts(length, Frames(packed)).whole()
