"""What is read before orjson is imported is what orjson reads."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unspool.sources import codec

NUMBERS = st.from_regex(r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,20})?([eE][-+]?[0-9]{1,3})?", fullmatch=True)
ESCAPES = st.sampled_from(
    ["\\n", "\\u00e9", "\\ud83d\\ude00", "\\ud800", "\\/", "\\x", "\x01", "\x7f", "é", "\ufeff", "\u2028"]
)
STRINGS = st.lists(ESCAPES | st.text(max_size=3).map(lambda text: json.dumps(text)[1:-1]), max_size=4).map("".join)
LEAVES = NUMBERS | STRINGS.map(lambda text: f'"{text}"') | st.sampled_from(["true", "null", "NaN", "-Infinity", ""])
SPACE = st.sampled_from(["", " ", "\n", "\t\r", "\x0b", "\xa0"])


def listed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda space, each: f"[{space}{','.join(each)}{space}]", SPACE, st.lists(inner, max_size=4))


def mapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    member = st.builds(lambda key, space, value: f'"{key}"{space}:{space}{value}', st.sampled_from("ab"), SPACE, inner)
    return st.lists(member, max_size=4).map(lambda each: "{" + ",".join(each) + "}")


VALUES = st.recursive(LEAVES, lambda inner: listed(inner) | mapped(inner), max_leaves=8)
WRITTEN = st.builds(
    lambda left, value, right: (left + value + right).encode("utf-8", "surrogatepass"), SPACE, VALUES, SPACE
)


def read(loads: Any, data: bytes) -> str | None:
    try:
        return repr(loads(data))
    except (ValueError, RecursionError):
        return None


@given(WRITTEN | st.binary(max_size=30))
def test_what_is_read_without_orjson_is_what_it_reads(data: bytes) -> None:
    plain = read(codec.plain, data)
    assert plain is None or plain == read(orjson.loads, data)


@pytest.mark.parametrize("data", [b'{"a": [1, 2.5, "\\n", null], "b": {}}', b" [] ", b'"\xc3\xa9"', b"-0", b"1e3"])
def test_usual_records_are_read_without_orjson(data: bytes) -> None:
    assert read(codec.plain, data) == read(orjson.loads, data) is not None


@pytest.mark.parametrize("depth", [600, 1023, 1024, 1025, 2000])
def test_what_is_deep_is_left_to_orjson(depth: int) -> None:
    assert read(codec.plain, b"[" * depth + b"]" * depth) is None


@given(st.text())
def test_a_text_is_written_as_orjson_writes_it(text: str) -> None:
    assert codec._dumps(text) == orjson.dumps(text)


def test_orjson_is_imported_when_there_is_much_to_read_or_what_only_it_can_judge() -> None:
    code = (
        "import sys\nfrom unspool.sources import codec\nwas = []\n"
        "for data in (b'[1]', {last}):\n    codec.loads(data)\n    was.append('orjson' in sys.modules)\n"
        "assert was == [False, True], was"
    )
    for last in ("b'\"' + b'x' * codec.ENOUGH + b'\"'", "b'12345678901234567890'"):
        done = subprocess.run([sys.executable, "-c", code.format(last=last)], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
