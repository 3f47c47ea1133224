"""Windows of bytes fit together as text, whatever the bytes are."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from unspool.text import size
from unspool.views import decoding
from unspool.views.decoding import LONGEST, border, decoded

CHARACTERS = [
    b"a",
    b"\n",
    "ä".encode(),
    "語".encode(),
    "🚀".encode(),
    b"\xff",
    b"\xe8\xaa",
    b"\xf0\x9f\x9a",
    b"\x80",
    b"\xc3",
]
BYTES = st.lists(st.sampled_from(CHARACTERS), max_size=40).map(b"".join) | st.binary(max_size=80)


@given(BYTES, st.integers(3, 30))
def test_windows_give_what_decoding_at_once_gives(data: bytes, room: int) -> None:
    said, position = "", 0
    while position < len(data):
        text, taken, cut_short = decoded(data[position : position + room + LONGEST], room, len(data) - position)
        assert size(text) <= room
        if room >= LONGEST or taken:
            assert taken
        if not taken:
            return
        assert cut_short == (position + taken < len(data))
        said, position = said + text, position + taken
    assert said == data.decode(errors="replace")


@given(BYTES, st.integers(0, 80), st.integers(0, 80))
@example("ä".encode(), 0, 1)
@example(b"a\xe8\xaa", 0, 2)
def test_a_character_that_ends_behind_what_is_wanted_is_left_out(data: bytes, one: int, other: int) -> None:
    start, stop = sorted((min(one, len(data)), min(other, len(data))))
    text, taken, cut_short = decoded(data[start : stop + LONGEST], 1_000, stop - start)
    assert not cut_short
    assert start + taken <= stop
    assert data[start : start + taken].decode(errors="replace") == text


@pytest.mark.parametrize(
    ("offset", "expected"), [(0, 0), (1, 1), (2, 3), (3, 3), (4, 7), (5, 7), (6, 7), (7, 7), (8, 8)]
)
def test_a_place_inside_a_character_becomes_the_one_behind_it(offset: int, expected: int) -> None:
    data = "aä🚀b".encode()
    assert border(lambda start, stop: data[max(0, start) : stop], offset) == expected


@given(BYTES)
def test_a_place_where_a_window_may_end_stays(data: bytes) -> None:
    position = 0
    while position < len(data):
        assert border(lambda start, stop: data[max(0, start) : stop], position) == position
        position += decoded(data[position:], 4, len(data) - position)[1]


def test_a_long_text_is_decoded_whole() -> None:
    data = ("語" * decoding.STRETCH).encode()
    assert decoded(data, len(data), len(data)) == (data.decode(), len(data), False)
