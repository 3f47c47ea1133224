"""Values as bytes and back: what is shared stays shared, nothing is run, and what was never packed is refused."""

from __future__ import annotations

import contextlib
import pickle
import threading
from array import array
from collections import Counter
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unspool.cache.compressed import LARGEST, Expanding, compressed
from unspool.cache.frames import ITEMS, TEXTS
from unspool.cache.packing import LENGTH, Unpackable, pack
from unspool.cache.unpacking import MISFITS, unpack
from unspool.columns.chain import BrokenLink
from unspool.formats.codex_twins import Record, Words
from unspool.formats.facts import Facts, Usage
from unspool.sources.json_value import Clipped

HASHABLE = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(1 << 63), (1 << 63) - 1),
        st.text(),
        st.binary(),
        st.sampled_from((Record.ITEM, Record.ITEM | Record.EVENT, range(3, 9, 2))),
        st.builds(Words, st.integers(0, 1 << 62), st.none()),
        st.builds(BrokenLink, st.integers(0, 9), st.integers(0, 9), st.just(1), st.just("order")),
    ),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=6,
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    HASHABLE | st.builds(lambda used: Facts(usage=used, models={"m": 1}), st.builds(Usage, st.integers(0, 99))),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(st.integers(-(1 << 63), (1 << 63) - 1), min_size=9, max_size=12),
        st.dictionaries(HASHABLE, inner, max_size=4),
        st.sets(HASHABLE, max_size=4),
        st.sets(st.integers(0, (1 << 64) - 1), min_size=9, max_size=12),
        st.dictionaries(st.text(), st.integers(0, 9), max_size=12).map(Counter),
        st.binary().map(bytearray),
        st.lists(st.integers(0, 255), max_size=9).map(lambda values: array("B", values)),
    ),
    max_leaves=12,
)


def expanded(data: bytes) -> bytes:
    """All bytes that were compressed."""
    source, taken = Expanding(data), list[bytes]()
    with contextlib.suppress(ValueError):
        while True:
            taken.append(source.take(1))
    source.end()
    return b"".join(taken)


def again(value: Any) -> Any:
    """A value, packed and unpacked."""
    return unpack(pack(value))


@given(VALUES)
def test_a_value_comes_back(value: Any) -> None:
    found = again(value)
    assert found == value
    assert repr(found) == repr(value) or isinstance(value, (set, dict, list, tuple)), "and is of the same kind"


def test_what_is_shared_stays_shared() -> None:
    shared: dict[str, str] = {}
    every: list[Any] = [shared, [shared], shared]
    every.append(every)
    found = again(every)
    found[0]["a"] = "b"
    assert (found[1][0], found[2], found[3] is found) == ({"a": "b"}, {"a": "b"}, True)


def test_the_head_of_a_long_text_comes_back_as_a_text() -> None:
    assert again([Clipped.of("head", (0, 9_000_000))]) == ["head"]


@pytest.mark.parametrize(
    "value",
    [threading.Lock(), print, lambda: None, object, 1.5, 1 << 70, "\ud800", [1 << 70] * 9, memoryview(b"")],
    ids=["lock", "builtin", "function", "class", "float", "number", "half a character", "numbers", "memory"],
)
def test_what_is_no_plain_value_is_not_packed(value: object) -> None:
    with pytest.raises(Unpackable):
        pack(value)


def packed(head: bytes, frames: bytes = b"") -> bytes:
    """Bytes behind the length of their head."""
    return len(head).to_bytes(LENGTH, "little") + head + frames


def head_of(data: bytes) -> bytes:
    """The head of what was packed, expanded."""
    return expanded(data[LENGTH : LENGTH + int.from_bytes(data[:LENGTH], "little")])


def outlined(value: Any, *classes: tuple[str, str, list[str]]) -> bytes:
    """Bytes that nobody packed, with an outline of their own."""
    told = orjson.dumps({"value": value, "classes": classes})
    return packed(compressed(len(told).to_bytes(LENGTH, "little") + told))


@pytest.mark.parametrize("kind", ["enum", "named", "object"])
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("os", "system"), ("builtins", "eval"), ("subprocess", "Popen"), ("unspool.blobs.files", "FileBlobStore"),
        ("unspool.formats.codex_twins", "blake2b"), ("unspool.sources.jsonl", "os"), ("unspool.formats.none", "None"),
    ],
)  # fmt: skip
def test_what_is_no_class_of_a_session_is_not_made(kind: str, module: str, name: str) -> None:
    with pytest.raises(MISFITS):
        unpack(outlined([kind, 0, "echo"], (module, name, ["args"])))


def test_no_class_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Facts, "__init__", lambda *_: pytest.fail("called"))
    with pytest.raises(MISFITS):
        unpack(outlined(["enum", 0, "x"], ("unspool.formats.facts", "Facts", [])))
    assert unpack(outlined(["object", 0, "x"], ("unspool.formats.facts", "Facts", ["cwd"]))).cwd == "x"


@given(st.binary(max_size=60), VALUES, st.integers(0, 10_000))
def test_bytes_that_nobody_packed_are_refused_or_are_a_value(noise: bytes, value: Any, place: int) -> None:
    whole = pack(value)
    for data in (whole, head_of(whole)):
        cut = place % len(data)
        for damaged in (noise, data[:cut], data[:cut] + noise + data[cut + len(noise) :], pickle.dumps([1, 2])):
            with contextlib.suppress(*MISFITS):
                unpack(damaged if data is whole else packed(compressed(damaged)))


def test_what_is_left_over_or_missing_at_the_end_is_refused() -> None:
    whole = pack([1, "two", bytes(100)])
    heads = compressed(head_of(whole) + b"x"), compressed(head_of(whole)[:-1])
    for damaged in (whole[:-1], whole + b"x", *map(packed, heads)):
        with pytest.raises(ValueError, match=r"torn|wanted|goes on"):
            unpack(damaged)


@pytest.mark.parametrize("lazily", [False, True])
def test_long_columns_and_lists_come_back_from_frames(*, lazily: bool) -> None:
    column, texts = array("q", range(-9, 2 * ITEMS)), [str(number) for number in range(2 * TEXTS + 1)]
    both = unpack(pack([column, texts, column, "end"]), lazily=lazily)
    assert ([*both[0]], [*both[1]], both[3]) == ([*column], texts, "end")
    assert both[2] is both[0], "what is shared stays shared"
    assert (both[0] == column, both[1] == texts) == (not lazily, not lazily)


def test_frames_that_are_damaged_are_refused_when_all_of_them_are_made() -> None:
    data = pack([array("q", range(ITEMS + 1)), [str(number) for number in range(TEXTS + 1)]])
    for at in range(len(data) - len(data) // 4, len(data), 97):
        damaged = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
        with contextlib.suppress(*MISFITS):
            assert len(unpack(damaged)[0]) == ITEMS + 1
    with pytest.raises(ValueError, match=r"torn|wanted|goes on"):
        unpack(data[:-1])


def test_no_more_is_expanded_than_columns_may_take() -> None:
    with pytest.raises(ValueError, match="holds more"):
        Expanding(compressed(b"x")).take(LARGEST + 1)
