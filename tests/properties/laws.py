"""How laws are tried: the same examples at every run, and no clock."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

law = settings(deadline=None, derandomize=True, database=None, max_examples=120)
short_law = settings(law, max_examples=50)

CHARACTERS = st.one_of(
    st.sampled_from(' "\\/{}[]:,\n\r\t\x00\x1bé日🚀\u2028\ufeffab'),
    st.characters(exclude_categories=["Cs"]),
)
TEXT = st.text(CHARACTERS, max_size=12)
NUMBERS = st.one_of(st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False, allow_infinity=False))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT, inner, max_size=4)),
    max_leaves=12,
)
RECORDS = st.dictionaries(TEXT, VALUES, min_size=1, max_size=4)
