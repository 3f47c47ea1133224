"""Text for display, in bytes and in lines."""

from __future__ import annotations

import unicodedata

import pytest

from unspool import text
from unspool.text import TAB_WIDTH, clean, cut, elided, line_count, size, utf8

ESC = "\x1b"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain text, 日本語, é", "plain text, 日本語, é"),
        (f"a{ESC}[31mred{ESC}[0m b", "ared b"),
        (f"{ESC}[2J{ESC}[1;1H{ESC}[?1049h{ESC}[>4;2mx", "x"),
        (f"{ESC}]0;title\x07shown", "shown"),
        (f"{ESC}]8;;https://example.invalid{ESC}\\link{ESC}]8;;{ESC}\\", "link"),
        (f"{ESC}]52;c;cHduZWQ=\x9cx", "x"),
        (f"{ESC}P1$r0m{ESC}\\dcs {ESC}_apc{ESC}\\ {ESC}^pm{ESC}\\ {ESC}Xsos{ESC}\\", "dcs   "),
        ("\x9b31mred \x9d0;title\x07x\x90dcs\x9cy", "red xy"),
        (f"{ESC}cfull {ESC}(Bset {ESC}7save", "full set save"),
        ("bell\x07 back\b\b nul\0 so\x0e", "bell␇ back␈␈ nul␀ so␎"),
        ("del\x7f c1\x80\x9c", "del␡ c1��"),
        ("\ud83d alone \udc00", "� alone �"),
        ("to \u202egnp.exe\u202c \u2066iso\u2069\u200e\u061c", "to ⟨202E⟩gnp.exe⟨202C⟩ ⟨2066⟩iso⟨2069⟩⟨200E⟩⟨061C⟩"),
        ("zero\u200bwidth\u200djoin\ufeff\u00ad\u2060\U000e0041", "zerowidthjoin"),
        ("thumb 👍🏽 text\ufe0f", "thumb 👍 text"),
        ("🇩🇪 🇯🇵", "DE JP"),
        ("one\r\ntwo\rthree\u2028four\u2029five\x85six", "one\ntwo␍three\nfour\nfive\nsix"),
        ("a\tb\n\tc\nabcd\te", "a   b\n    c\nabcd    e"),
        ("e" + "\u0301" * 9 + "x", "e" + "\u0301" * 4 + "x"),
        ("\ufdd0\uffff\U0001ffff", "���"),
        ("\u0600", "⟨0600⟩"),
        ("[/x] [@click=app.quit]y[/]", "[/x] [@click=app.quit]y[/]"),
        ("", ""),
    ],
)
def test_text_from_outside_is_shown_as(raw: str, shown: str) -> None:
    assert clean(raw) == shown


def test_an_unfinished_sequence_swallows_nothing() -> None:
    assert clean(f"{ESC}]0;never closed then text") == "␛]0;never closed then text"
    assert clean(f"{ESC}]0;never closed\nnext line\x07") == "␛]0;never closed\nnext line␇"
    assert clean(f"{ESC}]0;never {ESC}[31mclosed{ESC}[0m") == "␛]0;never closed"
    assert clean(f"{ESC}[12;text") == "ext"
    assert clean(f"{ESC}[12;") == "␛[12;"
    assert clean(f"{ESC}P{'x' * (text.SEQUENCE_BODY + 1)}{ESC}\\") == f"␛P{'x' * (text.SEQUENCE_BODY + 1)}"
    assert clean(f"{ESC}P{'x' * text.SEQUENCE_BODY}{ESC}\\") == ""


def test_what_is_left_of_a_sequence_is_no_new_sequence() -> None:
    assert clean(f"{ESC}{ESC}[31m[2J") == "␛[2J"
    assert clean(f"{ESC}\u200b[2J") == "␛[2J"
    assert clean("\r\u200b\n") == "␍\n"


def test_one_line_has_no_line_end() -> None:
    assert clean("one\r\ntwo\n\u2028three\tfour", newline=False) == "one two  three  four"
    assert clean("one", newline=False) == "one"


def test_every_mark_is_known_to_stack_and_every_format_character_to_be_special() -> None:
    for code in range(0x110000):
        character = chr(code)
        category = unicodedata.category(character)
        if category in ("Mn", "Me"):
            assert clean("a" + character * 9) in ("a" + character * 4, "a"), hex(code)
        elif category in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in "\t\n":
            assert character not in clean(character), hex(code)


def test_tabs_go_to_the_next_stop() -> None:
    for before in range(9):
        stop = clean("x" * before + "\t|").index("|")
        assert stop % TAB_WIDTH == 0
        assert before < stop <= before + TAB_WIDTH


@pytest.mark.parametrize(
    ("raw", "encoded"),
    [("aé日🚀", "aé日🚀".encode()), ("a\ud83d", b"a\xef\xbf\xbd"), ("\ud83d\ude80", b"\xef\xbf\xbd" * 2)],
)
def test_lone_surrogates_are_written_as_replacement_characters(raw: str, encoded: bytes) -> None:
    assert utf8(raw) == encoded
    assert size(raw) == len(encoded)


def test_a_cut_falls_on_a_border() -> None:
    assert [cut("aé日🚀b", most) for most in range(-1, 12)] == [
        "", "", "a", "a", "aé", "aé", "aé", "aé日", "aé日", "aé日", "aé日", "aé日🚀", "aé日🚀b",
    ]  # fmt: skip
    assert cut("a\ud83db", 3) == "a"
    assert cut("a\ud83db", 4) == "a\ud83d"
    assert cut("ascii", 3) == "asc"
    assert cut("ascii", 99) == "ascii"


@pytest.mark.parametrize(("most", "shown"), [(5, "nails"), (6, "nails"), (4, "nai…"), (2, "n…"), (1, "…")])
def test_a_line_that_is_cut_says_so(most: int, shown: str) -> None:
    assert elided("nails", most) == shown
    assert elided("", most) == ""


def test_a_cut_line_ends_with_a_word_and_not_with_a_blank() -> None:
    assert elided("ten nails", 5) == "ten…"


@pytest.mark.parametrize(
    ("raw", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("\n", 1), ("a\nb", 2), ("a\n\n", 2), ("a\rb\x85c\u2028d", 1)]
)
def test_lines_end_at_lf_only(raw: str, lines: int) -> None:
    assert line_count(raw) == lines


def test_no_character_that_is_known_to_stay_is_shown_as_another_or_makes_towers() -> None:
    bounds = zip(text._CALM[::2], text._CALM[1::2], strict=True)
    calm = {chr(code) for first, end in bounds for code in range(first, end)} | text._ASCII
    assert len(calm) > 30_000
    assert {each for each in calm if text._SPECIAL.search(each) or text._TOWERS.search(each * 9)} == set()
    assert max(calm) < "\U00010000"
    assert all(text._is_calm(each) for each in calm)
    assert not any(map(text._is_calm, "\x1b\x85\xa0\u00ad\u0300\u200b\u202e\u3099\ud800\ufeff\U0001f1e6"))
