"""Rows tell what was said in a few words: without the marks of Markdown, images by their type; matches stay marked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sessions import view_of
from unspool_tui.present.evidence_row import Piece, evidence_row
from unspool_tui.present.few_words import few_words, plain_around


def row_of(who: str, said: Any, query: str = "") -> list[tuple[str, str]]:
    """Return the cells of a piece's row, that of a search where something is searched."""
    view = view_of([(who, said)])
    evidence = view.evidence_at(0)
    hit = view.search(query).hits[0] if query else None
    piece = Piece(
        evidence.id, evidence.kind, evidence.tool_part, evidence.tool, evidence.flags, evidence.time, evidence.bytes,
        evidence.lines, matches=hit.matches if hit else None, evidence=evidence, hit=hit,
    )  # fmt: skip
    return list(evidence_row(piece, 100, bar=(" ", "text"), here=False, wide=False, zone=None))


def words_of(row: list[tuple[str, str]]) -> str:
    return "".join(text for text, _ in row)


def found_in(row: list[tuple[str, str]]) -> list[str]:
    return [text for text, ink in row if ink.startswith("match on")]


@pytest.mark.parametrize("who", ["user", "assistant"])
def test_what_was_said_is_told_without_its_marks(who: str) -> None:
    row = words_of(row_of(who, "## Why **must** `lock` hold?\n\nBecause."))
    assert "Why must lock hold?" in row
    assert "#" not in row


def test_what_a_tool_was_told_and_printed_stays_as_it_is() -> None:
    assert "find '**/a*' `x`" in words_of(row_of("input", {"command": "find '**/a*' `x`"}))
    assert "## 3 **kept**" in words_of(row_of("output", "## 3 **kept**"))


def test_an_image_is_named_by_its_type() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0K"}}
    row = words_of(row_of("user", [{"type": "text", "text": "Like this:"}, image]))
    assert "Like this:" in row
    assert "[PNG image]" in words_of(row_of("user", [image]))
    assert "[PNG image]" in words_of(row_of("output", [image]))


def test_names_and_calls_of_code_are_not_taken_for_marks_that_a_cut_left_open() -> None:
    for said in ("Where is __init__ called", "f(*args, **kwargs)", "a **b", "run `ls"):
        assert few_words(said) == said
    assert few_words("so **this is bold and cut in its m…") == "so this is bold and cut in its m…"


def test_a_match_is_marked_where_it_stands_without_the_marks() -> None:
    row = row_of("assistant", "# The **exact** words of `lock.acquire` and more words", "words")
    assert "The exact words of lock.acquire and more words" in words_of(row)
    assert found_in(row) == ["words", "words"]
    assert found_in(row_of("assistant", "The **exact** words", "exact")) == ["exact"]


@pytest.mark.parametrize("query", ["**", "**exact", "`lock`", "# The"])
def test_a_match_of_the_marks_themselves_is_shown_as_it_was_written(query: str) -> None:
    row = row_of("assistant", "# The **exact** words of `lock`", query)
    assert "# The **exact** words of `lock`" in words_of(row)
    assert query in found_in(row)


def test_a_tools_match_is_shown_as_it_was_written() -> None:
    assert "ls **/x" in words_of(row_of("input", {"command": "ls **/x **/y"}, "x"))


PARTS = st.sampled_from(
    ["a", "é日", " ", "**", "*", "`", "``", "_", "~~", "[x](y)", "# ", "&amp;", "\\*", "…", "<u:v>"]
)


@given(st.lists(PARTS, min_size=1, max_size=12).map("".join), st.data())
def test_what_is_marked_is_always_what_was_found(line: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line) - 1))
    stop = data.draw(st.integers(start + 1, len(line)))
    shown, ((begin, end),) = plain_around(line, ((start, stop),))
    assert shown[begin:end] == line[start:stop]
