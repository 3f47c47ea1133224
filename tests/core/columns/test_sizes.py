"""Bytes and lines of a text at hand are those that the text has, whatever characters it is made of."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from unspool.columns.measured import sizes_of
from unspool.text import line_count, size

TEXTS = st.text(st.sampled_from("\n\n\r\u2028abé日🚀\ud800"), max_size=80)


@law
@given(TEXTS, st.integers(0, 3))
def test_sizes_are_those_of_the_text(text: str, longer: int) -> None:
    text *= 10**longer
    assert sizes_of(text) == (size(text), line_count(text))


def test_the_empty_text_has_no_line() -> None:
    assert [sizes_of(text) for text in ("", "\n", "a", "a\n", "é", "é\n")] == [
        (0, 0),
        (1, 1),
        (1, 1),
        (2, 1),
        (2, 1),
        (3, 1),
    ]
