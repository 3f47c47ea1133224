from __future__ import annotations

import json
import re
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.screenshots.script import ClaudeScript
from tests.tui.conftest import MEDIUM, NARROW, SIZES, WIDE, app_on
from tests.tui.driving import Grid, press, settle
from unspool.ids import Reference
from unspool_tui.app import UnspoolApp
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.ledger import LedgerScreen
from unspool_tui.screens.paths import PathsScreen
from unspool_tui.widgets.ledger_list import LedgerList

Told = tuple[Path, str]
HOSTILE = "src/\x1b[31mred\x07/\u202eevil\nname.py"


def session(home: Path, name: str, *steps: tuple[str, dict[str, object], str]) -> str:
    """Write a session of a prompt and calls with results, and return its path."""
    script = ClaudeScript(name, datetime(2026, 11, 27, 15, tzinfo=UTC), "/home/mira/src/hay")
    script.prompt("Go on, see @docs/plan.md")
    for tool, arguments, text in steps:
        script.wait(2)
        script.result(script.call(tool, **arguments), text)
    path = script.path(home)
    script.write(path)
    return str(path)


def held_back(app: UnspoolApp) -> threading.Event:
    """Let the app open nothing until the event is set."""
    go, inner = threading.Event(), app.gateway._tail
    app.gateway._tail = lambda target: (go.wait(30), inner(target))[1]  # type: ignore[method-assign]
    return go


def row_with_bar(app: UnspoolApp) -> str:
    """The row with the cursor."""
    return next(text for y, text in enumerate(Grid(app)) if text.startswith("▌") and y > 1)


def browse(pilot: Pilot[int]) -> BrowseScreen:
    screen = pilot.app.screen
    assert isinstance(screen, BrowseScreen), screen
    return screen


@pytest.mark.parametrize("size", SIZES)
async def test_the_ledger_lists_outputs_largest_first_with_what_the_model_saw(
    told: Told, size: tuple[int, int]
) -> None:
    app = app_on(*told)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "L")
        grid = Grid(app)
        assert grid[0].startswith(" unspool  ›  Invoices drift by a cent  ›  Ledger")
        assert grid[1].startswith("▌Worst outputs   1 by size  2 by tool  3 by file")
        totals = "made 5.1 MB, seen 25 KB" if size == NARROW else "16 outputs made 5.1 MB, the model saw 25 KB"
        assert grid[1].rstrip().endswith(totals)
        names = grid[3]
        at = {name: names.index(name) for name in ("id", "tool", "what")}
        first, second, third = grid[4], grid[5], grid[6]
        assert re.match(r"▌  2.6 MB  ▣   2.\d KB  ", first)
        assert first[at["id"] :].startswith("E20.0")
        assert first[at["tool"] :].startswith("← Bash")
        assert first[at["what"] :].startswith("error  python -m bil")
        assert second[at["id"] :].startswith("E38.0")
        assert third.startswith("    11 KB         all")
        assert third[at["what"] :].startswith("exit 1  pytest -q")
        assert first.count("━") == (8 if size == NARROW else 20)
        assert third.count("━") == 1
        cells = grid.cells(4)
        rule = first.index("━")
        assert cells[rule].style.color != cells[rule + 1].style.color  # seen, and what was not
        sizes = [text[1:9].strip() for text in list(grid)[4:20]]
        assert len([each for each in sizes if each]) == 16


async def test_enter_leads_to_the_output_and_the_ledger_comes_back_as_it_was(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "L", "j", "j", "enter")
        screen = browse(pilot)
        assert screen.view is not None
        assert screen.row is not None
        assert str(screen.view.id(screen.row)) == "E17.0"
        assert screen.pane == "reader"
        assert screen.reader.subject is not None
        assert str(screen.reader.subject.evidence.id) == "E17.0"
        await press(pilot, "L")
        assert "E17.0" in row_with_bar(app)
        await press(pilot, "2", "escape", "L")
        assert Grid(app)[1].startswith("▌Tools")
        await press(pilot, "q")
        assert browse(pilot).row == screen.row


async def test_tools_and_files_are_weighed_and_lead_to_their_outputs(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "L", "2")
        grid = Grid(app)
        assert grid[4].startswith("▌  5.1 MB  ▣    16 KB")
        assert "5 outputs   ← Bash" in grid[4]
        assert "3 outputs   ← Read" in grid[5]
        await press(pilot, "j", "enter")
        assert Grid(app).has("/ tool:Read")
        assert Grid(app).has("3 of 16")
        assert all("← Read" in text for text in list(Grid(app))[4:7])
        await press(pilot, "escape")
        assert Grid(app)[1].startswith("▌Tools")
        await press(pilot, "3")
        grid = Grid(app)
        assert "1 output   src/billing/invoice.py" in grid[4]
        assert "3 outputs   src/billing/pdf.py" in grid[5]
        await press(pilot, "j", "enter")
        assert Grid(app).has("/ path:src/billing/pdf.py")
        assert Grid(app).has("3 of 16")


