"""What is marked in a text is found by the marks that the text has, as all of them together would find it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unspool_tui.present.markdown_words import _MARKS, plain, token

PARTS = (
    "word", " ", "\n", "a.b", "`", "``", "*", "**", "***", "_", "__", "~~", "\\", "\\*", "[", "](", ")", "!", "<",
    "https://a.b", ">", "&amp;", "&#64;", "[a](b)", "![a](b)", "<a:b>", "`x`", "**b**", "*i*", "_i_", "__a b__",
    "~~s~~",
)  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_what_is_marked_is_found_by_the_marks_that_are_there(text: str) -> None:
    marks = _MARKS.intersection(text)
    found = [each.span() for each in token(marks).finditer(text)] if marks else []
    assert found == [each.span() for each in token(_MARKS).finditer(text)]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("a `b` c", "a b c"),
        ("**a** and *b* and _c_ and __d e__", "a and b and c and d e"),
        ("~~a~~ \\* &amp; <https://a.b> [c](d)", "a * & https://a.b c (d)"),
        ("snake_case stays, as 2*3*4 does", "snake_case stays, as 2*3*4 does"),
        ("***a*** ![b](c)", "a b (c)"),
    ],
)
def test_marks_are_taken_away(written: str, said: str) -> None:
    assert plain(written) == said
