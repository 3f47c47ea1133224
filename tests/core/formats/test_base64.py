from __future__ import annotations

import base64
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.binary import without_base64
from tests.properties.laws import law
from unspool.formats.base64 import base64_size, described, is_base64
from unspool.sources.json_value import Number, compact

PICTURE = "iVBORw0KGgoA" + "QUJD" * 13 + "QQ=="
LONG = "QUJD" * 20
KEYS = ["data", "blob", "type", "media_type", "mimeType", "Content-Type", "encoding", "format", "content", "image/png",
        "text/plain", "b64_json", "url", "image", "text"]  # fmt: skip
WORDS = [
    "base64", "image/png", "text/plain", "image/svg+xml", "application/json", "image", "png", "wav", "input_audio",
    PICTURE, LONG, LONG + "\n=",
    "enp6" * 16, "ab/cd" * 20, LONG + "-+", LONG + "x", LONG + "=", LONG + "x=",
    "two words", "data:image/png;base64," + PICTURE, "data:text/plain,x", "=", "-_", "",
    "DATA:audio/wav;codecs=1;base64,QUJD", "see data:image/png;base64," + PICTURE, "data:;base64,", "ab=c",
]  # fmt: skip

said_to_be_base64 = [
    ("an address", "data:image/png;base64,AAAA", "[image image/png 3]"),
    ("an address in a list", ["x", "data:;base64,AAAA"], ["x", "[image ? 3]"]),
    ("an address with parameters", {"a": "data:audio/wav;rate=8;base64,AAA="}, {"a": "[image audio/wav 2]"}),
    (
        "a source",
        {"type": "base64", "media_type": "image/png", "data": PICTURE},
        {"type": "base64", "media_type": "image/png", "data": "[image image/png 49]"},
    ),
    (
        "what MCP gives",
        {"content": [{"data": PICTURE, "mimeType": "image/png", "type": "image"}]},
        {"content": [{"data": "[image image/png 49]", "mimeType": "image/png", "type": "image"}]},
    ),
    ("a resource", {"mimeType": "text/csv", "blob": LONG}, {"mimeType": "text/csv", "blob": "[image text/csv 60]"}),
    ("a cell's output", {"image/png": PICTURE + "\n"}, {"image/png": "[image image/png 49]"}),
    ("a file", {"type": "base64", "content": f"{LONG}\n{LONG}"}, {"type": "base64", "content": "[image ? 120]"}),
    ("sound", {"data": LONG, "format": "wav"}, {"data": "[image audio/wav 60]", "format": "wav"}),
    ("a name", {"b64_json": LONG}, {"b64_json": "[image ? 60]"}),
    ("no padding", {"b64_json": PICTURE.rstrip("=")}, {"b64_json": "[image ? 49]"}),
    ("the other alphabet", {"b64": LONG + "-_-_"}, {"b64": "[image ? 63]"}),
    ("what shuns capitals", {"b64": "enp6" * 16}, {"b64": "[image ? 48]"}),
]  # fmt: skip

text_as_written: list[Any] = [
    PICTURE,
    LONG,
    {"data": LONG},
    {"token": LONG, "type": "image/png"},
    {"type": "text", "media_type": "text/plain", "data": "hello"},
    {"mimeType": "application/json", "data": "true"},
    {"mimeType": "image/svg+xml", "data": "<svg/>"},
    {"format": "png", "data": "cat"},
    {"type": "image", "data": "cat"},
    {"base64": "yes"},
    {"type": "base64", "data": "not base64, after all"},
    {"type": "base64", "data": ""},
    {"type": "base64", "data": Number("1.10")},
    {"html": '<img src="data:image/png;base64,AAAA">'},
    {"url": "data:image/png;base64,AAAA is an address"},
    {"text/plain": LONG},
    {"base64_path": "/home/user/projects/demo/outputs/picture_one_final"},
    {"base64_path": "/home/user/projects/demo/outputs/pictures/one/two/three/four/five"},
    {"base64_path": "/Users/Ann/Documents/ProjectAlpha/Sources/MainWindow/Controllers/one"},
    {"mimeType": "image/png", "data": "hello"},
    {"contentType": "application/octet-stream", "data": "master"},
    {"encoding": "base64", "content": "branch/feature-one"},
    {"encoding": "base64", "content": "iVBORw0KGgo="},
    {"image/png": "docs/out"},
    {"is_base64_encoded_text_marker": "thisvalueisjustalongwordwithmorethan64letters" * 2},
    {"b64": LONG[:60]},
    {"b64": "0123456789abcdef" * 4},
    {"b64": "20260601" * 8},
    {"b64": LONG + "x"},
    {"b64": LONG + "=="},
    {"b64": LONG + "x==="},
    {"b64": LONG + "+/-_"},
]


@pytest.mark.parametrize(
    ("value", "said"), [row[1:] for row in said_to_be_base64], ids=[row[0] for row in said_to_be_base64]
)
def test_base64_gives_way_to_a_line_about_it(value: Any, said: Any) -> None:
    before = compact(value)
    assert described(value) == (said, 1)
    assert compact(value) == before


@pytest.mark.parametrize("value", text_as_written, ids=compact)
def test_what_is_not_said_to_be_base64_stays_as_written(value: Any) -> None:
    found, images = described(value)
    assert found is value
    assert images == 0


@given(
    st.recursive(
        st.sampled_from([*WORDS, None, 7]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
        max_leaves=9,
    )
)
@law
def test_a_value_is_described_as_a_plain_reader_of_the_rule_does(value: Any) -> None:
    assert described(value) == without_base64(value)


@given(st.binary(max_size=120), st.integers(1, 9))
@law
def test_the_size_behind_base64_is_told_without_decoding(data: bytes, chunk: int) -> None:
    text = base64.encodebytes(data).decode()
    chunks = [text[start : start + chunk] for start in range(0, len(text), chunk)]
    assert base64_size(chunks) == len(data)
    assert is_base64(chunks) == is_base64([text]) == (without_base64({"b64": text})[1] == 1)


def test_random_bytes_are_told_from_words() -> None:
    chance = random.Random(1)
    assert all(is_base64([base64.b64encode(chance.randbytes(48)).decode()]) for _ in range(2000))


def test_base64_may_come_behind_an_address_in_chunks() -> None:
    chunks = ["data:image/png;charset=x;base64,AA", "AAA", "A=="]
    assert (base64_size(chunks), is_base64(chunks)) == (4, True)
    assert not is_base64([*chunks, "A"])
    assert not is_base64(["data:image/png;base64,"])
