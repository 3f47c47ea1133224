from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.factories.yoi_lines import Yoi
from tests.tui.conftest import MEDIUM, NARROW, SIZES, WIDE, app_on
from tests.tui.driving import Grid, press, settle
from unspool.ids import Reference
from unspool_tui.app import UnspoolApp
from unspool_tui.present.bars import MAP_CELLS
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.sessions import SessionsScreen

Told = tuple[Path, str]


def browse(pilot: Pilot[int]) -> BrowseScreen:
    screen = pilot.app.screen
    assert isinstance(screen, BrowseScreen)
    return screen


def cursor_row(app: UnspoolApp) -> str:
    """The evidence row with the cursor, from its bar on."""
    return next(text[text.index("▌E") :] for text in Grid(app) if "▌E" in text and "Evidence" not in text)


def broken_copy(path: str, folder: Path) -> str:
    """Write the session with two lines that nobody can read, and return its path."""
    lines = Path(path).read_bytes().split(b"\n")
    lines[4:4] = [b'{"type":"user","mess\x1b[31mage":', b"\x00nonsense"]
    broken = folder / "broken.jsonl"
    broken.write_bytes(b"\n".join(lines))
    return str(broken)


@pytest.mark.parametrize("size", SIZES)
async def test_a_session_opens_at_its_beginning_with_counts_of_what_there_is(told: Told, size: tuple[int, int]) -> None:
    app = app_on(*told)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        grid = Grid(app)
        assert grid[0].startswith(" unspool  ›  Invoices drift by a cent")
        assert "● live" in grid[0]
        facets = "1 user 4   2 assistant 8" if size == WIDE else "user 4  assistant 8  system 1"
        assert f"▌Evidence 45  {facets}" in grid[1].replace("   1", "  1", 1)
        assert cursor_row(app).startswith("▌E0.0    15:53:55    user")
        assert ("lines" in grid[grid.row_of("← Glob")]) == (size == WIDE)
        for name in ("overview  evidence  reader",):
            assert (name in grid[0]) == (size == NARROW)


