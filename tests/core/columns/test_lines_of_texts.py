"""Lines of a long text are found wherever one looks next, and looking nearby costs no walk from the beginning."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from unspool.columns import piece_text
from unspool.columns.piece_text import PieceText, RawBytes

TEXTS = st.text(st.sampled_from("\n\nabé"), max_size=200)
LOOKS = st.lists(st.tuples(st.sampled_from(["at", "start", "begin"]), st.integers(0, 220)), max_size=30)


@law
@given(TEXTS, LOOKS, st.sampled_from([5, 64, 1 << 20]))
def test_looking_here_and_there_gives_what_looking_once_gives(
    text: str, looks: list[tuple[str, int]], block: int
) -> None:
    data = text.encode()
    starts = [0, *(at + 1 for at, byte in enumerate(data) if byte == 10)]
    kept, piece_text.BLOCK = piece_text.BLOCK, block
    try:
        measured = PieceText([RawBytes(lambda offset, size: data[offset : offset + size], len(data))])
        for how, number in looks:
            if how == "at" and number <= len(data):
                assert measured.line_at(number) == data.count(b"\n", 0, number) + 1
            elif how == "start":
                known = 1 <= number <= len(starts) and (number == 1 or starts[number - 1] < len(data))
                assert measured.line_start(number) == (starts[number - 1] if known else None)
            elif how == "begin" and number < len(data):
                assert measured.line_begin(number) == data.rfind(b"\n", 0, number) + 1
    finally:
        piece_text.BLOCK = kept


def test_stepping_through_a_hundred_thousand_lines_takes_no_longer_than_reading_them() -> None:
    text = PieceText.of("x\n" * 100_000)
    assert text.line_count == 100_000
    began = time.process_time()
    for line in range(1, 100_000):
        start = text.line_start(line)
        assert start == 2 * line - 2
        assert text.line_start(line + 1) == 2 * line
        assert text.line_at(start) == line
    assert time.process_time() - began < 5