async def test_orders_are_chosen_with_the_mouse_and_a_row_is_opened_by_two_clicks(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "L")
        await pilot.click(offset=(Grid(app)[1].index("by tool"), 1))
        await settle(pilot)
        assert Grid(app)[1].startswith("▌Tools")
        await pilot.click(offset=(Grid(app)[1].index("by size"), 1))
        await settle(pilot)
        await pilot.click(offset=(60, 5), times=2)
        await settle(pilot)
        screen = browse(pilot)
        assert screen.view is not None
        assert str(screen.view.id(screen.row or 0)) == "E38.0"


async def test_the_ledger_takes_the_words_of_the_filter_and_searches_contents(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "L", "slash", *"is:error", "enter")
        grid = Grid(app)
        assert grid.has("3 of 16")
        assert all(("error" in text) or ("exit" in text) for text in list(grid)[4:7])
        await press(pilot, "escape", "slash", *"1428386", "enter")
        assert Grid(app).has("2 of 16")
        await press(pilot, "escape", "slash", *"is:nonsense", "enter")
        assert Grid(app).has("is:nonsense is unknown")
        await press(pilot, "escape", "slash", *"no such thing", "enter")
        assert Grid(app).has("no output fits the filter   esc clears it")
        await press(pilot, "escape", "escape")
        browse(pilot)


async def test_a_reference_copied_from_the_ledger_resolves(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "L", "j", "y")
        reference = Reference.parse(app.clipboard)
        assert str(reference.target) == "E38.0"
        await press(pilot, "3", "y")
        assert str(Reference.parse(app.clipboard).target) == "E8.0"


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_path_lens_begins_at_the_path_of_the_piece_and_shows_all_that_touches_it(
    told: Told, size: tuple[int, int]
) -> None:
    app = app_on(*told)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "colon", *"E23.0", "enter", "P")
        grid = Grid(app)
        assert grid[0].startswith(" unspool  ›  Invoices drift by a cent  ›  Paths")
        assert grid[1].startswith("▌Paths 6")
        assert "src/billing/money.py" in row_with_bar(app)
        assert row_with_bar(app).split()[1] == "4"
        await press(pilot, "enter")
        screen = browse(pilot)
        assert screen.filter_line.words == "path:src/billing/money.py"
        assert Grid(app).has("4 of 45")
        assert screen.row == screen.evidence.row
        await press(pilot, "P", "k", "enter")
        assert browse(pilot).filter_line.words == "path:src/billing/pdf.py"
        assert Grid(app).has("6 of 45")
        await press(pilot, "escape")
        assert browse(pilot).filter_line.words == ""


async def test_paths_are_filtered_and_their_newest_piece_is_copied(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "P", "slash", *"TEST", "enter")
        assert Grid(app).has("1 of 6")
        await press(pilot, "y")
        assert str(Reference.parse(app.clipboard).target) == "E15.0"
        await press(pilot, "escape", "slash", *"zzz", "enter")
        assert Grid(app).has("no path holds this   esc clears it")
        await press(pilot, "escape", "escape")
        browse(pilot)


@pytest.mark.parametrize(("key", "kind"), [("L", LedgerScreen), ("P", PathsScreen)])
async def test_a_lens_opened_while_the_session_is_read_waits_for_it(told: Told, key: str, kind: type) -> None:
    app = app_on(*told)
    go = held_back(app)
    async with app.run_test(size=MEDIUM) as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert isinstance(app.screen, kind)
        assert Grid(app).has("reading the session …")
        go.set()
        await settle(pilot)
        assert not Grid(app).has("reading")
        assert len([text for text in list(Grid(app))[4:] if " E" in text]) >= 6


async def test_a_session_without_outputs_or_paths_says_so(tmp_path: Path) -> None:
    script = ClaudeScript("nothing", datetime(2026, 11, 27, 15, tzinfo=UTC), "/home/mira")
    script.prompt("Hello")
    script.say("Hello")
    path = script.path(tmp_path)
    script.write(path)
    app = app_on(tmp_path, str(path))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "L")
        assert Grid(app).has("no tool put out anything in this session")
        await press(pilot, "3")
        assert Grid(app).has("no tool put out anything in this session")
        await press(pilot, "enter", "y", "escape", "P")
        assert Grid(app).has("no call names a path, and no prompt mentions one")
        await press(pilot, "enter", "y", "escape")
        browse(pilot)


