"""Selectors parse to what they say, and a wrong one is told how it should be."""

from __future__ import annotations

import pytest

from unspool.errors import BadQuery
from unspool.outputs.selector import ByteRange, Elements, Grep, Key, Lines, Selector, Tail, parse_selector

GOOD: list[tuple[str, Selector]] = [
    ("lines:1-1", Lines(1, 1)),
    ("lines:20-50", Lines(20, 50)),
    ("bytes:0..4096", ByteRange(0, 4096)),
    ("bytes:7..7", ByteRange(7, 7)),
    ("tail:50", Tail(50)),
    ("grep:Traceback", Grep("Traceback")),
    ("grep: a:b ", Grep(" a:b ")),
    ("slice:0..3", Elements(0, 3)),
    ("slice:4..4", Elements(4, 4)),
    ("key:results", Key("results")),
    ("key:a:b", Key("a:b")),
]

BAD = [
    ("", "not a selector"),
    ("lines", "not a selector"),
    ("rows:1-2", "not a selector"),
    ("Lines:1-2", "not a selector"),
    ("lines:5", "lines needs A-B"),
    ("lines:5-", "lines needs A-B"),
    ("lines:-5", "lines needs A-B"),
    ("lines:+1-2", "lines needs A-B"),
    ("lines: 1-2", "lines needs A-B"),
    ("lines:1-2-3", "lines needs A-B"),
    ("lines:٣-٤", "lines needs A-B"),
    ("lines:0-4", "lines count from 1"),
    ("lines:9-4", "swap them"),
    ("slice:1-2", r"slice needs A\.\.B"),
    ("slice:5..2", "swap them"),
    ("bytes:-1..2", r"bytes needs A\.\.B"),
    ("tail:0", "tail needs a number"),
    ("tail:x", "tail needs a number"),
    ("grep:", "grep needs a text"),
    ("key:", "key needs a name"),
]


@pytest.mark.parametrize(("text", "selector"), GOOD)
def test_a_selector_means_what_it_says(text: str, selector: Selector) -> None:
    assert parse_selector(text) == selector
    assert str(selector) == text


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        (f"lines:1-{'9' * 19}", Lines(1, 10**18 - 1)),
        (f"slice:{'9' * 30}..{'9' * 5000}", Elements(10**18 - 1, 10**18 - 1)),
        (f"bytes:{'0' * 40}7..{'9' * 18}", ByteRange(7, 10**18 - 1)),
        (f"tail:{'9' * 99}", Tail(10**18 - 1)),
    ],
)
def test_a_number_behind_every_end_is_the_largest(text: str, selector: Selector) -> None:
    assert parse_selector(text) == selector


@pytest.mark.parametrize(("text", "told"), BAD)
def test_a_wrong_selector_is_told_in_one_line(text: str, told: str) -> None:
    with pytest.raises(BadQuery, match=told) as caught:
        parse_selector(text)
    assert "\n" not in str(caught.value)
