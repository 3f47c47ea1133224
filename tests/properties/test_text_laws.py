"""Display text: whatever comes in, nothing that a terminal obeys comes out."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.laws import law
from unspool.text import clean, cut, line_count, size, unspaced, utf8

SEQUENCES = (
    "\x1b", "\x1b[", "\x1b]", "\x1bP", "\x1b\\", "\x1b(", "\x1bc", "\x9b", "\x9d", "\x9c", "\x90", "\x07",
    "[31m", "]0;", "2J", "\r", "\n", "\t", "\x7f", "\x85", "\u2028", "\u202e", "\u2069", "\u200b", "\u200d",
    "\ufe0f", "\u0301" * 3, "\u0489", "\U000e0041", "\U0001f1e9", "\U0001f3fd", "\u0600", "\ufeff",
    "\ud83d", "\udc00", "é", "日", "🚀", "a",
)  # fmt: skip
HOSTILE = st.one_of(
    st.lists(st.sampled_from(SEQUENCES), max_size=30).map("".join),
    st.text(st.characters(), max_size=30),
    st.text(st.characters(max_codepoint=0xA0), max_size=30),
)
ODD_SYMBOLS = "\u115f\u1160\u3164\uffa0" + "".join(map(chr, (*range(0x1F1E6, 0x1F200), *range(0x1F3FB, 0x1F400))))
ODD_SPACES = "".join(char for char in map(chr, range(0x3001)) if char.isspace())
OBEYED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff\U000e0000-\U000e0fff]"
)


@law
@given(HOSTILE, st.booleans())
def test_nothing_is_left_that_a_terminal_obeys(raw: str, newline: bool) -> None:
    shown = clean(raw, newline=newline)
    assert not OBEYED.search(shown)
    assert newline or "\n" not in shown
    shown.encode()
    for start in range(len(shown) - 4):
        assert not all(unicodedata.category(mark) in ("Mn", "Me") for mark in shown[start : start + 5])


@law
@given(HOSTILE, st.booleans())
def test_cleaning_twice_changes_nothing(raw: str, newline: bool) -> None:
    shown = clean(raw, newline=newline)
    assert clean(shown, newline=newline) == shown


@law
@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"], exclude_characters=ODD_SYMBOLS), max_size=30))
def test_ordinary_text_is_shown_as_it_is(raw: str) -> None:
    assert clean(raw) == raw
    assert clean(f"{raw}\n{raw}") == f"{raw}\n{raw}"


@law
@given(HOSTILE, st.integers(-2, 130))
def test_a_cut_is_the_longest_beginning_that_fits(raw: str, most: int) -> None:
    head = cut(raw, most)
    assert raw.startswith(head)
    assert size(head) == len(utf8(head)) <= max(0, most)
    if len(head) < len(raw):
        assert size(raw[: len(head) + 1]) > most


@law
@given(st.lists(st.text("ab\r\u2028", max_size=3), max_size=5), st.booleans())
def test_lines_are_what_line_feeds_end(lines: list[str], ended: bool) -> None:
    raw = "\n".join(lines) + ("\n" if ended and lines else "")
    expected = len(lines) if ended or (lines and lines[-1]) else max(0, len(lines) - 1)
    assert line_count(raw) == expected


@law
@given(st.one_of(HOSTILE, st.text(st.characters(max_codepoint=0x7F)), st.text(st.sampled_from(ODD_SPACES + "aé"))))
def test_a_text_without_its_white_space_is_what_splitting_leaves_of_it(raw: str) -> None:
    assert unspaced(raw) == utf8("".join(raw.split()))
