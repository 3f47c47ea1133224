"""Whether a record has the hash that it says it has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.formats.yoi_walk import chained, message, record, said, start
from tests.properties.laws import VALUES, law
from unspool.formats.yoi_chain import seal_of

SMALL = start("session_start", message("user", 'Zwölf \U0001f680 \u2028 \x7f \x01 \\ " / \n'))


def written(value: dict[str, Any], separators: tuple[str, str] = (",", ":")) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=separators).encode()


def blocks(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def holds(value: dict[str, Any], data: bytes, size: int = 1 << 20) -> bool:
    seal = seal_of(value)
    assert seal is not None
    return seal.holds(blocks(data, size))


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
@pytest.mark.parametrize("value", chained(SMALL, said("x" * 3000), record("extension", payload={"n": 1e-07})))
def test_a_record_as_it_was_written_holds(value: dict[str, Any], size: int) -> None:
    assert holds(value, written(value), size)


@pytest.mark.parametrize("value", chained(SMALL, said("x" * 3000)))
def test_one_changed_byte_does_not(value: dict[str, Any]) -> None:
    assert not holds(value, written(value).replace(b'"ts":1777', b'"ts":1778'))
    assert not holds(value, written(value) + b" ")
    assert not holds({**value, "hash": "0" * 64}, written(value))


def test_a_record_whose_hashes_stand_elsewhere_or_with_blanks_holds_too() -> None:
    first, second = chained(SMALL, said("Hi"))
    for value in (first, second):
        moved = {key: value[key] for key in (*[key for key in value if "hash" not in key], "prev_hash", "hash")}
        assert holds(moved, written(moved))
        assert holds(value, written(value, (", ", ": ")))


@pytest.mark.parametrize("own", ["", "ab", "g" * 64, "0" * 65])
def test_what_is_no_hash_holds_nothing(own: str) -> None:
    assert not holds({"hash": own, "prev_hash": None}, b"{}")
    assert not holds({"hash": "0" * 64, "prev_hash": own}, b"{}")
    assert not holds({"hash": "0" * 64, "prev_hash": 7}, b"{}")


@pytest.mark.parametrize("value", [{}, {"hash": "0" * 64}, {"hash": 7, "prev_hash": None}, {"prev_hash": None}])
def test_a_record_without_both_hashes_is_in_no_chain(value: dict[str, Any]) -> None:
    assert seal_of(value) is None


def test_an_odd_record_too_long_to_be_written_again_is_taken_at_its_word() -> None:
    long = {"hash": "0" * 64, "prev_hash": None, "text": "x" * (9 << 20)}
    assert holds(long, written(long, (", ", ": ")))
    assert not holds(long, written(long))


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), st.integers(1, 400))
@law
def test_whatever_a_record_holds_it_holds_as_written(value: dict[str, Any], size: int) -> None:
    (sealed,) = chained({"kind": "extension", **{key: each for key, each in value.items() if "hash" not in key}})
    assert holds(sealed, written(sealed), size)
