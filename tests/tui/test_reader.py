from __future__ import annotations

from rich.style import Style
from textual.geometry import Offset
from textual.selection import Selection

from tests.tui.hostile_text import FORBIDDEN, SEQUENCES
from tests.tui.reader_host import MadeUpView, Piece, ReaderHost, call, result, screen_rows, windows_of
from unspool.formats.piece import Flag, Kind
from unspool_tui.present.bars import MAP_CELLS
from unspool_tui.widgets.reader import Reader

BIG = "".join(f"line {n} of many, drain {n % 1000}\n" for n in range(1, 60_001))
SMALL = "".join(f"line {n} of many, drain {n % 100} end\n" for n in range(1, 601))
SEEN = f"<persisted-output>\nOutput too large\n\nPreview (first 2KB):\n{BIG[:120]}\n</persisted-output>"


def body_rows(app: ReaderHost) -> list[str]:
    return [row.rstrip() for row in screen_rows(app)[2:-1]]


def numbers(app: ReaderHost) -> list[int]:
    """Return the line numbers on the screen."""
    found = (row[1:9].split()[:1] for row in screen_rows(app)[2:-1])
    return [int(word) for words in found for word in words if word.isdigit()]


def header(app: ReaderHost) -> str:
    return screen_rows(app)[0].rstrip()


def second(app: ReaderHost) -> str:
    return screen_rows(app)[1].rstrip()


def foot(app: ReaderHost) -> str:
    return screen_rows(app)[-1].rstrip()


# What is always there.


async def test_the_header_says_what_it_is_and_the_foot_that_all_is_shown() -> None:
    view = MadeUpView([
        call('{"command":"pytest -q"}', label="Bash · pytest -q", time=1_000, peer=1),
        result("one\ntwo\n", time=13_000, peer=0, exit_code=0),
    ])  # fmt: skip
    app = ReaderHost(view)
    async with app.run_test(size=(80, 12)) as pilot:
        app.read(1)
        await pilot.pause()

        assert header(app).startswith("▌E1.0  ← Bash   exit 0   2 lines   ")
        assert header(app).endswith("   00:00:13   took 12 s   model saw all")
        assert second(app) == "  $ pytest -q   → E0.0"
        assert body_rows(app)[:3] == ["     1  one", "     2  two", ""]
        assert foot(app) == " ━━━━━━━━━━━━━━━━  all 2 lines"


async def test_the_call_of_a_result_names_it_and_how_it_ended() -> None:
    view = MadeUpView([
        call('{"command":"make"}', label="Bash · make", peer=1, arguments={"command": "make"}),
        result("no\n", peer=0, exit_code=2, flags=Flag.ERROR),
    ])  # fmt: skip
    app = ReaderHost(view)
    async with app.run_test(size=(80, 12)) as pilot:
        app.read(0)
        await pilot.pause()

        assert second(app) == "  ← E1.0 exit 2"  # the body is the command


async def test_a_narrow_header_keeps_id_and_badge_and_drops_the_time_first() -> None:
    app = ReaderHost(MadeUpView([result(BIG, time=1_000, peer=0, exit_code=1, seen=SEEN)]))
    async with app.run_test(size=(72, 12)) as pilot:
        app.read(0)
        await pilot.pause()

        assert "E0.0" in header(app)
        assert "▣ model saw" in header(app)
        assert header(app).endswith("full  model")
        assert "00:00:01" not in header(app)


async def test_the_badge_counts_what_the_model_saw_of_the_text_and_not_what_was_put_around_it() -> None:
    app = ReaderHost(MadeUpView([result(BIG, seen=SEEN), result("short", seen="a much longer text in its place")]))
    async with app.run_test(size=(80, 12)) as pilot:
        app.read(0)
        await pilot.pause()
        assert "▣ model saw 120 B of 1.8 MB" in header(app)
        app.read(1)
        await pilot.pause()
        assert "▣ model saw another text" in header(app)


async def test_an_empty_piece_and_no_piece_are_said() -> None:
    app = ReaderHost(MadeUpView([result("")]))
    async with app.run_test(size=(80, 12)) as pilot:
        assert header(app) == "▌Reader"
        app.read(0)
        await pilot.pause()
        assert foot(app).endswith("empty")
        app.reader.clear()
        await pilot.pause()
        assert header(app) == "▌Reader"
        assert foot(app) == ""


