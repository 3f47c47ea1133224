"""Ranges that hold a match are found in one walk, whatever stands between them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from unspool.search.ranges import holding

BYTES = st.text(st.sampled_from("ab\\|"), max_size=60).map(str.encode)


def spans(raw: bytes) -> list[tuple[int, int]]:
    """The stretches between bars, every other one."""
    found, start = [], 0
    for number, part in enumerate(raw.split(b"|")):
        if number % 2:
            found.append((start, start + len(part)))
        start += len(part) + 1
    return found


@law
@given(BYTES, st.sampled_from([b"a", b"ab", b"b\\"]))
def test_a_range_holds_what_begins_in_it_and_stands(raw: bytes, needle: bytes) -> None:
    ranges = spans(raw)
    starts, stops = [start for start, _ in ranges], [stop for _, stop in ranges]
    found = holding(raw, 0, starts, stops, lambda data, at: data.find(needle, at))
    assert found == [number for number, (start, stop) in enumerate(ranges) if 0 <= raw.find(needle, start) < stop]
    here, there = [start + 7 for start in starts], [stop + 7 for stop in stops]
    stands = holding(
        raw, 7, here, there, lambda data, at: data.find(needle, at), lambda data, at: data[at - 1 : at] != b"\\"
    )
    assert stands == [
        number
        for number, (start, stop) in enumerate(ranges)
        if any(raw.startswith(needle, at) and raw[at - 1 : at] != b"\\" for at in range(start, stop))
    ]


def test_ranges_are_looked_into_once_each() -> None:
    looks: list[int] = []

    def find(data: bytes, at: int) -> int:
        looks.append(at)
        return data.find(b"a", at)

    raw = b"a" * 1000
    assert holding(raw, 0, range(0, 1000, 10), range(5, 1005, 10), find) == list(range(100))
    assert len(looks) == 100
    assert holding(raw[:900] + b"b" * 100, 0, [900, 950], [940, 1000], find) == []
    assert len(looks) == 101


def test_rows_of_one_record_share_its_range() -> None:
    assert holding(b"..a..a", 0, [0, 0, 3], [3, 3, 5], lambda data, at: data.find(b"a", at)) == [0, 1]
