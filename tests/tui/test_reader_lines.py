from __future__ import annotations

import json
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.hostile_text import FORBIDDEN, lines, texts
from tests.tui.reader_host import MadeUpView, result
from unspool.text import clean
from unspool_tui.present import ansi
from unspool_tui.present.body import body_lines
from unspool_tui.present.code_lines import coloured, language_of
from unspool_tui.present.json_lines import laid_out
from unspool_tui.present.lines import Line, cut, inked
from unspool_tui.present.markdown_lines import inked_lines, lead
from unspool_tui.present.opening import open_piece
from unspool_tui.present.tokens import DARK


def joined(row: tuple[tuple[str, str], ...]) -> str:
    return "".join(text for text, _ in row)


def tokens_of(ink: str) -> set[str]:
    fore, _, back = ink.partition(" on ")
    return {fore.split()[0], *([back] if back else [])}


def printed(text: str) -> tuple[Line, ...]:
    """The lines of an output."""
    return body_lines(text, open_piece(MadeUpView([result(text)]), 0).subject)


# Colours that a program printed.


@given(lines)
def test_no_control_sequence_survives_the_reading_of_colours(line: str) -> None:
    row, _ = ansi.coloured(line)

    assert not FORBIDDEN.search(joined(row))


@given(lines)
def test_a_printed_line_is_coloured_only_with_tokens_of_the_theme(line: str) -> None:
    row, _ = ansi.coloured(line)

    assert all(tokens_of(ink) <= set(DARK) for _, ink in row)


def test_the_sixteen_colours_become_tokens_and_end_where_the_program_ended_them() -> None:
    row, pen = ansi.coloured("\x1b[1;31mFAILED\x1b[0m test \x1b[32mok\x1b[39m!")

    assert row == (("FAILED", "error bold"), (" test ", "output"), ("ok", "live"), ("!", "output"))
    assert pen == ansi.PLAIN


def test_a_colour_goes_on_in_the_next_line() -> None:
    _, pen = ansi.coloured("\x1b[33mwarning")

    assert ansi.coloured("goes on", pen)[0] == (("goes on", "user"),)


def test_bright_and_deep_colours_come_to_the_nearest_of_ours() -> None:
    assert ansi.coloured("\x1b[38;5;196mred\x1b[38;2;20;200;30mgreen\x1b[38;5;240mgrey")[0] == (
        ("red", "error"),
        ("green", "live"),
        ("grey", "faint"),
    )


def test_black_on_a_bright_ground_stays_readable() -> None:
    assert ansi.coloured("\x1b[30;41m FAIL ")[0] == ((" FAIL ", "text on error-bg"),)


def test_a_tab_behind_a_colour_ends_where_it_does_without_the_colour() -> None:
    assert joined(ansi.coloured("ab\x1b[31m\tc")[0]) == clean("ab\tc")


def test_a_clipboard_sequence_is_removed_whole() -> None:
    assert joined(ansi.coloured("a\x1b]52;c;QUJD\x07b\x1b[31mc")[0]) == "abc"


# Prose.


@given(texts)
def test_prose_keeps_every_character_of_its_source(text: str) -> None:
    cleaned = [clean(line, newline=False) for line in text.split("\n")]

    assert [joined(row) for row in inked_lines(cleaned)] == cleaned


def test_headings_bold_and_code_are_inked_and_their_marks_step_back() -> None:
    assert list(inked_lines(["## Why", "it **must** hold `the lock`"])) == [
        (("## ", "faint"), ("Why", "text bold")),
        (
            ("it ", "text"),
            ("**", "faint"),
            ("must", "text bold"),
            ("**", "faint"),
            (" hold ", "text"),
            ("`", "faint"),
            ("the lock", "syn-str"),
            ("`", "faint"),
            ("", "text"),
        ),
    ]


def test_nothing_inside_a_fence_is_read_as_markdown() -> None:
    rows = list(inked_lines(["```", "# not a **heading**", "```", "# heading"]))

    assert rows[1] == (("# not a **heading**", "soft"),)
    assert rows[3][1] == ("heading", "text bold")


def test_code_in_a_fence_is_coloured_in_the_language_that_the_fence_names() -> None:
    _, row, _ = inked_lines(["```python", "return 4", "```"])

    assert row == (("return", "syn-key"), (" ", "soft"), ("4", "syn-num"))


def test_snake_case_and_sums_are_no_emphasis() -> None:
    for text in ("a_b_c and __init__.py", "2 * 3 * 4", "glob **/*.py"):
        assert {ink for _, ink in next(inked_lines([text]))} == {"text"}, text


def test_the_rows_of_an_item_hang_below_its_first_word() -> None:
    assert [lead(text) for text in ("- one", "  12. two", "> said", "plain", "  in")] == [2, 6, 2, 0, 2]


# Code.