async def test_a_notice_is_said_beside_the_call() -> None:
    app = ReaderHost(MadeUpView([result("preview", notice="full output not found")]))
    async with app.run_test(size=(80, 12)) as pilot:
        app.read(0)
        await pilot.pause()

        assert second(app).endswith("full output not found")


async def test_every_row_is_as_wide_as_the_pane_styled_and_harmless() -> None:
    text = "\n".join(["".join(SEQUENCES).replace("\n", ""), *SEQUENCES, "日本語" * 40, "\t" * 30])
    pieces = [
        result(text, exit_code=1),
        Piece(text, Kind.USER),
        call("{}", arguments={"file_path": text, "old_string": text, "new_string": text[::-1]}, tool=text),
        call("{}", label=f"Bash · {text}", arguments={"command": text}),
        result("", notice=text),
        Piece("", files=(text,)),
    ]
    app = ReaderHost(MadeUpView(pieces))
    for size in ((80, 24), (37, 9)):
        async with app.run_test(size=size) as pilot:
            for row in range(len(pieces)):
                app.read(row)
                for key in ("space", "w", "right"):
                    await pilot.pause()
                    for strip in app.screen._compositor.render_strips():
                        assert strip.cell_length == size[0]
                        assert not FORBIDDEN.search(strip.text)
                        assert all((segment.style or Style()).bgcolor for segment in strip)
                    await pilot.press(key)
        app = ReaderHost(MadeUpView(pieces))


# Windows.


async def test_paging_down_reads_on_and_shows_every_line_once() -> None:
    app = ReaderHost(MadeUpView([result(SMALL)]))
    with windows_of(4_000):
        async with app.run_test(size=(80, 24)) as pilot:
            app.read(0)
            seen: list[int] = []
            while not seen or seen[-1] < 600:
                await pilot.pause()
                seen += [number for number in numbers(app) if number > (seen[-1] if seen else 0)]
                await pilot.press("space")

        assert seen == list(range(1, 601))
        assert len(app.wanted) >= len(SMALL) // 4_000


async def test_the_end_is_read_at_once_and_the_way_back_from_it_window_by_window() -> None:
    app = ReaderHost(MadeUpView([result(BIG)]))
    async with app.run_test(size=(80, 24)) as pilot:
        app.read(0)
        await pilot.press("G")
        await pilot.pause()
        assert numbers(app)[-1] == 60_000
        assert "of 60 000" in foot(app)

        pages = app.reader.body.pages
        assert pages is not None
        app.reader.go_to_line(pages.first_line + 1)
        await pilot.pause()
        before = numbers(app)
        await pilot.press("k")
        await pilot.pause()
        assert numbers(app)[0] == before[0] - 1
        await pilot.press("k", "k")
        await pilot.pause()
        assert numbers(app)[0] == before[0] - 3
        await pilot.press("g")
        await pilot.pause()
        assert numbers(app)[0] == 1


async def test_the_foot_names_the_window_and_how_to_get_more() -> None:
    app = ReaderHost(MadeUpView([result(BIG)]))
    async with app.run_test(size=(120, 24)) as pilot:
        app.read(0)
        await pilot.pause()

        assert "lines 1–8 899 of 60 000   256 KB of 1.8 MB" in foot(app)
        assert foot(app).endswith("space reads on  / searches all 1.8 MB")


async def test_an_answer_to_an_older_wish_is_dropped() -> None:
    view = MadeUpView([result(BIG), result("another\n" * 60_000)])
    app = ReaderHost(view, held=True)
    async with app.run_test(size=(80, 24)) as pilot:
        app.read(0)
        await pilot.press("G")
        await pilot.pause()
        app.read(1)
        await pilot.press("G")
        await pilot.pause()
        old, new = app.wanted
        app.answer(old)
        app.reader.fail("too late", old.generation)
        await pilot.pause()

        assert body_rows(app)[0] == "     1  another"
        app.answer(new)
        await pilot.pause()
        assert numbers(app)[-1] == 60_000
        assert "too late" not in foot(app)


async def test_one_window_is_asked_for_at_a_time_and_the_newest_jump_next() -> None:
    app = ReaderHost(MadeUpView([result(BIG)]), held=True)
    async with app.run_test(size=(80, 24)) as pilot:
        app.read(0)
        app.reader.go_to_line(30_000)
        app.reader.go_to_line(40_000)
        app.reader.go_to_line(50_000)
        await pilot.pause()
        assert [wanted.request.at for wanted in app.wanted] == [30_000]
        app.answer(app.wanted[0])
        await pilot.pause()
        assert [wanted.request.at for wanted in app.wanted] == [30_000, 50_000]