async def test_outputs_of_no_file_are_told_from_a_session_without_outputs(tmp_path: Path) -> None:
    path = session(tmp_path, "pathless", ("Bash", {"command": "true"}, "fine"))
    app = app_on(tmp_path, path)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "L", "3")
        assert Grid(app).has("no call with an output names a path")
        await press(pilot, "escape", "P")
        assert Grid(app)[4].split()[-1] == "docs/plan.md"  # mentioned by a prompt


async def test_hostile_paths_and_tools_are_shown_cleaned_and_still_lead_on(tmp_path: Path) -> None:
    path = session(
        tmp_path,
        "hostile",
        ("Read", {"file_path": HOSTILE}, "text"),
        ("To\x1b]52;c;eA==\x07ol", {"file_path": "fi le.py"}, "more"),
    )
    app = app_on(tmp_path, path)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        for keys in (("L",), ("2",), ("3",), ("escape", "P")):
            await press(pilot, *keys)
            assert not [sign for sign in str(Grid(app)) if sign in "\x1b\x07\u202e\x9b"]
        await press(pilot, "slash", *"name.py", "enter", "enter")
        assert browse(pilot).filter_line.words == "path:name.py"
        assert Grid(app).has("2 of 5")
        await press(pilot, "P", "slash", *"fi le", "enter", "enter")
        assert browse(pilot).filter_line.words == 'path:"fi le.py"'
        assert Grid(app).has("2 of 5")
        assert json.dumps(app.clipboard).isascii()


async def test_outputs_that_the_harness_cut_are_told_from_those_that_the_model_saw_whole(tmp_path: Path) -> None:
    script = ClaudeScript("cut", datetime(2026, 11, 27, 15, tzinfo=UTC), "/home/mira/src/hay")
    script.prompt("Go")
    script.result(script.call("Grep", pattern="x"), "a:1\n" * 400, detail={"truncated": True})
    script.result(script.call("Bash", command="ls"), "b\n" * 200)
    script.result(script.call("Fetch", url={"a": "http://x/y"}), "c")
    path = script.path(tmp_path)
    script.write(path)
    for size in (NARROW, MEDIUM):
        app = app_on(tmp_path, str(path))
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await press(pilot, "j", "j")
            assert re.search(r"▌E2.0 .* ▣ ← Grep", str(Grid(app)))
            await press(pilot, "enter", "m")
            grid = Grid(app)
            assert grid.has(" ▣ cut by the agent ")
            assert grid.has("the model saw this; the rest is lost") or size == NARROW
            assert not grid.has("model saw all")
            await press(pilot, "L")
            grid = Grid(app)
            said = "made 2.0 KB, 1 cut" if size == NARROW else "3 outputs made 2.0 KB, 1 cut"
            assert grid[1].rstrip().endswith(said)
            assert grid[4].startswith("▌  1.6 KB  ▣      cut")
            assert grid[5].startswith("    400 B         all")
            assert '{"url":{"a":"http://x' in grid[6]  # no path: its beginning tells more
            await press(pilot, "2")
            assert Grid(app)[4].startswith("▌  1.6 KB  ▣      cut")
            await press(pilot, "question_mark")
            assert "1 to 3" in str(Grid(app))


@pytest.mark.parametrize("key", ["L", "P"])
async def test_a_session_that_comes_and_grows_before_a_lens_is_composed_is_shown_when_it_is(
    told: Told, key: str
) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, key)
        shown, seen = app.screen, list(Grid(app))
        assert isinstance(shown, LedgerScreen | PathsScreen)
        view = shown.view
        assert view is not None
        lens = type(shown)(shown.gateway, shown.clock, shown._whose, None)
        lens.take(view)
        lens.grow(view)
        await press(pilot, "escape")
        app.push_screen(lens)
        await settle(pilot)
        assert list(Grid(app)) == seen


async def test_what_was_pressed_in_a_list_that_is_another_by_now_is_done_in_the_new_one(told: Told) -> None:
    app = app_on(*told)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        thread = browse(pilot).rail.thread
        thread.post_message(thread.Moved(thread, 10**6))
        await press(pilot, "L")
        records = app.screen.query_one(LedgerList)
        assert records.page is not None
        records.post_message(records.Moved(records, 10**6))
        records.post_message(records.Opened(records, 10**6))
        await settle(pilot)
        assert browse(pilot).row == records.page.rows[0]
    assert app.fault is None
