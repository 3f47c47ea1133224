"""What physical lines are: records, padding, torn and glued ones, parts of a record on several lines."""

from __future__ import annotations

import json

import pytest

from tests.snapshots import entries_of
from unspool.sources import spread
from unspool.sources.json_parser import Parser
from unspool.sources.structure import NODE_LIMIT

A, B = b'{"type":"a","text":"x"}', b'{"type":"b","list":[{"c":1}]}'
STUB = A[:15]
Row = tuple[str, list[str], list[str]]


def rows(data: bytes) -> list[Row]:
    """Return each line's state, the types of its records (`+`: salvaged), and why its other bytes are unreadable."""
    return [
        (
            entry.state,
            [record.value.get("type", "?") + "+" * record.salvaged for record in entry.records],
            [unreadable.reason for unreadable in entry.unreadable],
        )
        for entry in entries_of(data)
    ]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (A, ("record", ["a"], [])),
        (b"  " + A + b"\t\r", ("record", ["a"], [])),
        (b"\0\0" + A + b"\0", ("record", ["a"], [])),
        (b"\xef\xbb\xbf" + A, ("record", ["a"], [])),
        (b'{"type":"\xe9\\ud800\x1f"}', ("record", ["\ufffd\ufffd\x1f"], [])),
        (b'{"type":"n","value":NaN}', ("record", ["n"], [])),
        (b"", ("blank", [], [])),
        (b" \t\r", ("blank", [], [])),
        (b"\0" * 600, ("blank", [], [])),
        (b"{}", ("record", ["?"], [])),
        (b"123", ("value", [], [])),
        (b'["a",{"type":"no"}]', ("value", [], [])),
        (b"no json", ("unreadable", [], ["syntax"])),
        (b"\xff\xfe\0", ("unreadable", [], ["encoding"])),
        (b'{"a":' * 1025 + b"1" + b"}" * 1025, ("unreadable", [], ["too_deep"])),
        (STUB, ("unreadable", [], ["torn"])),
        (B[:-1], ("unreadable", [], ["torn"])),
        (b'{"a":"\\x"}', ("unreadable", [], ["syntax"])),
        (A + B, ("record", ["a", "b"], [])),
        (A + b"\0\0" + B + A, ("record", ["a", "b", "a"], [])),
        (A + STUB, ("record", ["a"], ["torn"])),
        (A + b"]", ("record", ["a"], ["syntax"])),
        (A + b" 7", ("record", ["a"], ["syntax"])),
        (STUB + B, ("record", ["b+"], ["torn"])),
        (STUB + STUB + B, ("record", ["b+"], ["torn"])),
        (STUB + STUB + B + A, ("record", ["b+", "a+"], ["torn"])),
        (STUB + B + STUB, ("record", ["b+"], ["torn", "torn"])),
        (STUB + B + A, ("record", ["b+", "a+"], ["torn"])),
        (A + STUB + B, ("record", ["a", "b+"], ["torn"])),
        (b'{"type":"a","text":"tail \\' + B, ("record", ["b+"], ["torn"])),
        (b'{"type":"a","text":"tail \\u12' + B, ("record", ["b+"], ["torn"])),
        (b'{"type":"a","n":-' + B, ("record", ["b+"], ["torn"])),
        (b'{"type":"a","n":1.' + B, ("record", ["b+"], ["torn"])),
        (b'{"type":"a","n":tr' + B, ("record", ["b+"], ["torn"])),
        (b'{"type":"a",' + B, ("record", ["b+"], ["torn"])),
        (b'end of a text"}}' + B, ("record", ["b+"], ["torn"])),
        (b'{"type":"a","m":\0\0\0' + B, ("record", ["b+"], ["torn"])),
        (STUB + B.replace(b"{", b"{ "), ("record", ["b+"], ["torn"])),
        (STUB + STUB + b'{ \t"type": "x" }' + A, ("record", ["x+", "a+"], ["torn"])),
        (b'{"type":"a","m":' + B, ("unreadable", [], ["torn"])),
        (b'{"type":"a","m":[' + B, ("unreadable", [], ["torn"])),
        (b'{"type":"a","m":{"type":"b"}', ("unreadable", [], ["torn"])),
        (b'"m":{"type":"b"}}', ("unreadable", [], ["syntax"])),
        (b'[1,{"type":"b"}', ("unreadable", [], ["torn"])),
    ],
)
def test_a_line_is(line: bytes, row: Row) -> None:
    assert rows(line + b"\n") == [row]
    assert rows(A + b"\n" + line + b"\n" + B + b"\n") == [("record", ["a"], []), row, ("record", ["b"], [])]


