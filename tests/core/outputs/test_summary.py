"""Summaries, exactly: the table was written from the rules, before the code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unspool.blobs.content import Structured, Text
from unspool.outputs.summary import SUMMARY_BYTES, summarize

HEAD, TAIL, SCHEMA, KEYS = "── head ──", "── tail ──", "── schema ──", "── keys ──"
KEY_LINES = "\n".join(f"key{number}: number" for number in range(23))


def numbered(count: int) -> str:
    return "\n".join(f"line {number}" for number in range(1, count + 1))


def one_line(header: str, filler: str, room: int) -> str:
    """A line of one repeated character, cut in its middle so that header, heading and line take `room` bytes."""
    left = room - len(f"{header}\n{HEAD}\n".encode()) - len("…".encode())
    return f"{header}\n{HEAD}\n{filler * (left - left // 2)}…{filler * (left // 2)}"


def wide(*pairs: tuple[int, int]) -> str:
    """Lines of a four-byte character, so many before the cut and so many behind it."""
    return "\n".join("😀" * before + "…" + "😀" * behind for before, behind in pairs)


TABLE: list[tuple[str, Any, str]] = [
    ("no line", "", "text | 0 lines | 0 bytes"),
    ("one character", "x", "text | 1 line | 1 byte\nx"),
    ("one line that ends", "ok\n", "text | 1 line | 3 bytes\nok"),
    ("five lines", numbered(5), f"text | 5 lines | 34 bytes\n{numbered(5)}"),
    ("six lines", numbered(6), f"text | 6 lines | 41 bytes\n{numbered(6)}"),
    ("seven lines", numbered(7), f"text | 7 lines | 48 bytes\n{numbered(7)}"),
    ("eight lines", numbered(8), f"text | 8 lines | 55 bytes\n{numbered(8)}"),
    ("nine lines that fit", numbered(9), f"text | 9 lines | 62 bytes\n{numbered(9)}"),
    (
        "ten thousand lines",
        numbered(10_000),
        f"text | 10000 lines | 98893 bytes\n{HEAD}\n{numbered(5)}\n{TAIL}\nline 9998\nline 9999\nline 10000",
    ),
    ("a line of a megabyte", "x" * 1_000_000, one_line("text | 1 line | 1000000 bytes", "x", 400)),
    (
        "a tail that leaves its room to one line",
        "\n".join(["head"] * 5 + ["middle"] * 9 + ["t" * 500, "u", "v"]),
        f"text | 17 lines | 592 bytes\n{HEAD}\n" + "head\n" * 5 + f"{TAIL}\n{'t' * 151}…{'t' * 151}\nu\nv",
    ),
    ("wide characters", "😀" * 300, f"text | 1 line | 1200 bytes\n{HEAD}\n" + wide((44, 43))),
    ("wide characters, one byte on", "a" + "😀" * 300, f"text | 1 line | 1201 bytes\n{HEAD}\na" + wide((43, 43))),
    ("wide characters, two on", "aa" + "😀" * 300, f"text | 1 line | 1202 bytes\n{HEAD}\naa" + wide((43, 43))),
    ("wide characters, three on", "aaa" + "😀" * 300, f"text | 1 line | 1203 bytes\n{HEAD}\naaa" + wide((43, 43))),
    (
        "wide characters in every line",
        "\n".join(["😀" * 200] * 9),
        f"text | 9 lines | 7208 bytes\n{HEAD}\n{wide((4, 4), (4, 4), (5, 4), (5, 5), (5, 5))}\n"
        f"{TAIL}\n{wide((5, 5), (5, 5), (5, 5))}",
    ),
    ("wide characters just fit", "😀" * 93, f"text | 1 line | 372 bytes\n{'😀' * 93}"),
    ("wide characters just do not", "😀" * 94, f"text | 1 line | 376 bytes\n{HEAD}\n" + wide((44, 44))),
    ("empty lines", "\n" * 10, "text | 10 lines | 10 bytes" + "\n" * 10),
    ("carriage returns", "a\r\nb\r\n", "text | 2 lines | 6 bytes\na\nb"),
    ("a carriage return inside", "a\rb\n", "text | 1 line | 4 bytes\na\rb"),
    ("signs that end no line", "a\u2028b\x0bc\x0cd\x85e", "text | 1 line | 12 bytes\na\u2028b\x0bc\x0cd\x85e"),
    ("text that looks like JSON", '{"a": 1}', 'text | 1 line | 8 bytes\n{"a": 1}'),
    ("an empty array", Structured([]), "json_array | 0 entries | 2 bytes"),
    ("one entry", Structured([7]), f"json_array | 1 entry | 3 bytes\n{SCHEMA}\nnumber\n{HEAD}\n7"),
    (
        "an array of arrays",
        Structured([[1, 2], [], [3]]),
        f"json_array | 3 entries | 14 bytes\n{SCHEMA}\narray(2)\n{HEAD}\n[1,2]\n[]\n… 1 more entry",
    ),
    (
        "an array of objects",
        Structured([{"id": n, "name": "n" * 51, "tags": [], "in": {}, "ok": True, "no": None} for n in range(12)]),
        f"json_array | 12 entries | 1299 bytes\n{SCHEMA}\n"
        "{id: number, name: string(51), tags: array, in: object, ok: bool, no: null}\n"
        f"{HEAD}\n"
        f'{{"id":0,"name":"{"n" * 51}","tags":[],"in":{{}},"ok":true,"no":null}}\n'
        f'{{"id":1,"name":"{"n" * 51}","tags":[],"in":{{}},"ok":true,"no":null}}\n'
        "… 10 more entries",
    ),
    (
        "elements that do not fit",
        Structured([{"first": "f" * 300, "second": 2}] * 3),
        f"json_array | 3 entries | 973 bytes\n{SCHEMA}\n{{first: string(300), second: number}}\n{HEAD}\n"
        + f'{{"first":"{"f" * 56}…{"f" * 53}","second":2}}\n' * 2
        + "… 1 more entry",
    ),
    ("an empty object", Structured({}), "json_object | 0 keys | 2 bytes"),
    ("one key", Structured({"a": "b"}), f"json_object | 1 key | 9 bytes\n{KEYS}\na: string"),
    (
        "types and their sizes",
        Structured({"s": "s" * 50, "t": "ä" * 26, "a": [1, 2], "o": {"p": 1}, "e": [], "f": {}, "n": None, "b": False}),
        f"json_object | 8 keys | 172 bytes\n{KEYS}\ns: string\nt: string(52)\na: array(2)\no: object(1)\n"
        "e: array\nf: object\nn: null\nb: bool",
    ),
    (
        "an object of ten thousand keys",
        Structured({f"key{number}": number for number in range(10_000)}),
        f"json_object | 10000 keys | 147781 bytes\n{KEYS}\n{KEY_LINES}\n… 9977 more keys",
    ),
    ("a key with a line end", Structured({"a\nb": 1}), f'json_object | 1 key | 10 bytes\n{KEYS}\n"a\\nb": number'),
    ("a number", Structured(3.14), "json | 3.14"),
    ("null", Structured(None), "json | null"),
    ("true", Structured(True), "json | true"),
    ("a string", Structured("a\nb"), 'json | "a\\nb"'),
    ("a string of wide characters", Structured("😀" * 300), f'json | "{"😀" * 48}…{"😀" * 48}"'),
    (
        "an element of wide characters",
        Structured(["😀" * 300]),
        f'json_array | 1 entry | 1204 bytes\n{SCHEMA}\nstring(1200)\n{HEAD}\n"{wide((38, 38))}"',
    ),
    ("a big integer", Structured(2**70), f"json | {2**70}"),
    ("a long string", Structured("s" * 900), f'json | "{"s" * 194}…{"s" * 194}"'),
]


@pytest.mark.parametrize(("value", "expected"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_a_summary_is_exactly(value: Any, expected: str) -> None:
    assert summarize(Text(value) if isinstance(value, str) else value) == expected


def test_the_summary_of_a_failed_call_says_so() -> None:
    assert summarize(Text("x\n"), error=True) == "text | 1 line | 2 bytes | error\nx"
    assert summarize(Structured([1]), error=True).startswith("json_array | 1 entry | 3 bytes | error\n")
    assert summarize(Structured({"a": 1}), error=True).startswith("json_object | 1 key | 7 bytes | error\n")
    assert summarize(Structured(1), error=True) == "json | error | 1"


LINES = st.text(alphabet=st.sampled_from("a 日😀é\r\u2028"), max_size=200)
TEXTS = st.lists(LINES, max_size=14).map("\n".join) | st.text() | LINES.map(lambda line: line * 30)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=150), inner, max_size=30),
    max_leaves=20,
)


def matches(shown: str, line: str) -> bool:
    """Whether a line of a summary is this line, whole or cut in its middle."""
    if shown == line:
        return True
    return any(
        line.startswith(shown[:place]) and line.endswith(shown[place + 1 :]) and len(shown) - 1 < len(line)
        for place, character in enumerate(shown)
        if character == "…"
    )


def counted(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


@given(TEXTS)
def test_no_line_of_head_and_tail_is_lost_and_no_character_is_split(text: str) -> None:
    summary = summarize(Text(text))
    assert len(summary.encode()) <= SUMMARY_BYTES
    lines = (
        [line.removesuffix("\r") for line in text.split("\n")[: None if not text.endswith("\n") else -1]]
        if text
        else []
    )
    header, *shown = summary.split("\n")
    assert header == f"text | {counted(len(lines), 'line')} | {counted(len(text.encode()), 'byte')}"
    if shown == lines:
        return
    assert shown[0] == HEAD
    kept = [line for place, line in enumerate(shown) if place not in (0, min(len(lines), 5) + 1)]
    wanted = lines if len(lines) <= 8 else lines[:5] + lines[-3:]
    assert (len(lines) > 5) == (TAIL in shown[6:7])
    assert len(kept) == len(wanted)
    assert all(matches(*pair) for pair in zip(kept, wanted, strict=True))


@given(st.text(st.sampled_from("a\n😀…\ud83d\udc00"), max_size=300), st.integers(1, 30))
def test_half_characters_are_bounded_too(text: str, times: int) -> None:
    for content in (Text(text * times), Structured([text * times]), Structured({text * times: text})):
        assert len(summarize(content).encode(errors="surrogatepass")) <= SUMMARY_BYTES


@given(st.lists(VALUES, max_size=30) | st.dictionaries(st.text(max_size=150), VALUES, max_size=60) | VALUES)
def test_the_summary_of_any_value_is_bounded_and_counts_what_it_leaves_out(value: Any) -> None:
    summary = summarize(Structured(value))
    assert len(summary.encode(errors="surrogatepass")) <= SUMMARY_BYTES
    lines = summary.split("\n")
    if isinstance(value, dict) and value:
        more = lines.pop() if lines[-1].startswith("… ") and lines[-1].endswith((" more key", " more keys")) else "… 0"
        assert len(lines) - 2 + int(more.split()[1]) == len(value)
    elif isinstance(value, list) and len(value) > 2:
        assert lines[-1] == f"… {len(value) - 2} more {'entry' if len(value) == 3 else 'entries'}"
    elif not isinstance(value, (list, dict)) and len(json.dumps(value, ensure_ascii=False).encode()) < 390:
        assert summary == f"json | {json.dumps(value, ensure_ascii=False)}"
