"""JSON values: one meaning, whatever decodes them and however they arrive."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import UUID

import orjson
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.properties.laws import TEXT, VALUES, law
from unspool.sources.json_parser import DEPTH_LIMIT, Parser, parse
from unspool.sources.json_text import Number
from unspool.sources.json_value import BadJson, compact, inexact, leaves, loads, loads_exact

WRITERS = (
    lambda value: json.dumps(value).encode(),
    lambda value: json.dumps(value, ensure_ascii=False).encode(),
    lambda value: json.dumps(value, indent=2).encode(),
    orjson.dumps,
)
SCRAPS = (
    '{|}|[|]|,|:|"|\\|\\u|d83d|\\ude00|\\n|\\x|-|0|12|.|5|e|+|true|nul|NaN|Infinity| |\n|\0|a|é|{"a":|"b"|1e400|\ufeff'
)
JSONISH = st.lists(st.sampled_from(SCRAPS.split("|")), max_size=14).map("".join).map(str.encode)
ODD = st.one_of(JSONISH, st.binary(max_size=12), JSONISH.map(b'{"k":[%s]}'.__mod__))


def outcome(decode: Callable[[bytes], Any], data: bytes) -> tuple[object, ...]:
    """Return what came of decoding, comparable: the value, or why and where it was refused."""
    try:
        return "value", repr(decode(data))
    except BadJson as refused:
        return "refused", refused.reason, refused.pos
    except (ValueError, RecursionError):
        return ("refused",)


def exact_numbers(data: bytes) -> Any:
    """Decode by the standard library with every number as its text."""
    return json.loads(data.decode("utf-8-sig"), parse_int=str, parse_float=str, parse_constant=str)


def texts_of_numbers(value: Any) -> Any:
    """Replace the numbers of a value by the text they would be written as."""
    if isinstance(value, dict):
        return {key: texts_of_numbers(member) for key, member in value.items()}
    if isinstance(value, list):
        return [texts_of_numbers(member) for member in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return compact(value)
    return str(value) if isinstance(value, Number) else value


@law
@given(VALUES, st.sampled_from(WRITERS))
def test_the_tolerant_path_agrees_with_orjson(value: Any, write: Any) -> None:
    data = write(value)
    assert parse(data) == orjson.loads(data) == loads(data)


@law
@given(ODD)
def test_what_orjson_or_json_accepts_is_accepted_alike(data: bytes) -> None:
    if outcome(orjson.loads, data)[0] == "value":
        assert texts_of_numbers(parse(data, exact=True)) == exact_numbers(data)
    if b"\\u" not in data and outcome(lambda data: json.loads(data.decode("utf-8-sig")), data)[0] == "value":
        assert texts_of_numbers(parse(data, exact=True)) == exact_numbers(data)


@law
@given(VALUES, st.sampled_from(WRITERS))
def test_numbers_are_kept_as_they_are_written(value: Any, write: Any) -> None:
    data = write(value)
    assert texts_of_numbers(loads_exact(data)) == exact_numbers(data)
    if not inexact(loads(data), data):
        assert texts_of_numbers(loads(data)) == exact_numbers(data)


@pytest.mark.parametrize(
    ("text", "value", "exact"),
    [
        ("0", 0, 0),
        ("-0", 0, "-0"),
        ("-0.0", -0.0, -0.0),
        ("1.5", 1.5, 1.5),
        ("1.10", 1.1, "1.10"),
        ("1E5", 1e5, "1E5"),
        ("1e16", 1e16, "1e16"),
        ("18446744073709551615", 2**64 - 1, 2**64 - 1),
        ("18446744073709551616", 2.0**64, "18446744073709551616"),
        ("-9223372036854775808", -(2**63), -(2**63)),
        ("-9223372036854775809", -(2.0**63), "-9223372036854775809"),
        ("1" * 5000, "1" * 5000, "1" * 5000),
        ("0.1" + "0" * 5000 + "1", 0.1, "0.1" + "0" * 5000 + "1"),
        ("1e400", "1e400", "1e400"),
        ("NaN", "NaN", "NaN"),
        ("-Infinity", "-Infinity", "-Infinity"),
    ],
)
def test_a_number_that_would_be_written_otherwise_is_its_text(text: str, value: object, exact: object) -> None:
    for found, expected in ((loads(text.encode()), value), (loads_exact(text), exact)):
        assert found == expected
        assert isinstance(found, Number) == isinstance(expected, str)
    assert compact(loads_exact(f'{{"n":[{text}]}}')) == f'{{"n":[{text}]}}'
    assert inexact({"n": [loads(text.encode())]}, text.encode()) == (
        not isinstance(value, str) and (type(value), text) != (int, str(value))
    )
    assert inexact([0, False])
    assert not inexact([False, True, 1, "0", None])
    assert not inexact([0, False], b"[0,false]")


@law
@given(VALUES)
def test_compact_is_what_json_would_write(value: Any) -> None:
    assert compact(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert loads_exact(compact(value)) == loads_exact(json.dumps(value))


def test_what_json_cannot_name_is_written_by_the_usual_words_or_refused() -> None:
    assert compact([float("nan"), float("inf"), float("-inf"), (1, ())]) == "[NaN,Infinity,-Infinity,[1,[]]]"
    for value in (b"bytes", {"a": {1}}, [object()], UUID(int=1), {"a": [datetime(2026, 3, 1, tzinfo=UTC)]}):
        with pytest.raises(TypeError):
            compact(value)


@law
@given(VALUES)
def test_leaves_are_every_key_string_and_scalar_in_order(value: Any) -> None:
    def walk(value: Any) -> list[str]:
        if isinstance(value, dict):
            return [text for key, member in value.items() for text in (key, *walk(member))]
        if isinstance(value, list):
            return [text for member in value for text in walk(member)]
        return [value] if isinstance(value, str) else [json.dumps(value)]

    assert list(leaves(value)) == walk(value)


@law
@given(VALUES, st.sampled_from(WRITERS), st.data())
def test_a_cut_value_is_torn_and_nothing_else(value: Any, write: Any, data: st.DataObject) -> None:
    whole = write({"k": value})
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(BadJson) as caught:
        loads(whole[:cut])
    assert (caught.value.reason, caught.value.at_end, caught.value.pos) == ("torn", True, cut)


@law
@given(VALUES, TEXT, st.sampled_from(WRITERS), st.integers(1, 7))
def test_windows_of_any_size_read_the_same_value(value: Any, key: str, write: Any, size: int) -> None:
    whole = write({key: value, "n": -12.5e3})
    starts = count(0, size)
    parser = Parser(more=lambda: whole[(start := next(starts)) : start + size])
    assert parser.value() == orjson.loads(whole)
    assert parser.pos == len(whole)


@law
@given(ODD, st.integers(1, 5))
@example(b"[12.", 1)
@example(b"[12e+", 2)
@example(b'["a\\u12', 1)
@example(b'["a\\x"]', 1)
@example(b"[nul", 3)
def test_windows_of_any_size_refuse_the_same_bytes(data: bytes, size: int) -> None:
    def windowed(data: bytes) -> Any:
        starts = count(0, size)
        parser = Parser(more=lambda: data[(start := next(starts)) : start + size])
        value = parser.value()
        parser.finish()
        return value

    assume(not data.startswith(b"\xef\xbb\xbf"))
    assert outcome(windowed, data) == outcome(parse, data)


@law
@given(VALUES, TEXT)
def test_values_that_stand_together_are_told_apart(value: Any, text: str) -> None:
    first, second = orjson.dumps([value]), orjson.dumps({text: value})
    parser = Parser(first + b" \0" + second)
    assert parser.value() == [value]
    assert parser.pos == len(first)
    assert parser.value() == {text: value}
    assert parser.pos == len(first) + 2 + len(second)


@pytest.mark.parametrize("decode", [parse, loads, loads_exact, orjson.loads])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"k":', b"}")])
def test_depth_is_limited_as_in_orjson_on_every_path(
    opening: bytes, closing: bytes, decode: Callable[[bytes], Any]
) -> None:
    deepest = opening * DEPTH_LIMIT + b"1" + closing * DEPTH_LIMIT
    assert compact(decode(deepest)).encode() == deepest
    for depth in (DEPTH_LIMIT + 1, 200_000):
        with pytest.raises(ValueError, match=r"depth|too_deep") as caught:
            decode(opening * depth + b"1" + closing * depth)
        if isinstance(caught.value, BadJson):
            assert (caught.value.reason, caught.value.pos) == ("too_deep", DEPTH_LIMIT * len(opening))


def test_depth_is_no_limit_for_writing() -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    assert compact(value) == "[" * 100_000 + "1" + "]" * 100_000
    assert list(leaves(value)) == ["1"]
    assert not inexact(value)
    while isinstance(value, list):
        value = value.pop()
