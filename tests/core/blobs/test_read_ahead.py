"""What is read ahead is the text, in order, and whoever stops early leaves no thread behind."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unspool.blobs.read_ahead import read_ahead

TEXT = bytes(range(100))


def ahead_of_me() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("unspool-read-ahead")]


@given(st.integers(0, 110), st.integers(0, 100), st.integers(1, 120))
def test_the_pieces_are_the_text_from_the_start_on(start: int, size: int, piece: int) -> None:
    pieces = [*read_ahead(lambda begin, stop: TEXT[begin:stop], start, size, piece)]
    assert b"".join(pieces) == TEXT[start:size]
    assert all(len(each) == piece for each in pieces[:-1])
    assert all(pieces)


def test_no_more_than_one_piece_is_read_ahead() -> None:
    asked: list[int] = []

    def read(start: int, stop: int) -> bytes:
        asked.append(start)
        return TEXT[start:stop]

    pieces = read_ahead(read, 0, 100, 10)
    assert next(pieces) == TEXT[:10]
    assert asked == [0], "the first one costs no thread"
    assert not ahead_of_me()
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    assert asked == [0, 10, 20]
    assert not ahead_of_me()


def test_what_a_read_raises_is_raised_where_the_piece_is_wanted() -> None:
    def read(start: int, stop: int) -> bytes:
        if start >= 20:
            raise OSError(5, "cannot be read")
        return TEXT[start:stop]

    pieces = read_ahead(read, 0, 100, 10)
    assert [next(pieces), next(pieces)] == [TEXT[:10], TEXT[10:20]]
    with pytest.raises(OSError, match="cannot be read"):
        next(pieces)
    assert not ahead_of_me()
