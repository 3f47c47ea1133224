"""Records of a file: found whatever the cuts, the blocks and the growth; never invented."""

from __future__ import annotations

import json
import re
from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import RECORDS, law, short_law
from tests.snapshots import entries_of, snapshot
from unspool.sources.json_value import loads
from unspool.sources.record import Entry, decode_record

MESSAGES = st.builds(
    lambda kind, text, blocks, flag: {"type": kind, "message": {"content": text, "blocks": blocks}, "flag": flag},
    st.sampled_from(["user", "assistant"]),
    st.text(st.sampled_from('ab"\\{}[],: \né日'), max_size=10),
    st.lists(st.dictionaries(st.sampled_from(["type", "text", "id"]), st.sampled_from(["x", "", 1.5, None]))),
    st.booleans(),
)
WRITTEN = MESSAGES.map(lambda record: json.dumps(record, ensure_ascii=False).encode())
SPREAD = st.builds(lambda record, indent: json.dumps(record, indent=indent).encode(), MESSAGES, st.sampled_from([0, 1]))
RAW_NEWLINES = st.lists(st.sampled_from(["", "a b", "{", '\\"x\\"', "}"]), min_size=2, max_size=4).map(
    lambda lines: b'{"type":"x","text":"' + "\n".join(lines).encode() + b'"}'
)
FRAGMENTS = (
    *b' |\r|\0|\0\0\0|{}|{|}|[|]|"|{"|{"a":|"}|1|[1,2]|"text"|null|tru|log line|\\'.split(b"|"),
    *b'\xff\xfe|\xef\xbb\xbf|{"a":1}|{"a":{"b":"|{"a":[|{"b":2},|'.split(b"|"),
)


@st.composite
def torn(draw: st.DrawFn) -> bytes:
    """The beginning of a record."""
    whole = draw(WRITTEN)
    return whole[: draw(st.integers(1, len(whole) - 1))]


LINES = st.one_of(
    WRITTEN,
    torn(),
    SPREAD,
    RAW_NEWLINES,
    st.lists(st.one_of(WRITTEN, torn(), st.sampled_from(FRAGMENTS)), max_size=4).map(b"".join),
    st.sampled_from(FRAGMENTS),
)
FILES = st.builds(
    lambda lines, end: b"\n".join(lines) + end, st.lists(LINES, max_size=6), st.sampled_from([b"", b"\n"])
)


def may_nest(stub: bytes) -> bool:
    """Say whether a value may follow a stub, so that a record glued behind it looks nested in it."""
    unescaped = re.sub(rb"\\.", b"", stub.removesuffix(b"\\") if stub.endswith(b"\\") else stub)
    return unescaped.count(b'"') % 2 == 0 and re.search(rb"([:\[]|\[[^]]*,)\s*\Z", blank_strings(unescaped)) is not None


def blank_strings(unescaped: bytes) -> bytes:
    """Empty all strings and inner containers, so that the last comma's container shows."""
    outer = re.sub(rb'"[^"]*"', b'""', unescaped)
    while (inner := re.sub(rb"\{[^{}\[\]]*\}|\[[^{}\[\]]*\]", b"0", outer)) != outer:
        outer = inner
    return re.sub(rb"\[(?=[^\[]*\{)", b"(", outer)


@law
@given(st.lists(st.one_of(RECORDS, MESSAGES), max_size=5), st.sampled_from([b"\n", b"\r\n"]), st.booleans())
def test_whole_records_are_found_as_they_were_written(records: list[Any], end: bytes, ended: bool) -> None:
    lines = [orjson.dumps(record) for record in records]
    data = end.join(lines) + (end if ended else b"")
    entries = [entry for entry in entries_of(data) if entry.state != "blank"]
    assert [record.value for entry in entries for record in entry.records] == records
    for entry, line in zip(entries, lines, strict=True):
        (record,) = entry.records
        assert data[record.offset : record.offset + record.length] == line
        assert not entry.unreadable


@law
@given(FILES)
def test_entries_are_the_physical_lines(data: bytes) -> None:
    physical = data.split(b"\n")
    if not physical[-1]:
        physical.pop()
    offset = 0
    entries = entries_of(data)
    assert len(entries) == len(physical)
    for number, (entry, line) in enumerate(zip(entries, physical, strict=True)):
        assert (entry.number, entry.offset, entry.length) == (number, offset, len(line))
        for part in (*entry.records, *entry.unreadable):
            assert offset <= part.offset <= offset + len(line)
            assert part.length > 0
        offset += len(line) + 1


@law
@given(FILES)
def test_every_record_decodes_again_from_its_place(data: bytes) -> None:
    with snapshot(data) as lines:
        for entry in lines.entries():
            for record in entry.records:
                assert decode_record(lines.read, record.offset, record.length, lines.limit) == record.value


