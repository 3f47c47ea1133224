"""The reader on a text: rendered, as it was written, and from one to the other."""

from __future__ import annotations

import pytest
from textual.geometry import Offset
from textual.selection import Selection

from tests.tui.reader_host import MadeUpView, Piece, ReaderHost, result, screen_rows
from unspool_tui.present.markdown_page import RENDERED
from unspool_tui.widgets.reader_foot import ReaderFoot
from unspool_tui.widgets.reader_header import ReaderHeader

TEXT = "## Why\n\nIt **must** hold.\n\n```py\nx = 1\n```\n\n" + "\n\n".join(f"line **{n}** of it" for n in range(40))


def body(app: ReaderHost) -> list[str]:
    return [row.rstrip() for row in screen_rows(app)[2:-1]]


def foot(app: ReaderHost) -> str:
    return screen_rows(app)[-1].rstrip()


def host(text: str = TEXT) -> ReaderHost:
    return ReaderHost(MadeUpView([Piece(text), Piece("nothing **here**")]))


async def test_a_text_is_rendered_and_one_key_shows_it_as_it_was_written() -> None:
    app = host()
    async with app.run_test(size=(80, 20)) as pilot:
        app.read(0)
        await pilot.pause()
        assert body(app)[:3] == ["  Why", "", "  It must hold."]
        assert "all 87 lines   rendered" in foot(app)

        await pilot.press("M")
        assert body(app)[:3] == ["     1  ## Why", "     2", "     3  It **must** hold."]
        assert "all 87 lines   as written" in foot(app)

        app.read(1)
        await pilot.pause()
        assert body(app)[0] == "     1  nothing **here**"
        await pilot.press("M")
        assert body(app)[0] == "  nothing here"


async def test_from_one_form_to_the_other_what_is_in_view_stays_in_view() -> None:
    app = host()
    async with app.run_test(size=(80, 20)) as pilot:
        app.read(0)
        await pilot.press("space", "M")
        top = body(app)[0]
        assert "**" in top or top.split()[0].isdecimal()
        line = int(top.split()[0])
        await pilot.press("M", "M")
        assert int(body(app)[0].split()[0]) == line


async def test_a_search_shows_the_text_as_it_was_written_at_the_match_and_without_words_it_is_rendered() -> None:
    app = host()
    async with app.run_test(size=(80, 20)) as pilot:
        app.read(0)
        await pilot.press("slash", *"must", "enter")
        await pilot.pause()
        assert "     3  It **must** hold." in body(app)
        assert "match 1 of 1 in this piece   line 3 of 87   as written" in foot(app)

        app.reader.words = ""
        await pilot.pause()
        assert body(app)[2] == "  It must hold."


async def test_a_text_without_the_words_stays_rendered_and_its_foot_says_so() -> None:
    app = host()
    async with app.run_test(size=(80, 20)) as pilot:
        app.reader.words = "must"
        app.read(1)
        await pilot.pause()
        assert body(app)[0] == "  nothing here"
        assert "all 1 line" in foot(app).replace("all of", "all")
        assert "no match in this piece" in foot(app)


async def test_a_text_that_is_opened_at_its_match_or_at_a_line_is_shown_as_it_was_written() -> None:
    app = host()
    async with app.run_test(size=(80, 20)) as pilot:
        app.reader.words = "must"
        app.read(0, query="must")
        await pilot.pause()
        assert "     3  It **must** hold." in body(app)

        app.reader.words = ""
        app.read(0)
        app.reader.go_to_line(41)
        await pilot.pause()
        assert any(row.startswith("    41  ") for row in body(app))


async def test_what_is_selected_in_a_rendered_text_is_copied_as_it_was_written() -> None:
    app = host()
    async with app.run_test(size=(80, 20)) as pilot:
        app.read(0)
        await pilot.pause()
        part = Selection(Offset(3, 3), Offset(12, 3))
        assert app.reader.body.get_selection(part) == ("must** hold", "\n")
        several = Selection(Offset(0, 1), Offset(2, 3))
        assert app.reader.body.get_selection(several) == ("## Why\n\nIt", "\n")


async def test_a_table_is_laid_out_anew_for_another_width() -> None:
    app = host("| a | b |\n|---|---|\n| " + "word " * 12 + "| x |")
    async with app.run_test(size=(80, 20)) as pilot:
        app.read(0)
        await pilot.pause()
        assert any(row.endswith("│ x │") and "word word" in row for row in body(app))
        await pilot.resize_terminal(40, 20)
        await pilot.pause()
        assert all(len(row) <= 39 for row in body(app))
        assert sum(row.startswith("  │ word") for row in body(app)) > 1


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        (Piece("word " * (RENDERED // 5 + 1)), "too long or too deep"),
        (Piece("> " * 30 + "deep"), "too long or too deep"),
        (result("## no"), "only a text can be rendered"),
    ],
)
async def test_what_cannot_be_rendered_says_why(piece: Piece, said: str) -> None:
    app = ReaderHost(MadeUpView([piece]))
    async with app.run_test(size=(100, 20)) as pilot:
        app.read(0)
        await pilot.press("M")
        assert said in foot(app)


async def test_the_record_of_a_rendered_text_and_back_again() -> None:
    app = host()
    async with app.run_test(size=(80, 20)) as pilot:
        app.read(0)
        await pilot.press("r")
        await pilot.pause()
        assert body(app)[0] == '     1  {"record":0}'
        assert "reader.markdown" in app.reader.idle
        await pilot.press("r")
        assert body(app)[0] == "  Why"
        assert app.query_one(ReaderHeader).subject is app.reader.subject
        assert "rendered" in foot(app)
        assert app.query_one(ReaderFoot).foot is not None
