from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unspool.blobs import line_map
from unspool.blobs.line_map import LineMap

TEXTS = st.lists(st.sampled_from([b"\n", b"a", b"bb\n", b"\r\n", b"\xe2\x80\xa8", b"x" * 40]), max_size=60).map(
    b"".join
)


def over(text: bytes, block: int = 4) -> LineMap:
    return LineMap(lambda start, stop: text[start:stop], len(text), block=block)


def starts(text: bytes) -> list[int]:
    found, position = [], 0
    for line in text.split(b"\n"):
        if position < len(text):
            found.append(position)
        position += len(line) + 1
    return found


@given(TEXTS, st.integers(1, 9))
def test_every_line_starts_where_a_plain_split_says(text: bytes, block: int) -> None:
    lines = over(text, block)
    expected = starts(text)
    for number in (*range(len(expected), 0, -1), *range(1, len(expected) + 1)):
        assert lines.start(number) == expected[number - 1]
    assert lines.start(len(expected) + 1) is None
    assert lines.start(0) is None
    assert lines.count == len(expected)


@given(TEXTS, st.integers(1, 9))
def test_every_byte_lies_in_the_line_that_counting_gives(text: bytes, block: int) -> None:
    lines = over(text, block)
    for offset in range(len(text) - 1, -1, -1):
        assert lines.at(offset) == text.count(b"\n", 0, offset) + 1


@given(TEXTS)
def test_answers_stay_the_same_when_blocks_are_merged(text: bytes) -> None:
    merged = over(text, 1)
    merged_limit, line_map.CHECKPOINTS = line_map.CHECKPOINTS, 3  # type: ignore[misc]
    try:
        assert [merged.start(number + 1) for number in range(len(starts(text)))] == starts(text)
        assert merged.count == len(starts(text))
        assert all(merged.at(offset) == text.count(b"\n", 0, offset) + 1 for offset in range(len(text)))
    finally:
        line_map.CHECKPOINTS = merged_limit  # type: ignore[misc]


def test_only_what_lies_before_a_line_is_read() -> None:
    reads: list[tuple[int, int]] = []
    text = b"one\ntwo\n" + b"z" * (line_map.BLOCK * 3)

    def read(start: int, stop: int) -> bytes:
        reads.append((start, stop))
        return text[start:stop]

    assert LineMap(read, len(text)).start(2) == 4
    assert max(stop for _, stop in reads) <= line_map.BLOCK


def test_a_line_that_was_passed_is_found_from_its_block_alone() -> None:
    reads: list[int] = []
    text = b"".join(b"%d\n" % number for number in range(400_000))

    def read(start: int, stop: int) -> bytes:
        data = text[start:stop]
        reads.append(len(data))
        return data

    lines = LineMap(read, len(text))
    assert lines.count == 400_000
    reads.clear()
    assert lines.start(200_001) == text.index(b"\n200000\n") + 1
    assert sum(reads) <= line_map.BLOCK
