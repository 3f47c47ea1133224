"""What raw bytes prove: a needle as JSON writes it stands there as often as the needle stands in the text."""

from __future__ import annotations

import json

import pytest
import stringzilla
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from unspool.search.needle import Case, Needle
from unspool.search.written import Written, spans_structure
from unspool.text import utf8

HOSTILE = 'aAnNuUbfrt01\\"/\n\t\x1b\x7fßẞſéİKﬁ日🚀 '
TEXTS = st.text(st.sampled_from(HOSTILE), max_size=40)
QUERIES = st.text(st.sampled_from(HOSTILE), min_size=1, max_size=3)
CASES = st.sampled_from(["ignore", "exact"])


def escaped(text: str, depth: int) -> bytes:
    for _ in range(depth):
        text = json.dumps(text, ensure_ascii=False)[1:-1]
    return text.encode()


@law
@given(TEXTS, QUERIES, CASES, st.integers(1, 2))
def test_some_match_stands_where_the_text_holds_the_needle(text: str, query: str, case: Case, depth: int) -> None:
    needle, raw = Needle.of(query, case), b'"' + escaped(text, depth) + b'"'
    written = Written.of(needle, depth)
    at = written.find(raw, 0)
    while at >= 0 and not written.stands(raw, at):
        at = written.find(raw, at + 1)
    assert (at >= 0) == (needle.find(utf8(text)) >= 0)


@law
@given(TEXTS, QUERIES, CASES, st.integers(1, 2))
def test_matches_are_counted_in_raw_bytes_or_not_at_all(text: str, query: str, case: Case, depth: int) -> None:
    needle, raw = Needle.of(query, case), b"a" + escaped(text, depth) + b"a"
    count = Written.of(needle, depth).counter(raw)(1, len(raw) - 1)
    assert count in (None, sum(1 for _ in needle.matches(utf8(text))))


@pytest.mark.parametrize(
    ("query", "depth", "text", "matches"),
    [
        ("name", 1, "a name\nand a Name", 2),
        ("name", 1, "a\name", None),
        ("name", 2, "a\name", None),
        ("self", 2, "return self\nreturn self", 2),
        ("\n", 1, "a\nb\n", 2),
        ("\n", 1, "a\\\n", None),
        ("e", 1, "\x1b[31me", None),
        ("e", 1, "ee", 2),
    ],
)
def test_matches_are_counted_where_none_of_them_may_be_part_of_an_escape(
    query: str, depth: int, text: str, matches: int | None
) -> None:
    raw = escaped(text, depth)
    assert Written.of(Needle.of(query), depth).counter(raw)(0, len(raw)) == matches


@law
@given(TEXTS, QUERIES)
def test_folded_matches_are_counted_as_they_are_listed(text: str, query: str) -> None:
    needle = Needle.of(query)
    assert needle.count(utf8(text)) == len(list(needle.matches(utf8(text))))


def folded(text: str) -> bytes:
    return bytes(stringzilla.utf8_uncased_fold(text.encode()))


def test_letters_inside_other_characters_are_counted() -> None:
    blocks = ["".join(map(chr, range(start, start + 128))) for start in range(0x80, 0x110000, 128) if start >> 11 != 27]
    holders = [each for block in blocks if min(folded(block)) < 0x80 for each in block if min(folded(each)) < 0x80]
    assert len(holders) > 15
    for each in holders:
        for letter in {*folded(each)} & {*range(0x80)}:
            needle = Needle.of(chr(letter))
            assert needle.count(each.encode()) == len(list(needle.matches(each.encode()))), each


@pytest.mark.parametrize("query", ["1,", "],", "e:1", '{"', "true,", "FALSE}", "[", ":-1.5E3"])
def test_what_may_stand_between_values_is_told(query: str) -> None:
    assert spans_structure(Needle.of(query)) == ('"' not in query)


@pytest.mark.parametrize("query", ["12", "true", "b,", "std::string", ", "])
def test_what_stands_in_values_alone_is_told(query: str) -> None:
    assert not spans_structure(Needle.of(query))


@pytest.mark.parametrize(
    ("query", "spans"),
    [(" ", True), ("e ", True), (", 1", True), (" x", False), ("return self", False), ("a b", False)],
)
def test_blanks_may_stand_between_values_beside_punctuation(query: str, spans: bool) -> None:
    assert spans_structure(Needle.of(query), blanks=True) == spans