async def test_dragging_the_scrollbar_shows_that_part_of_the_whole() -> None:
    app = ReaderHost(MadeUpView([result(BIG)]))
    async with app.run_test(size=(80, 24)) as pilot:
        app.read(0)
        await pilot.pause()
        body = app.reader.body
        body.scroll_to(y=body.max_scroll_y // 2, animate=False, immediate=True)
        await pilot.pause()

        assert 28_000 < numbers(app)[0] < 32_000
        assert len(numbers(app)) == 21


async def test_trouble_with_the_source_is_said_in_the_foot_and_the_text_stays() -> None:
    app = ReaderHost(MadeUpView([result(BIG)]), held=True)
    async with app.run_test(size=(80, 24)) as pilot:
        app.read(0)
        await pilot.press("G")
        await pilot.pause()
        app.reader.fail("the file was replaced\x1b[2J", app.wanted[0].generation)
        await pilot.pause()

        assert "✗ the file was replaced" in foot(app)
        assert not FORBIDDEN.search(foot(app))
        assert numbers(app)[0] == 1


async def test_a_line_of_twenty_million_characters_is_read_on_like_any_other() -> None:
    app = ReaderHost(MadeUpView([result("0123456789" * 2_000_000)]))
    async with app.run_test(size=(80, 24)) as pilot:
        app.read(0)
        await pilot.pause()
        assert "line 1 of 1" in foot(app)
        rows = app.reader.body.pages
        assert rows is not None
        length = len(rows.lines[0].text)
        body = app.reader.body
        body.scroll_to(y=length // 65 - 30, animate=False, immediate=True)
        await pilot.pause()

        pages = app.reader.body.pages
        assert pages is not None
        assert len(pages.lines) == 1
        assert len(pages.lines[0].text) == 2 * length


async def test_a_failing_output_opens_at_its_first_failure_and_what_came_before_is_read_when_asked_for() -> None:
    text = "".join(f"step {n}\n" for n in range(1, 401)) + "E   assert 1 == 2\n" + "after\n" * 60
    app = ReaderHost(MadeUpView([result(text, exit_code=1)]))
    async with app.run_test(size=(100, 24)) as pilot:
        app.read(0)
        await pilot.pause()
        assert numbers(app)[0] == 398
        assert "lines 398–461 of 461   opened at the first failure" in foot(app)

        await pilot.press("k")
        await pilot.pause()
        assert numbers(app)[0] == 397
        assert "all 461 lines" in foot(app)


# Searching.


async def test_words_are_searched_across_windows_and_the_end_is_posted() -> None:
    app = ReaderHost(MadeUpView([result(SMALL)]))
    with windows_of(2_000):
        async with app.run_test(size=(80, 24)) as pilot:
            app.read(0)
            await pilot.press("slash", *"drain 55", "enter")
            found = []
            while not app.ended:
                await pilot.pause()
                found.append(line_of_match(app))
                await pilot.press("n")
                await pilot.pause()

            assert found == [55, *range(155, 600, 100)]
            assert [(ended.words, ended.backward) for ended in app.ended] == [("drain 55", False)]
            assert "line 555 of 600" in foot(app)
            assert "no further match" in foot(app)

            for number in reversed(found[:-1]):
                await pilot.press("N")
                await pilot.pause()
                assert line_of_match(app) == number


def line_of_match(app: ReaderHost) -> int:
    spot, pages = app.reader.body.found.spot, app.reader.body.pages
    assert spot is not None
    assert pages is not None
    return pages.first_line + spot[0]


async def test_matches_of_a_whole_piece_are_counted_and_capitals_mind_the_case() -> None:
    app = ReaderHost(MadeUpView([result("Drain\ndrain\nthe drains\n")]))
    async with app.run_test(size=(80, 24)) as pilot:
        app.read(0)
        await pilot.press("slash", *"drain", "enter")
        await pilot.pause()
        assert "match 1 of 3 in this piece   line 1 of 3" in foot(app)
        app.reader.words = "Drain"
        await pilot.pause()
        assert "1 match in this piece" in foot(app)
        app.reader.words = "absent"
        await pilot.pause()
        assert "no match in this piece" in foot(app)


async def test_escape_gives_typed_words_up_and_the_body_has_the_focus_again() -> None:
    app = ReaderHost(MadeUpView([result("drain\n")]))
    async with app.run_test(size=(80, 24)) as pilot:
        app.read(0)
        await pilot.press("slash", *"dra", "escape")
        await pilot.pause()

        assert app.reader.words == ""
        assert app.reader.body.has_focus


async def test_a_piece_opened_at_a_match_shows_that_match() -> None:
    app = ReaderHost(MadeUpView([result(BIG)]))
    async with app.run_test(size=(80, 24)) as pilot:
        app.reader.words = "line 44444 "
        app.read(0, query="line 44444 ")
        await pilot.pause()

        assert 44_444 in numbers(app)
        assert "line 44 444 of 60 000" in foot(app)


# Other views of a piece.


async def test_the_model_view_shows_what_the_model_saw_and_the_full_text_comes_back_as_it_was() -> None:
    app = ReaderHost(MadeUpView([result(BIG, seen=SEEN, flags=Flag.PERSISTED)]))
    async with app.run_test(size=(80, 14)) as pilot:
        app.read(0)
        await pilot.pause()
        seam = next(at for at, row in enumerate(body_rows(app)) if "the model saw down to here, 120 B" in row)
        assert [row[0] for row in body_rows(app)[:seam]] == ["▎"] * seam
        assert not any(row.startswith("▎") for row in body_rows(app)[seam:])

        await pilot.press("j", "j", "m")
        await pilot.pause()
        assert body_rows(app)[0] == "     1  <persisted-output>"
        assert "all 11 lines" in foot(app)
        await pilot.press("m")
        await pilot.pause()
        assert body_rows(app)[0].startswith("▎    3")


async def test_the_switch_is_a_button_and_so_is_the_row_of_the_call() -> None:
    app = ReaderHost(MadeUpView([result(BIG, seen=SEEN, peer=1), call("{}", label="Bash · x")]))
    async with app.run_test(size=(80, 14)) as pilot:
        app.read(0)
        await pilot.pause()
        await pilot.click(Reader, offset=(75, 0))
        await pilot.pause()
        assert app.reader.model_view
        await pilot.click(Reader, offset=(5, 1))
        await pilot.pause()
        assert app.peers == 1


async def test_a_piece_that_the_model_saw_whole_says_so_instead_of_switching() -> None:
    app = ReaderHost(MadeUpView([result("all\n")]))
    async with app.run_test(size=(80, 14)) as pilot:
        app.read(0)
        await pilot.press("m")
        await pilot.pause()

        assert not app.reader.model_view
        assert "the model saw all of this" in foot(app)


async def test_the_raw_record_is_shown_and_left_again() -> None:
    app = ReaderHost(MadeUpView([call("{}", arguments={"file_path": "a", "content": "x\n"})]))
    async with app.run_test(size=(80, 14)) as pilot:
        app.read(0)
        await pilot.press("r")
        await pilot.pause()
        assert body_rows(app)[0] == '     1  {"record":0}'
        assert "raw record" in header(app)
        await pilot.press("r")
        await pilot.pause()
        assert body_rows(app)[0] == "         1 +  x"


async def test_without_wrapping_a_line_is_cut_and_can_be_moved_to_the_side() -> None:
    app = ReaderHost(MadeUpView([result("0123456789" * 12 + "\nshort\n")]))
    async with app.run_test(size=(80, 14)) as pilot:
        app.read(0)
        await pilot.press("w")
        await pilot.pause()
        assert body_rows(app)[:2] == ["     1  " + ("0123456789" * 7)[:68] + "…", "     2  short"]
        await pilot.press("right")
        await pilot.pause()
        assert body_rows(app)[0] == "     1  " + ("0123456789" * 8)[8:76] + "…"


async def test_the_first_line_in_view_stays_when_the_pane_changes_its_width() -> None:
    text = "".join(f"{n} " + "word " * 40 + "\n" for n in range(200))
    app = ReaderHost(MadeUpView([Piece(text)]))
    async with app.run_test(size=(120, 20)) as pilot:
        app.read(0)
        app.reader.go_to_line(100)
        await pilot.pause()
        assert 100 in numbers(app)
        line, character = app.reader.body.top_spot()
        for width in (60, 70, 61, 90, 44):
            await pilot.resize_terminal(width, 20)
            await pilot.pause()
            row = app.reader.body.top_spot()
            assert row[0] == line
            assert row[1] <= character < row[1] + width
        await pilot.resize_terminal(120, 20)
        await pilot.pause()
        assert app.reader.body.top_spot() == (line, character)


async def test_long_texts_stay_where_they_were_while_they_are_laid_out_for_a_new_width() -> None:
    text = "".join(f"{n} " + "wörd " * (n % 90) + "\n" for n in range(1_500))
    app = ReaderHost(MadeUpView([Piece(text)]))
    async with app.run_test(size=(120, 20)) as pilot:
        app.read(0)
        app.reader.go_to_line(700)
        await pilot.pause()
        top = app.reader.body.top_spot()
        for width in (60, 101, 73):
            await pilot.resize_terminal(width, 20)
            await pilot.pause()
            shown = numbers(app)
            while not app.reader.body._layout.complete:
                await pilot.pause(0.01)
            await pilot.pause()
            assert numbers(app) == shown
            assert app.reader.body.top_spot()[0] == top[0]
        await pilot.press("G")
        await pilot.pause()
        assert numbers(app)[-1] == 1_500


async def test_a_line_that_is_at_hand_is_gone_to_at_once_and_one_behind_the_end_is_the_last() -> None:
    app = ReaderHost(MadeUpView([result(SMALL)]))
    async with app.run_test(size=(80, 14)) as pilot:
        app.read(0)
        app.reader.go_to_line(300)
        await pilot.pause()
        assert numbers(app)[:4] == [297, 298, 299, 300]
        app.reader.go_to_line(9_999)
        await pilot.pause()
        assert numbers(app)[-1] == 600
        assert app.wanted == []


async def test_the_wheel_scrolls() -> None:
    app = ReaderHost(MadeUpView([result(BIG)]))
    async with app.run_test(size=(80, 14)) as pilot:
        app.read(0)
        await pilot.pause()
        await pilot._post_mouse_events([_wheel()], widget=app.reader.body)  # type: ignore[list-item]
        await pilot.pause()

        assert numbers(app)[0] > 1


def _wheel() -> type:
    from textual.events import MouseScrollDown

    return MouseScrollDown


# Selecting.


async def test_a_selection_is_the_text_of_the_lines_without_breaks_numbers_or_shortening() -> None:
    long = "tests/queue/test_worker.py ............" + " " * 40 + "[ 99%]"
    text = f"{long}\n" + "word " * 60 + "\n\x1b[31mred\x1b[0m\n"
    app = ReaderHost(MadeUpView([result(text)]))
    async with app.run_test(size=(60, 14)) as pilot:
        app.read(0)
        await pilot.pause()
        app.screen.selections = {app.reader.body: Selection(Offset(6, 1), Offset(2, 3))}

        assert app.screen.get_selected_text() == f"{long[6:]}\n{'word ' * 60}\nre"


async def test_dragging_the_mouse_over_a_broken_line_selects_its_characters() -> None:
    app = ReaderHost(MadeUpView([result("0123456789" * 12 + "\n")]))
    async with app.run_test(size=(60, 14)) as pilot:
        app.read(0)
        await pilot.pause()
        await pilot.mouse_down(Reader, offset=(8 + 3, 2))
        await pilot.hover(Reader, offset=(8 + 4 + 5, 3))
        await pilot.mouse_up(Reader, offset=(8 + 4 + 5, 3))
        await pilot.pause()

        room = 60 - MAP_CELLS - 8 - 1
        assert app.screen.get_selected_text() == ("0123456789" * 12)[3 : room + 6]


async def test_a_piece_that_is_shown_before_its_pane_has_a_size_stands_at_its_place_when_it_gets_one() -> None:
    app = ReaderHost(MadeUpView([result(BIG, exit_code=1)]))
    async with app.run_test(size=(80, 24)) as pilot:
        app.reader.display = False
        await pilot.pause()
        app.read(0)
        await pilot.pause()
        app.reader.display = True
        await pilot.pause()

        assert numbers(app)[-1] == 60_000


async def test_what_stands_right_of_a_line_belongs_to_its_end() -> None:
    app = ReaderHost(MadeUpView([result("short\n\nthird\nfourth\n")]))
    async with app.run_test(size=(60, 14)) as pilot:
        app.read(0)
        await pilot.pause()
        await pilot.mouse_down(Reader, offset=(40, 3))
        await pilot.hover(Reader, offset=(50, 4))
        await pilot.mouse_up(Reader, offset=(50, 4))
        await pilot.pause()

        assert app.screen.get_selected_text() == "\nthird"