@pytest.mark.parametrize(
    ("tail", "row"),
    [
        (A, ("record", ["a"], [])),
        (A + B, ("record", ["a", "b"], [])),
        (b"\0\0", ("blank", [], [])),
        (STUB, ("pending", [], [])),
        (STUB + B, ("pending", [], [])),
        (A + STUB, ("pending", [], [])),
        (b"12", ("pending", [], [])),
        (b"no json", ("pending", [], [])),
    ],
)
def test_an_unfinished_last_line_is(tail: bytes, row: Row) -> None:
    *_, last = entries_of(B + b"\n" + tail)
    assert rows(B + b"\n" + tail) == [("record", ["b"], []), row]
    assert (last.terminated, last.settled) == (False, False)


def test_a_record_on_several_lines_belongs_to_the_first() -> None:
    pretty = json.dumps({"type": "p", "empty": [{}, {}], "list": [1, "x", {"a": None}]}, indent=2).encode()
    broken = b'{"type":"t","text":"one\n\n{ two\r\nthree"}'
    for whole, name in ((pretty, "p"), (broken, "t")):
        more = [("continuation", [], [])] * whole.count(b"\n")
        for before, row in ((B, ("record", ["b"], [])), (STUB, ("unreadable", [], ["torn"]))):
            data = before + b"\n" + whole + b"\n" + A + b"\n"
            assert rows(data) == [row, ("record", [name], []), *more, ("record", ["a"], [])]
            first = entries_of(data)[1].records[0]
            assert data[first.offset : first.offset + first.length] == whole


def test_what_is_glued_behind_a_record_on_several_lines_is_found() -> None:
    assert rows(b'{"type":"t","text":"one\ntwo"}' + B + b"\n") == [("record", ["t"], []), ("record", ["b"], [])]
    assert rows(b'{"type":"t","text":"one\ntwo"}' + STUB + b"\n") == [
        ("record", ["t"], []),
        ("unreadable", [], ["torn"]),
    ]
    assert rows(b'{"type":"t","text":"one\ntwo"}{"type":"u","text":"1\n2"}\n') == [
        ("record", ["t"], []),
        ("record", ["u"], []),
        ("continuation", [], []),
    ]


def test_a_record_still_being_written_over_lines_changes_only_its_first_line() -> None:
    half = b'{"type":"t","text":"one\ntwo\n'
    assert rows(half) == [("unreadable", [], ["torn"]), ("continuation", [], [])]
    assert rows(half + b"thr") == [("unreadable", [], ["torn"]), ("continuation", [], []), ("pending", [], [])]
    assert [entry.settled for entry in entries_of(half + b"thr")] == [False, False, False]
    assert rows(half + b'three"}') == [("record", ["t"], []), ("continuation", [], []), ("continuation", [], [])]
    assert [entry.terminated for entry in entries_of(half + b'three"}')] == [False, True, False]
    assert [entry.settled for entry in entries_of(half + b'three"}')] == [False, False, False]
    assert [entry.settled for entry in entries_of(half + b'three"}\n')] == [True, True, True]


def test_lines_that_do_not_go_together_are_judged_one_by_one() -> None:
    torn, bad = ("unreadable", [], ["torn"]), ("unreadable", [], ["syntax"])
    assert rows(STUB + b"\n" + STUB + b"\n" + A + b"\n") == [torn, torn, ("record", ["a"], [])]
    assert rows(STUB + b"\nlog\n" + A + b"\n") == [torn, bad, ("record", ["a"], [])]
    assert rows(b'{"a":\n' + STUB + b"\n" + A + b"\n") == [torn, torn, ("record", ["a"], [])]
    whole = b'{"type":"t","text":"one\ntwo"}'
    assert rows(b'{"a":\n' + whole + b"\n" + A)[:3] == [torn, ("record", ["t"], []), ("continuation", [], [])]
    assert rows(b'{"a":[\n' + A + b"\n]}\n") == [torn, ("record", ["a"], []), bad]
    assert rows(b'{"a":[\n  ' + A + b"\n" + B + b"\n") == [torn, ("record", ["a"], []), ("record", ["b"], [])]