def test_words_strings_numbers_and_what_is_defined_have_an_ink() -> None:
    row = coloured('def drain(limit=4):  # "all"', language_of("src/queue/worker.py"))

    assert [cell for cell in row if cell[1] != "text"] == [
        ("def", "syn-key"),
        ("drain", "syn-def"),
        ("4", "syn-num"),
        ('# "all"', "muted"),
    ]


def test_the_number_of_a_read_line_stands_beside_it() -> None:
    view = MadeUpView([result("   152→    return batch\n", tool="Read", arguments={"file_path": "a.py"}, peer=0)])
    (line,) = body_lines(view.pieces[0].text, open_piece(view, 0).subject)

    assert line.cells == (("    ", "output"), ("return", "syn-key"), (" batch", "output"))
    assert (line.number, line.aside) == (152, 7)


@given(lines, st.sampled_from(["a.py", "a.rs", "a.sql", "a.txt", ""]))
def test_colouring_code_keeps_every_character(line: str, path: str) -> None:
    text = clean(line, newline=False)

    assert joined(coloured(text, language_of(path))) == text


# JSON.

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(lines, inner, max_size=4),
    max_leaves=20,
)


@given(st.lists(json_values, max_size=4) | st.dictionaries(lines, json_values, max_size=4))
def test_laid_out_json_says_the_same_without_one_forbidden_character(value: object) -> None:
    written = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()
    laid = laid_out(written)

    assert laid is not None
    assert not any(FORBIDDEN.search(line.text) for line in laid)
    assert all(line.text == joined(line.cells) for line in laid)


@given(st.dictionaries(st.text("abc", max_size=3), st.recursive(st.integers(), lambda x: st.lists(x, max_size=3))))
def test_json_without_line_ends_reads_back_from_its_layout(value: object) -> None:
    laid = laid_out(json.dumps(value))

    assert laid is not None
    assert json.loads("\n".join(line.text for line in laid)) == value


def test_numbers_and_repeated_keys_stay_as_they_were_written() -> None:
    laid = laid_out('{"n":1.50e+02,"n":12345678901234567890123}')

    assert laid is not None
    assert [line.text for line in laid] == ["{", '  "n": 1.50e+02,', '  "n": 12345678901234567890123', "}"]


def test_a_string_with_line_ends_is_read_as_lines() -> None:
    laid = laid_out('{"content":"def f():\\n    pass\\n","mode":"w"}')

    assert laid is not None
    assert [line.text for line in laid] == [
        "{",
        '  "content": "',
        "    def f():",
        "        pass",
        '  ",',
        '  "mode": "w"',
        "}",
    ]


@pytest.mark.parametrize(
    "text", ["", "plain", '{"a":1', '{"a":1}}', '[1,2]{"b":2}', '{"a":tru}', "[1,2\x00]", '"text"']
)
def test_what_is_not_one_whole_json_value_is_left_as_it_is(text: str) -> None:
    assert laid_out(text) is None


def test_json_of_any_depth_is_laid_out_without_recursion() -> None:
    laid = laid_out("[" * 50_000 + "]" * 50_000)

    assert laid is not None
    assert laid[-1].text.startswith("more than 20000 lines")
    assert not laid[-1].source


# Cutting and inking.


@given(st.lists(st.tuples(st.text(max_size=5), st.just("text")), max_size=6), st.integers(0, 20), st.integers(0, 20))
def test_cut_cells_are_the_characters_between_two_places(cells: list[tuple[str, str]], start: int, stop: int) -> None:
    text = "".join(each for each, _ in cells)

    row = cut(cells, start, stop)
    assert joined(row) == text[start : max(start, stop)]
    assert all(part for part, _ in row) or not all(part for part, _ in cells)


@given(st.text(max_size=20), st.integers(0, 20), st.integers(0, 20))
def test_inking_a_stretch_changes_no_character(text: str, start: int, stop: int) -> None:
    row = inked([(text[:5], "text"), (text[5:], "muted")], [(start, stop, "match")])

    assert joined(row) == text
    assert joined(tuple(cell for cell in row if cell[1] == "match")) == text[start : max(start, stop)]


@pytest.mark.parametrize(
    ("text", "ink"),
    [
        ("=" * 31 + " short summary " + "=" * 34, "muted"),
        ("  " + "-" * 9 + " ", "muted"),
        ("\u2500" * 80, "muted"),
        ("=" * 8, "output"),
        ("=" * 80 + " x", "output"),
        ("-----= and more ===", "output"),
        ("words ======", "output"),
    ],
)
def test_rules_of_an_output_step_back(text: str, ink: str) -> None:
    (line,) = printed(text)
    assert line.cells == ((text, ink),)


@pytest.mark.parametrize("text", ["=" * 1_990 + "x", "=-" * 995, ("─" * 6 + " ") * 284 + "x"])
def test_a_line_of_signs_is_inked_in_a_moment_however_it_ends(text: str) -> None:
    begun = process_time()
    printed("\n".join([text] * 500))
    assert process_time() - begun < 2  # it was minutes where every end of a run was tried with every beginning