async def test_facets_narrow_the_list_and_show_what_they_would_give(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await press(pilot, "5")
        grid = Grid(app)
        assert " 5 ← out 16 " in grid[1]
        assert "4 → in 16" in grid[1]
        assert grid.has("/ part:output")
        assert grid.has("16 of 45")
        assert not any("→ Bash" in text for text in grid)
        await press(pilot, "6")
        assert Grid(app).has("3 of 45")
        await press(pilot, "0")
        assert not Grid(app).has(" of 45")


async def test_facets_are_chosen_with_the_mouse_too(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await pilot.click(offset=(Grid(app)[1].index("errors"), 1))
        await settle(pilot)
        assert browse(pilot).filter_line.words == "is:error"
        assert Grid(app).has("3 of 45")


async def test_the_filter_line_takes_the_words_of_the_command_and_says_what_is_left(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"tool:bash part:output rounded", "enter")
        grid = Grid(app)
        assert grid.has("nothing fits the filter")
        await press(pilot, "escape", "slash", *"rounded", "enter")
        grid = Grid(app)
        assert grid.has("9 of 45   18 matches") or grid.has("matches")
        assert "n N match" in grid[35]
        await press(pilot, "slash", *" is:nonsense", "enter")
        assert Grid(app).has("is:nonsense is unknown")


async def test_a_search_reaches_stored_outputs_and_shows_the_match(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"1428386", "enter")
        grid = Grid(app)
        assert grid.has("2 of 45   2 matches")
        row = grid[grid.row_of("E20.0 ")]
        assert "order 1428386  lines 8" in row
        assert "1 •" in row
        cells = grid.cells(grid.row_of("E20.0 "))
        at = row.index("1428386")
        assert cells[at].style.bgcolor != cells[at - 1].style.bgcolor
        assert grid.has("line 61 199 of 61 201")
        await press(pilot, "n")
        assert cursor_row(app).startswith("▌E38.0")
        await press(pilot, "n")
        assert "on from the top" in Grid(app)[47]
        assert cursor_row(app).startswith("▌E20.0")
        await press(pilot, "N")
        assert cursor_row(app).startswith("▌E38.0")


@pytest.mark.parametrize("size", [MEDIUM, WIDE])
async def test_overview_and_evidence_keep_their_cursors_on_the_same_piece(told: Told, size: tuple[int, int]) -> None:
    app = app_on(*told)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "shift+tab", "j", "j")
        grid = Grid(app)
        assert grid[grid.row_of("8 pieces")].startswith("▌")
        assert cursor_row(app).startswith("▌E3.0")  # the first piece of the gap
        await press(pilot, "tab", "G")
        grid = Grid(app)
        assert grid[1].startswith(" Overview")
        assert "turn 4 of 4" in grid[1]
        assert grid[grid.row_of("◆ Done. Customers see")].startswith("▌")


async def test_errors_are_walked_forth_and_back(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        seen = []
        for key in "eeeE":
            await press(pilot, key)
            seen.append(cursor_row(app).split()[0])
        assert seen == ["▌E17.0", "▌E20.0", "▌E32.0", "▌E20.0"]


async def test_past_the_last_error_the_walk_goes_on_from_the_top(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "E")
        assert cursor_row(app).startswith("▌E32.0")
        assert "on from the end" in Grid(app)[35]
        await press(pilot, "e")
        assert cursor_row(app).startswith("▌E17.0")
        assert "on from the top" in Grid(app)[35]


async def test_where_the_filter_shows_no_error_those_that_it_leaves_out_are_walked(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        for facet, left in (("4", "16 of 45"), ("1", "4 of 45")):
            await press(pilot, "0", "g", facet, "E")
            assert cursor_row(app).startswith("▌E32.0")
            assert "outside the filter" in Grid(app)[35]
            assert Grid(app).has(left)
            await press(pilot, "E", "E")
            assert cursor_row(app).startswith("▌E17.0")
        await press(pilot, "0", "slash", *"drift", "enter", "E")
        assert cursor_row(app).startswith("▌E32.0")


async def test_a_facet_leads_on_and_never_back(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "G")
        last = cursor_row(app).split()[0]
        await press(pilot, "4")
        assert cursor_row(app).split()[0] == last
        assert f"nothing of this after {last[1:]}" in Grid(app)[35]
        assert Grid(app).has("16 of 45")
        await press(pilot, "0", "g", "4")
        assert "→" in cursor_row(app)
        assert "nothing of this" not in Grid(app)[35]


async def test_a_place_that_the_filter_leaves_out_is_shown_in_the_list_too(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        for keys in (("slash", *"1428386", "enter"), ("0", "1")):
            await press(pilot, *keys)
            left = next(text for text in Grid(app) if " of 45" in text)
            await press(pilot, "colon", *"E13", "enter")
            assert cursor_row(app).startswith("▌E13.0")
            assert Grid(app).has(left.strip()[-8:])
            await press(pilot, "escape", "g")


async def test_a_session_without_errors_says_so(home: Path) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    app = app_on(home, str(lines.save().path))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        assert "no error here" in Grid(app)[35]


async def test_prompts_are_walked_and_places_gone_to(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "right_square_bracket")
        assert cursor_row(app).startswith("▌E12.0")
        for said, found in (("e20", "▌E20.0"), ("E34.0", "▌E34.0"), ("18", "▌E17.0"), ("15:56:38", "▌E20.0")):
            await press(pilot, "colon", *said, "enter")
            assert cursor_row(app).startswith(found), said
        await press(pilot, "colon", *"E999", "enter")
        assert "nothing at E999" in Grid(app)[35]
        assert cursor_row(app).startswith("▌E20.0")


async def test_a_call_leads_to_its_result_though_the_filter_leaves_it_out(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "5", "e", "p")
        assert cursor_row(app).startswith("▌E16.0")
        assert Grid(app).has("16 of 45")  # a guest is not counted
        await press(pilot, "p")
        assert cursor_row(app).startswith("▌E17.0")
        assert not any(" E16.0 " in text and "→ Bash" in text for text in Grid(app))


async def test_reasoning_is_counted_and_shown_on_demand(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert Grid(app).has("t reasoning 1")
        assert not Grid(app).has(" E1.0 ")
        await press(pilot, "t")
        grid = Grid(app)
        assert "~ assistant" in grid[grid.row_of(" E1.0 ")]
        await press(pilot, "t")
        assert not Grid(app).has(" E1.0 ")


async def test_a_copied_reference_can_be_resolved_and_a_copied_text_is_clean(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "e", "y")
        reference = Reference.parse(app.clipboard)
        assert str(reference.target) == "E17.0"
        view = browse(pilot).view
        assert view is not None
        assert view.resolve(reference).state == "intact"
        await press(pilot, "p", "Y")
        assert app.clipboard == "pytest -q tests/test_split.py"
        await press(pilot, "e", "e", "Y")
        assert Grid(app).has("more than a clipboard takes")


async def test_one_pane_is_shown_at_a_time_on_a_small_screen(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "e", "enter")
        assert "▌E17.0  ← Bash   exit 1" in Grid(app)[1]
        assert browse(pilot).pane == "reader"
        await press(pilot, "escape")
        assert Grid(app)[1].startswith("▌Evidence 45")
        await press(pilot, "shift+tab")
        grid = Grid(app)
        assert grid[1].startswith("▌Overview")
        assert grid[1].rstrip().endswith("turn 2 of 4")
        await pilot.click(offset=(grid[0].index("evidence"), 0))
        await settle(pilot)
        assert browse(pilot).pane == "evidence"


async def test_any_pane_can_have_the_whole_screen(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "z")
        grid = Grid(app)
        assert grid[1].startswith("▌Evidence")
        assert not grid.has("Overview")
        assert cursor_row(app)
        await press(pilot, "tab")
        assert Grid(app)[1].startswith("▌E0.0  user")
        await press(pilot, "z")
        assert Grid(app).has("Overview")


async def test_escape_steps_back_through_reader_filter_and_session(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "6", "enter")
        assert browse(pilot).pane == "reader"
        await press(pilot, "escape")
        assert browse(pilot).pane == "evidence"
        assert browse(pilot).filter_line.words == "is:error"
        await press(pilot, "escape")
        assert browse(pilot).filter_line.words == ""
        await press(pilot, "escape")
        assert isinstance(app.screen, SessionsScreen)


async def test_a_reference_opens_at_its_piece_and_its_line(told: Told) -> None:
    home, path = told
    app = app_on(home, f"{path}/E20.0#L30000")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert cursor_row(app).startswith("▌E20.0")
        assert Grid(app).has("30000  order 1209993")


async def test_the_panes_follow_the_screen_when_it_is_resized(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        for size in (NARROW, MEDIUM, WIDE):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert cursor_row(app).startswith("▌E17.0"), size


async def test_unreadable_lines_are_counted_quietly_and_can_be_looked_at(told: Told, tmp_path: Path) -> None:
    app = app_on(told[0], broken_copy(told[1], tmp_path))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert "U unreadable 2" in Grid(app)[2]
        await press(pilot, "U")
        grid = Grid(app)
        assert grid.has("2 lines could not be read")
        assert "▌  line 5" in grid[grid.row_of("line 5")]
        assert grid.has('{"type":"user","message":')
        await press(pilot, "j")
        assert Grid(app).has("nonsense")
        await press(pilot, "escape", "G", "U", "escape")
        assert isinstance(app.screen, BrowseScreen)


async def test_records_out_of_their_chain_are_listed_with_the_lines_that_cannot_be_read(tmp_path: Path) -> None:
    lines = Yoi(tmp_path, Names(7), era="logged")
    lines.user("Go")
    lines.answer("Gone")
    lines.patch(b"Gone", b"Went").answer("Home")
    lines.save()
    app = app_on(tmp_path, f"yoi:{lines.session_id}")
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "U")
        grid = Grid(app)
        assert grid.has("1 record out of the chain")
        assert "changed" in grid[grid.row_of("line 3")]
        assert grid.has("Went")


async def test_a_session_with_every_line_readable_says_so(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert "unreadable" not in Grid(app)[2]
        await press(pilot, "U")
        assert "every line could be read" in Grid(app)[35]


async def test_escape_in_the_filter_line_clears_it_and_tab_completes_a_word(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"tool:gr", "tab")
        assert browse(pilot).filter_line.words == "tool:Grep"
        assert Grid(app).has("2 of 45")
        await press(pilot, "escape")
        assert browse(pilot).filter_line.words == ""
        assert not Grid(app).has(" of 45")
        assert browse(pilot).pane == "evidence"


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_piece_that_is_not_there_is_told_though_the_session_opens(told: Told, size: tuple[int, int]) -> None:
    home, path = told
    app = app_on(home, f"{path}/E9999")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert Grid(app).has("there is no piece E9999; the entries are E")
        assert cursor_row(app).startswith("▌E0.0")
        await press(pilot, "q", "o", *f"{browse_ref(app)}/E9998", "enter")
        assert isinstance(app.screen, BrowseScreen)
        assert Grid(app).has("there is no piece E9998; the entries are E")


def browse_ref(app: UnspoolApp) -> str:
    """Return the reference of the session that was read last."""
    assert app.memory.session is not None
    return app.memory.session


async def test_all_sessions_are_searched_from_inside_one_and_the_way_back_leads_there(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "j")
        assert isinstance(app.screen, BrowseScreen)
        row = app.screen.row
        await press(pilot, "s", *"invoice", "enter")
        assert "Search all sessions" in Grid(app)[0]
        await press(pilot, "escape")
        assert isinstance(app.screen, BrowseScreen)
        assert app.screen.row == row


async def test_a_filter_never_shows_more_than_there_is(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "t")
        told = Grid(app)[Grid(app).row_of("/ is:reasoning")]
        shown, total = re.findall(r"(\d+) of (\d+)", told)[-1]
        assert shown == total
        await press(pilot, "t", "slash", *"kind:user", "enter", "t")
        assert "there is no reasoning here" in Grid(app)[35]
        assert Grid(app).has("/ kind:user")


async def test_what_is_said_gives_way_to_the_keys_with_the_next_key(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        for said, keys in (("nothing is searched", "n"), ("nothing at E9999", "")):
            await press(pilot, *(keys or (":", *"E9999", "enter")))
            assert said in Grid(app)[35]
            await press(pilot, *("m",) if keys else ("escape", "m"))
            assert said not in Grid(app)[35]


async def test_the_map_is_a_strip_of_its_own_beside_the_rows(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        for y in (8, 16):
            row, *strip = Grid(app).cells(y)[-1 - MAP_CELLS :]
            assert {cell.style.bgcolor for cell in strip} != {row.style.bgcolor}
            assert len({cell.style.bgcolor for cell in strip}) == 1
            assert strip[0].text == " "
