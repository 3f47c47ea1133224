"""Markdown rendered: what is said stands there without its marks, and every line knows what it was written as."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.hostile_text import FORBIDDEN, lines
from unspool.text import clean
from unspool_tui.present.cells import width_of
from unspool_tui.present.lines import Line
from unspool_tui.present.markdown_page import DEEPEST, TABLE_CELLS, page_of
from unspool_tui.present.markdown_words import plain, worded


def shown(text: str, width: int = 60) -> list[str]:
    """What stands there in so many cells."""
    return [line.text for line in drawn(text, width)]


def drawn(text: str, width: int = 60) -> list[Line]:
    page = page_of(text.split("\n"))
    assert page is not None
    return list(page.lines(width))


def ink_of(text: str, words: str) -> str:
    return next(ink for line in drawn(text) for said, ink in line.cells if words in said)


def test_headings_and_bold_words_stand_without_their_marks() -> None:
    assert shown("## Why\n\nIt **must** hold *the* `lock` ~~now~~") == ["Why", "", "It must hold the lock now"]
    assert ink_of("## Why", "Why") == "text bold"
    assert ink_of("It **must** hold", "must") == "text bold"
    assert ink_of("a `lock`", "lock") == "syn-str"


@pytest.mark.parametrize(
    "text",
    ["2**3 and 4**5", "*args, **kwargs", "snake_case_name", "__init__.py", "a * b * c", "`open", "[x][y]", "3 < 4"],
)
def test_words_of_code_are_not_taken_for_marks(text: str) -> None:
    assert shown(text) == [text]


def test_lists_within_lists_stand_further_in_and_items_may_hold_code() -> None:
    text = "1. first\n   - inner\n2. second\n\n   ```sh\n   ls\n   ```\n- [ ] open"
    assert shown(text) == ["1. first", "   ∙ inner", "2. second", "", "   sh", "   ls", "∙ [ ] open"]


def test_line_ends_within_a_paragraph_are_kept_with_their_indent() -> None:
    assert shown("Traceback:\n  File x\n    y") == ["Traceback:", "  File x", "    y"]


def test_code_stands_on_its_own_ground_in_its_colours() -> None:
    lines = drawn("```python\nreturn 4\n```")
    assert [line.text for line in lines] == ["python", "return 4"]
    assert {line.ground for line in lines} == {"rail"}
    assert ("return", "syn-key") in lines[1].cells


def test_a_table_has_a_frame_and_its_numbers_at_the_right() -> None:
    assert shown("| a | count |\n|---|---:|\n| 見出 | 7 |") == [
        "┌──────┬───────┐",
        "│ a    │ count │",
        "├──────┼───────┤",
        "│ 見出 │     7 │",
        "└──────┴───────┘",
    ]


def test_a_table_that_is_too_wide_breaks_its_cells_and_then_becomes_a_list() -> None:
    text = "| a | b |\n|---|---|\n| " + "word " * 12 + "| x |"
    assert max(width_of(line.cells) for line in drawn(text, 40)) <= 40
    assert "│ word word" in shown(text, 40)[3]
    assert shown("| head | tail |\n|---|---|\n| one words | two words |", 12) == ["head  one words", "tail  two words"]


def test_a_link_says_where_it_leads_and_nothing_more() -> None:
    assert shown("see [the docs](https://e.org/a_b) now") == ["see the docs (https://e.org/a_b) now"]
    assert shown("<https://e.org>") == ["https://e.org"]


def test_quotes_have_a_bar_and_what_was_blank_stays_one_blank_line() -> None:
    assert shown("> said\n> so\n\n\n\nthen") == ["┃ said", "┃ so", "", "then"]


def test_nothing_is_left_out_that_marks_alone_say() -> None:
    assert shown("-\n- x")[0].strip() == "∙"
    assert shown(">") != []
    assert shown("[ref]: https://e.org") == ["[ref]: https://e.org"]
    assert shown("<b>bold</b>") == ["<b>bold</b>"]


def test_what_is_too_deep_or_too_much_is_not_rendered() -> None:
    assert page_of(["> " * (DEEPEST + 2) + "deep"]) is None
    row = "|" + "x|" * 50
    assert page_of([row, "|" + "-|" * 50, *[row] * (TABLE_CELLS // 50)]) is None


def test_every_line_knows_the_line_and_the_columns_it_was_written_in() -> None:
    source = ["# A", "", "- **b** `c`", "", "```", "x", "```"]
    page = page_of(source)
    assert page is not None
    for line in page.lines(60):
        assert line.origin is not None
        for sign, column in list(zip(line.text, line.origin.at, strict=False))[line.hang or 0 :]:
            assert source[line.origin.line][column] == sign


def test_an_entity_that_stands_for_a_control_character_does_not_bring_it_in() -> None:
    assert not FORBIDDEN.search("".join(shown("&#27;[31m &#x202e; &#155; &lt;")))


pieces = st.sampled_from(
    ["# ", "> ", "- ", "1. ", "```\n", "| a | b |\n|---|---|\n", "**", "*", "`", "[x](y)", "\n", "\n\n", "    ", "~~"]
)


@given(st.lists(st.one_of(pieces, lines), max_size=12).map("".join))
def test_any_text_is_rendered_safely_and_its_lines_lie_within_the_source(text: str) -> None:
    source = [clean(line, newline=False) for line in text.split("\n")]
    page = page_of(source)
    for line in page.lines(30) if page is not None else ():
        assert line.text == "".join(said for said, _ in line.cells)
        assert not FORBIDDEN.search(line.text)
        assert line.origin is not None
        assert 0 <= line.origin.line < len(source)


@given(st.lists(st.one_of(pieces, lines), max_size=12).map("".join))
def test_a_text_without_marks_keeps_all_its_words(text: str) -> None:
    source = [clean(line, newline=False) for line in text.split("\n")]
    rows = worded([(number, 0, line) for number, line in enumerate(source)], "text")
    assert len(rows) == len(source)
    assert all(len(row.at) == len(row.text) for row in rows)


def test_a_text_told_in_a_few_words_has_no_marks() -> None:
    assert plain("## What goes wrong The label is **cut by** `wrap()`, ## Then") == (
        "What goes wrong The label is cut by wrap(), Then"
    )
    assert plain("it is **cut sho…") == "it is cut sho…"
