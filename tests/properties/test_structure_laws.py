"""Long records: strings decoded by chunks, skeletons and pointers mean what whole decoding means."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import RECORDS, VALUES, law
from unspool.sources.bad_json import BadJson
from unspool.sources.json_parser import Parser
from unspool.sources.json_text import Clipped
from unspool.sources.json_value import loads
from unspool.sources.structure import (
    CLIP,
    KEPT_CHARACTERS,
    NODE_LIMIT,
    iter_string,
    locate,
    skeleton,
    string_blocks,
    windows,
)

BODY_PIECES = (
    rb"\n", rb"\\", rb"\"", rb"\/", rb"\u00e9", rb"\ud83d\ude80", rb"\ud83d", rb"\ude80", rb"\uDBFF\uDFFF",
    "é".encode(), "日".encode(), "🚀".encode(), "🚀".encode()[:2], b"\xff", b"\xed\xa0\x80", b"\xc3",
    b"a", b"u", b"d83d", b"\n", b"\0", b" ",
)  # fmt: skip
BODIES = st.lists(st.sampled_from(BODY_PIECES), max_size=12).map(b"".join)
Pointer = tuple[str | int, ...]


def reader(data: bytes, at_most: int = 1 << 20) -> Any:
    """Read from bytes as from a file; `at_most` makes reads short."""
    return lambda offset, size: data[offset : offset + min(size, at_most)]


def pointers(value: Any, at: Pointer = ()) -> Iterator[tuple[Pointer, Any]]:
    """Yield every pointer into a value, with what is there."""
    yield at, value
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from pointers(member, (*at, key))


@law
@given(BODIES, st.integers(1, 20))
def test_a_string_read_by_chunks_is_the_string(body: bytes, chunk: int) -> None:
    whole = b'["' + body + b'"]'
    assert "".join(iter_string(reader(whole), (2, 2 + len(body)), chunk=chunk)) == loads(whole)[0]


@law
@given(BODIES, st.integers(1, 8))
def test_a_string_is_read_on_from_every_border(body: bytes, chunk: int) -> None:
    text = loads(b'"' + body + b'"')
    before = ""
    for border, part in string_blocks(reader(body), (0, len(body)), chunk=chunk):
        before += part
        assert before + "".join(iter_string(reader(body), (0, len(body)), border, chunk)) == text


def test_a_broken_escape_in_a_string_is_refused() -> None:
    for body in (rb"ab\x", rb"ab\u12", rb"ab\u12g4", b"ab\\"):
        for chunk in range(1, 8):
            with pytest.raises(BadJson):
                list(iter_string(reader(body), (0, len(body)), chunk=chunk))


@law
@given(VALUES, BODIES, st.integers(1, 9), st.booleans())
def test_a_skeleton_is_the_value_with_heads_of_its_long_strings(
    value: Any, body: bytes, size: int, is_ascii: bool
) -> None:
    data = b'{"v":' + json.dumps(value, ensure_ascii=is_ascii).encode() + b',"s":"' + body + b'"}'
    parser = Parser(more=windows(reader(data), 0, len(data), size), clip=5, keep=3)
    found = dict(pointers(parser.value()))
    for at, expected in pointers(loads(data)):
        if isinstance(expected, str):
            got = found[at]
            whole = "".join(iter_string(reader(data), got.span)) if isinstance(got, Clipped) else got
            assert whole == expected
            if isinstance(got, Clipped):
                assert got.span[1] - got.span[0] > 5
                assert got == expected[: len(got)]
                assert len(got) == min(3, len(expected))
        elif isinstance(expected, (dict, list)):
            assert type(found[at]) is type(expected)
            assert len(found[at]) == len(expected)
        else:
            assert found[at] == expected


def test_a_skeleton_holds_heads_and_spans_of_megabytes() -> None:
    text = 'a"é\n' * CLIP
    data = json.dumps({"before": [1, {"short": "x" * CLIP}], "long": text, "after": None}).encode()
    value = skeleton(reader(data), len(data))
    assert value["before"] == [1, {"short": "x" * CLIP}]
    assert not isinstance(value["before"][1]["short"], Clipped)
    assert value["long"] == text[:KEPT_CHARACTERS]
    assert json.loads(data[value["long"].span[0] - 1 : value["long"].span[1] + 1]) == text
    assert list(value) == ["before", "long", "after"]


def test_a_skeleton_of_endless_members_is_refused() -> None:
    for data in (
        b"[" + b"1," * NODE_LIMIT + b"1]",
        b'{"a":[' + b"{}," * NODE_LIMIT + b"1]}",
        b"[" + b"1" * (1 << 21),
        b'{"' + b"k" * (1 << 21),
    ):
        with pytest.raises(BadJson) as caught:
            skeleton(reader(data), len(data))
        assert caught.value.reason == "too_large"
    fits = b"[" + b"1," * (NODE_LIMIT - 2) + b"1]"
    assert len(skeleton(reader(fits), len(fits))) == NODE_LIMIT - 1


@law
@given(RECORDS, st.sampled_from([None, 2]), st.booleans())
def test_a_pointer_leads_to_the_bytes_of_its_value(record: Any, indent: int | None, is_ascii: bool) -> None:
    data = json.dumps(record, indent=indent, ensure_ascii=is_ascii).encode()
    for pointer, value in pointers(record):
        start, end = locate(reader(data), len(data), pointer)
        assert loads(data[start:end]) == value
        assert data[start:end] == data[start:end].strip()


def test_a_pointer_to_nothing_is_a_key_error() -> None:
    data = b'{"a":[1,{"b":2}],"0":3}'
    for pointer in (("b",), ("a", 2), ("a", "0"), (0,), ("a", 0, "x"), ("a", 1, "b", 0)):
        with pytest.raises(KeyError):
            locate(reader(data), len(data), pointer)
    assert locate(reader(data), len(data), ("0",)) == (21, 22)


def test_the_last_of_two_equal_keys_counts_everywhere() -> None:
    data = b' {"a":1,"b":{"c":1,"c":[5]},"a":{"x":2}} '
    assert loads(data) == skeleton(reader(data), len(data)) == {"a": {"x": 2}, "b": {"c": [5]}}
    assert locate(reader(data), len(data), ("a", "x"))[0] == data.index(b"2}}")
    assert locate(reader(data), len(data), ("b", "c"))[0] == data.index(b"[5]")
    assert locate(reader(data), len(data), ()) == (1, len(data) - 1)
