from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from unspool_tui.present.found import Found
from unspool_tui.present.lines import line_of
from unspool_tui.present.matches import pattern_of

texts = st.lists(st.text("abA ", max_size=12), max_size=6)
queries = st.sampled_from(["a", "ab", "A", "aa", "b a"])


def naive(lines: list[str], query: str) -> list[tuple[int, int]]:
    flags = 0 if query != query.lower() else re.IGNORECASE
    return [(at, found.start()) for at, line in enumerate(lines) for found in re.finditer(query, line, flags)]


def found_in(lines: list[str], query: str) -> Found:
    return Found([line_of([(line, "text")]) for line in lines], pattern_of(query, "smart"))


@given(texts, queries)
def test_going_on_from_match_to_match_visits_each_once_and_counts_it(lines: list[str], query: str) -> None:
    found = found_in(lines, query)
    visited = []
    here = True
    while found.go(found.spot or (0, 0), here=here):
        assert found.spot is not None
        visited.append(found.spot)
        assert found.now == len(visited) - 1
        here = False

    assert visited == naive(lines, query)
    assert found.count == len(visited)
    assert list(found.lines) == sorted({line for line, _ in visited})


@given(texts, queries)
def test_going_back_visits_the_same_matches_the_other_way_round(lines: list[str], query: str) -> None:
    found = found_in(lines, query)
    visited = []
    while found.go(found.spot or (len(lines), 0), backward=True):
        assert found.spot is not None
        visited.append(found.spot)

    assert visited[::-1] == naive(lines, query)


@given(texts, queries, st.integers(0, 12), st.integers(0, 12))
def test_the_matches_of_a_row_are_those_that_touch_it(lines: list[str], query: str, start: int, stop: int) -> None:
    found = found_in(lines, query)
    for index in range(len(lines)):
        spans = [(at, at + len(query)) for line, at in naive(lines, query) if line == index]
        touching = [(a, b) for a, b in spans if a < stop and b > start]
        assert [(each.start, each.stop) for each in found.in_line(index, start, stop)] == touching


def test_without_words_nothing_is_found() -> None:
    found = found_in(["a"], "")

    assert (found.count, found.now, list(found.lines), found.go((0, 0))) == (0, None, [], False)