def test_an_object_on_an_unfinished_line_waits_until_it_is_clear_whose_it_is() -> None:
    half = b'{"type":"t","list":[\n  {"type":"b"}'
    torn = ("unreadable", [], ["torn"])
    assert rows(half) == [torn, ("pending", [], [])]
    assert rows(half + b"\n") == [torn, ("continuation", [], [])]
    assert rows(half + b"\n" + A + b"\n") == [torn, ("record", ["b"], []), ("record", ["a"], [])]
    assert rows(half + b"\n]}\n") == [("record", ["t"], []), ("continuation", [], []), ("continuation", [], [])]
    assert rows(half + b",\n {}]}") == [("record", ["t"], []), ("continuation", [], []), ("continuation", [], [])]


def test_lines_that_were_tried_together_are_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []
    monkeypatch.setattr(spread, "Parser", lambda **options: tries.append(options) or Parser(**options))
    found = rows(b' {"a":[\n' * 3000 + A + b"\n")
    assert found == [("unreadable", [], ["torn"])] * 3000 + [("record", ["a"], [])]
    assert len(tries) < 10


def test_a_record_may_take_any_number_of_lines_and_be_of_any_size() -> None:
    for lines, limit in ((30_000, 1 << 20), (30_000, 4_000)):
        spread = b'{"type":"t","list":[\n  {"b":1}\n],"text":"' + b"x\n" * lines + b'end"}'
        first, *more, last = entries_of(spread + b"\n" + A, limit=limit)
        assert {entry.state for entry in more} == {"continuation"}
        assert first.records[0].length == len(spread)
        assert first.records[0].value["list"] == [{"b": 1}]
        assert last.records[0].value["type"] == "a"


def test_a_record_on_lines_with_too_many_members_is_one_notice() -> None:
    spread = b'{"type":"t","list":[\n' + b"1,\n" * NODE_LIMIT + b"1]}"
    first, *more, last = entries_of(B + spread + b"\n" + A, limit=100_000)
    assert [record.value["type"] for record in first.records] == ["b"]
    assert first.unreadable == ((1, len(B), len(spread), "too_large"),)
    assert {entry.state for entry in more} == {"continuation"}
    assert last.records[0].value["type"] == "a"
    assert len(entries_of(spread + b"\n")[0].records[0].value["list"]) == NODE_LIMIT + 1


@pytest.mark.parametrize("key", ['"a"', '""', '"a\\"b"', '"' + "k" * 200 + '"'])
@pytest.mark.parametrize("before", ["", "\0" * 5000])
@pytest.mark.parametrize("between", ["", " \t", " "])
def test_a_line_that_begins_as_a_record_begins_is_part_of_no_other(key: str, before: str, between: str) -> None:
    record = f"{before}{{{between}{key}{between}:[1]}}".encode()
    for pad in range(1000, 1032):
        torn = b'{"list":[' + b"1," * ((pad - 10) // 2) + b" " * (pad % 2)
        first, second, _ = entries_of(torn + b"\n" + record + b"\n]}\n")
        assert (first.state, second.state) == ("unreadable", "record")


@pytest.mark.parametrize(
    "line",
    [b"{" * 200_000, b'{"a":[' * 50_000, b'}{"' * 100_000, b'\0{"' * 100_000, b'{"a":1}' * 30_000, b'"\\' * 200_000],
    ids=["braces", "arrays", "breaks", "holes", "records", "escapes"],
)
def test_hostile_lines_take_no_more_than_a_few_readings(line: bytes) -> None:
    entries = entries_of(line + b"\n" + line + b"\n" + A + b"\n")
    assert entries[-1].records[0].value["type"] == "a"
    assert len(entries) == 3