@law
@given(FILES)
def test_nothing_of_a_line_is_lost(data: bytes) -> None:
    covered = bytearray(len(data))
    entries = entries_of(data)
    for entry in entries:
        for part in (*entry.records, *entry.unreadable):
            assert not any(covered[part.offset : part.offset + part.length])
            covered[part.offset : part.offset + part.length] = b"\1" * part.length
    for entry in entries:
        line = slice(entry.offset, entry.offset + entry.length)
        if entry.state in ("record", "unreadable"):
            rest = bytes(byte for byte, taken in zip(data[line], covered[line], strict=True) if not taken)
            assert not rest.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n\0")


@short_law
@given(FILES, st.integers(1, 64), st.integers(1, 64))
def test_blocks_of_any_size_give_the_same_entries(data: bytes, block: int, start: int) -> None:
    entries = entries_of(data)
    assert entries_of(data, block=block) == entries
    for entry in entries[:start]:
        if entry.settled and entry.state in ("record", "blank", "value"):
            assert (
                entries_of(data, entry.number, entry.offset, block=block)[0].records == entry.records
                or entry.offset == 0
            )


@st.composite
def growing(draw: st.DrawFn) -> tuple[bytes, list[int]]:
    """A file, and lengths it had before: every line end, and some between."""
    data = draw(FILES)
    cuts = [match.end() for match in re.finditer(b"\n", data)]
    return data, [*cuts, *draw(st.lists(st.integers(0, len(data)), max_size=8))]


@law
@given(growing())
def test_what_was_settled_stays_however_the_file_grows(file: tuple[bytes, list[int]]) -> None:
    data, cuts = file
    whole = entries_of(data)
    for cut in cuts:
        prefix = entries_of(data[:cut])
        settled = [entry for entry in prefix if entry.settled]
        assert settled == prefix[: len(settled)] == whole[: len(settled)]
        offset = prefix[len(settled)].offset if len(settled) < len(prefix) else cut
        assert entries_of(data, len(settled), offset) == whole[len(settled) :]


@law
@given(growing())
def test_a_record_once_seen_stays_whatever_is_written_behind_it(file: tuple[bytes, list[int]]) -> None:
    def records(entries: list[Entry]) -> list[tuple[Any, ...]]:
        return [(entry.number, *record) for entry in entries for record in entry.records]

    data, cuts = file
    whole = records(entries_of(data))
    for cut in cuts:
        assert [record for record in records(entries_of(data[:cut])) if record not in whole] == []


@law
@given(WRITTEN, WRITTEN, st.booleans(), st.sampled_from([b"", b"\0\0", b" "]), st.data())
def test_a_record_behind_a_torn_one_is_salvaged(
    first: bytes, second: bytes, third: bool, between: bytes, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(first)))
    stub = first[:cut]
    line = stub + between + second + (second if third else b"")
    (entry,) = entries_of(line + b"\n")
    values = [record.value for record in entry.records]
    expected = [loads(second)] * (2 if third else 1)
    if cut == len(first):
        assert values == [loads(first), *expected]
        assert not entry.unreadable
    elif may_nest(stub) and b"\0" not in between:
        assert values in ([], expected[1:])
        assert entry.unreadable
    else:
        assert values == expected
        assert all(record.salvaged for record in entry.records)
        (unreadable,) = entry.unreadable
        assert (unreadable.line, unreadable.offset, unreadable.reason) == (1, 0, "torn")
        assert line[unreadable.length :].lstrip(b" \0").startswith(second)


@law
@given(st.one_of(WRITTEN, RECORDS.map(orjson.dumps)), st.data())
def test_nothing_nested_in_a_torn_record_is_taken_for_a_record(written: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(written) - 1))
    (entry,) = entries_of(written[:cut] + b"\n")
    assert entry.records == ()
    assert [(found.offset, found.length, found.reason) for found in entry.unreadable] == [
        (0, len(written[:cut].rstrip()), "torn")
    ]


@law
@given(torn(), WRITTEN)
def test_a_torn_line_never_swallows_the_record_behind_it(stub: bytes, record: bytes) -> None:
    first, second = entries_of(stub + b"\n" + record + b"\n")
    assert (first.state, second.state) == ("unreadable", "record")
    assert second.records[0].value == loads(record)


@law
@given(st.one_of(SPREAD, RAW_NEWLINES), st.one_of(st.just(b""), torn().map(lambda stub: stub + b"\n")), WRITTEN)
def test_a_record_spread_over_lines_belongs_to_the_first(spread: bytes, before: bytes, behind: bytes) -> None:
    entries = entries_of(before + spread + b"\n" + behind)
    start = 1 if before else 0
    lines = spread.count(b"\n") + 1
    assert len(entries) == start + lines + 1
    (record,) = entries[start].records
    assert (record.offset, record.length, record.value) == (len(before), len(spread), loads(spread))
    assert {entry.state for entry in entries[start + 1 : -1]} <= {"continuation"}
    assert entries[-1].records[0].value == loads(behind)
