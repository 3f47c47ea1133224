"""A text read by blocks of any size is the text: its ranges, lines and borders, in whatever order one asks."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from unspool.columns import piece_text
from unspool.columns.piece_text import Literal, PieceText, RawBytes, RawString, Segment, border_after, border_before
from unspool.errors import SourceChanged

CHARACTERS = st.sampled_from('a\n\n\té日🚀"\\ \x00')
TEXTS = st.text(CHARACTERS, max_size=40)
PARTS = st.lists(st.tuples(st.sampled_from(["literal", "file", "escaped", "plain", "quoted"]), TEXTS), max_size=5)
QUESTIONS = st.lists(
    st.tuples(st.sampled_from(["read", "start", "at", "begin", "border"]), st.integers(0, 90), st.integers(0, 30)),
    max_size=12,
)


def segment(kind: str, text: str) -> tuple[Segment, str]:
    """A stretch of text that lies somewhere, and the text."""
    if kind == "literal":
        return Literal(text.encode()), text
    if kind == "file":
        data = text.encode()
        return RawBytes(lambda offset, length: data[offset : offset + length], len(data)), text
    raw = b"xx" + json.dumps(text, ensure_ascii=kind == "escaped").encode()
    string = RawString(lambda offset, length: raw[offset : offset + length], (3, len(raw) - 1), quoted=kind == "quoted")
    return string, json.dumps(text, ensure_ascii=False)[1:-1] if kind == "quoted" else text


def ask(text: PieceText, question: str, number: int, length: int) -> object:
    if question == "read":
        return text.read(number, number + length)
    if question == "start":
        return text.line_start(number)
    if question == "border":
        return text.border_after(number)
    return text.line_at(number) if question == "at" else text.line_begin(number)


def answer(data: bytes, question: str, number: int, length: int) -> object:
    if question == "read":
        return data[number : number + length]
    if question == "border":
        return border_after(data, number)
    if question == "begin":
        return data.rfind(b"\n", 0, number) + 1
    if question == "at":
        return data.count(b"\n", 0, number) + 1
    starts = [0, *(place + 1 for place, byte in enumerate(data) if byte == 10 and place + 1 < len(data))]
    return starts[number - 1] if 1 <= number <= len(starts) else None


@law
@given(PARTS, QUESTIONS, st.integers(12, 40))
def test_every_question_has_the_answer_of_the_whole_text(
    parts: list[tuple[str, str]], questions: list[tuple[str, int, int]], block: int
) -> None:
    made = [segment(*part) for part in parts]
    data = "".join(text for _, text in made).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(piece_text, "BLOCK", block)
        text = PieceText([each for each, _ in made])
        for question, number, length in questions:
            number = min(number, len(data)) if question in ("at", "begin") else number
            assert ask(text, question, number, length) == answer(data, question, number, length), (question, number)
        assert b"".join(given_block for _, given_block in text.blocks()) == data
        assert text.size == len(data)
        assert text.line_count == data.count(b"\n") + (not data.endswith(b"\n") and data != b"")


def test_a_read_that_failed_is_tried_again_and_never_the_end() -> None:
    broken = True

    def read(offset: int, length: int) -> bytes:
        if broken and offset:
            raise SourceChanged("gone", path="x", byte_range=(offset, offset + length))
        return b"0123456789"[offset : offset + length]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(piece_text, "BLOCK", 4)
        text = PieceText([RawBytes(read, 10)])
        assert text.read(0, 4) == b"0123"
        for _ in range(2):
            with pytest.raises(SourceChanged):
                text.read(0, 10)
        with pytest.raises(SourceChanged):
            _ = text.size
        broken = False
        assert text.read(0, 10) == b"0123456789"
        assert text.size == 10


@law
@given(TEXTS, st.integers(-5, 200))
def test_borders_lie_between_characters(text: str, offset: int) -> None:
    data = text.encode()
    borders = [len(text[:index].encode()) for index in range(len(text) + 1)]
    inside = max(0, min(offset, len(data)))
    assert border_before(data, offset) == max(border for border in borders if border <= inside)
    assert border_after(data, offset) == min(border for border in borders if border >= inside)


def test_an_empty_text_has_no_lines() -> None:
    parts: Sequence[Segment] = [Literal(b""), RawBytes(lambda offset, length: b"", 0)]
    text = PieceText(parts)
    assert (text.size, text.line_count, text.read(0, 5), text.line_at(0)) == (0, 0, b"", 1)
    assert (text.line_start(1), text.line_start(2)) == (0, None)
