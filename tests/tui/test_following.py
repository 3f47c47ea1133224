"""The session that is open, while it is written."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.core.views.growing import finished, said
from tests.sessions import Said, claude_records
from tests.tui.conftest import MEDIUM, NARROW
from tests.tui.driving import PATIENCE, Grid, press, settle, until
from unspool.follow.tail import Tail
from unspool.library.opening import open_library
from unspool.sources.json_value import compact
from unspool.views.view import SessionView
from unspool_tui.app import UnspoolApp
from unspool_tui.gateway import tailing
from unspool_tui.messages.failed import Failed
from unspool_tui.present.follow_rows import LIVE_SECONDS, Pulse, pulse_row
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.widgets.evidence_list import EvidenceList
from unspool_tui.widgets.new_chip import NewChip

PROMPTS = [("user", f"prompt {number}") for number in range(40)]
SIDE = (
    "<persisted-output>\nOutput too large (54.0KB). Full output saved to: {path}\n\n"
    "Preview (first 2KB):\nrow 0\n</persisted-output>"
)


class Written:
    """A session whose records are appended one after the other."""

    def __init__(self, home: Path, said: Sequence[Said], begun: int) -> None:
        self.home = home
        self.path = home / ".claude" / "projects" / "-srv-shop" / "11111111-2222-4333-8444-555555555555.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lines = (f"{compact(record)}\n".encode() for record in claude_records(said))
        self.append(begun)

    def next(self, count: int = 1) -> bytes:
        """Return the records that come next."""
        return b"".join(islice(self._lines, count))

    def append(self, count: int = 1) -> None:
        """Write the records that come next."""
        self.write(self.next(count))

    def write(self, data: bytes) -> None:
        """Write bytes behind the others."""
        with self.path.open("ab") as file:
            file.write(data)

    def replace(self, said: Sequence[Said], *more: dict[str, str | None]) -> None:
        """Put another file in the place of this one."""
        other = self.path.with_suffix(".tmp")
        other.write_bytes(b"".join(f"{compact(record)}\n".encode() for record in (*claude_records(said), *more)))
        other.replace(self.path)

    def app(self) -> UnspoolApp:
        """Return the app on the session."""
        return UnspoolApp(open_library([str(self.home)]), str(self.path))


def row_here(pilot: Pilot[int]) -> int | None:
    return pilot.app.screen.query_one(EvidenceList).row


async def test_at_its_end_the_list_follows_and_elsewhere_it_stays_and_counts(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        first = list(Grid(app))[3:13]
        written.append(2)
        grid = await until(pilot, lambda grid: grid.has("Evidence 32 ") and grid.has(" ▼ 2 new G "))
        assert [text[31:88] for text in first] == [text[31:88] for text in list(grid)[3:13]], "nothing moved"
        assert grid[-1].endswith("not following, G follows ")
        await press(pilot, "G")
        grid = Grid(app)
        assert grid.has("▌E31.0")
        assert not grid.has("2 new")
        assert grid[-1].endswith("following ")
        written.append()
        grid = await until(pilot, lambda grid: grid.has("▌E32.0") and grid.has("     prompt 32"))
        assert row_here(pilot) == 32
        await until(pilot, lambda grid: "turn 33 of 33" in grid[1])


@pytest.mark.parametrize(("age", "times"), [(0.0, 1), (86_400.0, 0)], ids=["live", "long at rest"])
async def test_a_session_that_is_live_is_made_ready_for_what_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: float, times: int
) -> None:
    prepared: list[SessionView] = []
    monkeypatch.setattr(tailing, "PREPARED_AFTER", 0.0)
    monkeypatch.setattr(SessionView, "prepare", lambda view: prepared.append(view))
    written = Written(tmp_path, PROMPTS, 5)
    written_at = time.time() - age
    os.utime(written.path, (written_at, written_at))
    async with written.app().run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda grid: grid.has("Evidence 5 "))
        screen = pilot.app.screen
        assert isinstance(screen, BrowseScreen)
        await until(pilot, lambda grid: screen._tailer is not None and screen._tailer._prepared)
    assert len(prepared) == times


async def test_a_key_lets_the_list_stay_at_its_end_and_follow_again(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "F")
        assert Grid(app).has("▌E29.0")
        await press(pilot, "F")
        assert Grid(app)[-1].endswith("not following, F follows ")
        written.append(5)
        await until(pilot, lambda grid: grid.has("Evidence 35 "))
        assert row_here(pilot) == 29
        await press(pilot, "F")
        assert row_here(pilot) == 34


async def test_the_top_says_when_the_agent_waits_for_a_person_and_when_it_works_again(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 3)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda grid: grid[0].endswith("● live "))
        written.write(finished(50, "Done.") + b"\n")
        await until(pilot, lambda grid: grid.has("Done.") and "? waits for you" in grid[0])
        written.write(said(51, "And now?") + b"\n")
        await until(pilot, lambda grid: grid.has("And now?") and grid[0].endswith("● live "))


@pytest.mark.parametrize(
    ("pulse", "shown"),
    [
        (Pulse(live=True, waiting=True), "? waits for you"),
        (Pulse(waiting=True, idle=7), "? waits for you  idle 7 s"),
        (Pulse(live=True, waiting=True, idle=LIVE_SECONDS), "? waits for you  idle 2 min"),
        (Pulse(waiting=True, idle=LIVE_SECONDS), "idle 2 min"),
    ],
)
def test_nobody_is_waited_for_in_a_session_that_does_not_live(pulse: Pulse, shown: str) -> None:
    assert "".join(text for text, _ in pulse_row(pulse)).strip() == shown


async def test_a_title_that_is_given_while_it_is_watched_is_at_the_top(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    async with written.app().run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda grid: grid[0].startswith(" unspool  ›  prompt 0"))
        named = {"type": "custom-title", "customTitle": "The till", "sessionId": written.path.stem}
        written.write(f"{compact(named)}\n".encode())
        await until(pilot, lambda grid: grid[0].startswith(" unspool  ›  The till"))


@pytest.mark.parametrize("given", [None, "The till"])
async def test_the_title_of_a_file_that_was_replaced_leaves_the_top_with_it(tmp_path: Path, given: str | None) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    named = {"type": "custom-title", "customTitle": given, "sessionId": written.path.stem}
    async with written.app().run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda grid: grid[0].startswith(" unspool  ›  prompt 0"))
        written.replace([("user", "other 0"), ("assistant", "other 1")], *([named] if given else []))
        await until(pilot, lambda grid: grid[0].startswith(f" unspool  ›  {given or 'other 0'}"))


async def test_a_line_marks_where_reading_stopped(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 5)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        written.append(3)
        grid = await until(pilot, lambda grid: grid.has("Evidence 8 ") and grid.has("new since you looked"))
        assert grid.row_of("E4.0") + 1 == grid.row_of("new since you looked") == grid.row_of("E5.0") - 1
        await press(pilot, *"jjjjj")
        assert row_here(pilot) == 5, "the line is no row"
        await press(pilot, "q")
        written.append(2)
        await press(pilot, "enter")
        grid = await until(pilot, lambda grid: grid.has("Evidence 10 "))
        assert grid.row_of("new since you looked") == grid.row_of("E8.0") - 1


async def test_the_chip_leads_to_the_end(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    app = written.app()
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        written.append(4)
        await until(pilot, lambda grid: grid.has("▼ 4 new G"))
        await pilot.click(NewChip)
        await until(pilot, lambda grid: grid.has("▌E33.0"))
        assert not Grid(app).has("4 new")


async def test_half_a_line_is_pending_and_no_error(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 3)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        line = written.next()
        for cut in (10, 20):
            written.write(line[cut - 10 : cut])
            grid = await until(pilot, lambda grid, cut=cut: f"{cut} B pending" in grid[0])  # type: ignore[misc]
            assert grid.has("Evidence 3 ")
        written.write(line[20:])
        grid = await until(pilot, lambda grid: grid.has("Evidence 4 ") and "pending" not in grid[0])
        assert not grid.has("unreadable")


async def test_a_burst_of_ten_thousand_records_is_there_without_one_too_many(tmp_path: Path) -> None:
    written = Written(tmp_path, [("user", f"prompt {number}") for number in range(10_010)], 10)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "F")
        for _ in range(100):
            lines = written.next(100)
            written.write(lines[:777])
            written.write(lines[777:])
            await pilot.pause(0)
        await until(pilot, lambda grid: grid.has("▌E10009.0") and grid.has("     prompt 10009"))
        screen = app.screen
        assert isinstance(screen, BrowseScreen)
        assert list(screen.evidence.listing.rows if screen.evidence.listing else ()) == list(range(10_010))


async def test_a_replaced_file_drops_its_rows_and_the_place_stays_sane(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 40)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "G", "k", "k", "enter")
        written.replace([("user", "other 0"), ("assistant", "other 1")])
        grid = await until(pilot, lambda grid: grid.has("Evidence 2 ") and grid.has("     other 1"))
        assert "replaced" in grid[0]
        assert grid.has("E1.0")
        await until(pilot, lambda grid: not grid.has("prompt 3"))  # the thread comes behind the list
        await press(pilot, "escape", "g")
        assert Grid(app).has("other 0")
    assert app.fault is None


async def test_what_is_open_stays_when_its_file_is_deleted_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 5)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "j", "enter")
        content = written.path.read_bytes()
        written.path.unlink()
        grid = await until(pilot, lambda grid: "✗ source gone" in grid[0])
        assert grid.has("Evidence 5 ")
        assert grid.has("     prompt 1")
        await press(pilot, "escape", "j", "j", "r", "m", "R", "F", "slash", *"prompt", "enter", "escape")
        assert "✗ source gone" in Grid(app)[0]
        written.path.write_bytes(content)
        written.append()
        await until(pilot, lambda grid: grid.has("Evidence 6 ") and "● live" in grid[0])
    assert app.fault is None


CALLED = [("user", "go"), ("input", {"command": "ls"}), ("output", "a.txt"), ("assistant", "done")]


async def test_a_call_whose_result_comes_is_no_longer_unanswered(tmp_path: Path) -> None:
    written = Written(tmp_path, CALLED, 2)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "j", "enter")
        grid = Grid(app)
        assert "◌" in grid[grid.row_of("E1.0")]
        written.append()
        grid = await until(pilot, lambda grid: grid.has("Evidence 3 ") and grid.has("← E2.0"))
        assert "◌" not in grid[grid.row_of("E1.0")]


def stored(home: Path) -> tuple[list[Said], Path]:
    """Return what is said around a stored output, and its file."""
    side = home / ".claude/projects/-srv-shop/11111111-2222-4333-8444-555555555555/tool-results/toolu_0.txt"
    side.parent.mkdir(parents=True)
    side.write_text("".join(f"row {number}\n" for number in range(3_000)))
    return [("user", "go"), ("input", {"command": "ls"}), ("output", SIDE.format(path=side)), ("user", "on")], side


async def test_a_stored_output_grows_in_the_reader_and_what_is_in_view_stays_in_view(tmp_path: Path) -> None:
    said, side = stored(tmp_path)
    written = Written(tmp_path, [], 0)
    written.write(b"".join(f"{compact(record)}\n".encode() for record in claude_records(said)))
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "j", "j", "enter", "colon", *"1500", "enter")
        before = list(Grid(app))[18:34]
        assert Grid(app).has("1500  row 1499")
        with side.open("a") as file:
            file.write("row 3000\n" * 2_000)
        await press(pilot, "R")
        grid = await until(pilot, lambda grid: grid.has("5 000"))
        assert [text[31:60] for text in before] == [text[31:60] for text in list(grid)[18:34]]


async def test_the_ledger_grows_and_its_cursor_stays_on_its_output(tmp_path: Path) -> None:
    sizes = (400, 100, 200, 300)
    said: list[Said] = [("user", "go")]
    for size in sizes:
        said += [("input", {"command": f"make {size}"}), ("output", "x" * size)]
    written = Written(tmp_path, said, 7)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "L", "j")
        assert Grid(app).has("make 200")
        written.append(2)
        await until(pilot, lambda grid: grid.has("make 300"))
        await press(pilot, "enter")
        assert Grid(app).has("▌E6.0"), "the output that the cursor was on"


async def test_a_search_keeps_its_rows_and_its_cursor_while_the_session_grows(tmp_path: Path) -> None:
    written = Written(
        tmp_path, [("user", f"prompt {number} {'even' if number % 2 == 0 else 'odd'}") for number in range(60)], 40
    )
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "slash", *"even", "enter")
        await press(pilot, "j", "j", "j")
        row = row_here(pilot)
        await until(pilot, lambda grid: grid.has("20 of 40"))
        written.append(10)
        grid = await until(pilot, lambda grid: grid.has("25 of 50") and grid.has("▼ 5 new"))
        assert row_here(pilot) == row == 6
        assert grid.has("▌E6.0")
        await press(pilot, "G")
        assert "prompt 48 even" in Grid(app)[Grid(app).row_of("▌E48.0")]


async def test_a_filter_is_typed_while_the_session_grows(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 10)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await pilot.press("slash")
        for sign in "prompt 1":
            written.append()
            await pilot.press(sign)
        await until(pilot, lambda grid: grid.has("9 of 18"))


async def test_a_list_of_sessions_grows_and_its_cursor_stays(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 3)
    app = UnspoolApp(open_library([str(tmp_path)]))
    async with app.run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda grid: grid.has("▌● claude    prompt 0"))
        others = [written.path.with_name(f"{number}{written.path.name[1:]}") for number in (2, 3)]
        for number, other in enumerate(others):
            other.write_bytes(written.path.read_bytes().replace(b"prompt", b"other%d" % number).replace(b"u0", b"v0"))
        await until(
            pilot, lambda grid: grid.has("other0 0") and grid.has("other1 0") and grid.has("▌● claude    prompt 0")
        )
        others[0].unlink()
        await until(pilot, lambda grid: not grid.has("other0 0") and grid.has("▌● claude    prompt 0"))


async def test_the_demo_is_followed_from_its_first_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unspool_tui.demo.stage.PACE", 0.01)
    monkeypatch.setattr("unspool_tui.demo.Stage.__init__.__defaults__", (0.01,))
    app = UnspoolApp(open_library([str(tmp_path)], absent=True))
    async with app.run_test(size=MEDIUM) as pilot:
        await until(pilot, lambda grid: grid.has("watch a scripted agent"))
        await pilot.press("d")
        await until(pilot, lambda grid: grid[-1].endswith("following ") and ("● live" in grid[0] or "waits" in grid[0]))
        await until(pilot, lambda grid: grid.has("Evidence 38 ") and grid.has("▌E45.0"))
        assert app.stage is not None
        app.stage.remove()


async def test_one_clock_ticks_for_the_top_however_many_sessions_grew_on_the_screen(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 30)
    async with written.app().run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, BrowseScreen)
        for rows in (31, 32):
            written.append()
            await until(pilot, lambda grid, rows=rows: grid.has(f"Evidence {rows} "))
            screen.tell_nothing()
        assert [timer.name for timer in screen._timers].count("pulse") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell of no changes of a file")
async def test_the_system_tells_of_what_is_written_after_a_long_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, rests_for_good in {"LIVELY_SECONDS": 0.0, "SLOWER": 1e9, "RESTING": 1e6}.items():
        monkeypatch.setattr(tailing, name, rests_for_good)
    written = Written(tmp_path, PROMPTS, 30)
    with nothing_left():
        async with written.app().run_test(size=MEDIUM) as pilot:
            await settle(pilot)
            written.append()
            await until(pilot, lambda grid: grid.has("Evidence 31 "))
            written.replace(PROMPTS[:5])
            await until(pilot, lambda grid: grid.has("Evidence 5 ") and "replaced" in grid[0])
            written.write(said(51, "And now?") + b"\n")
            await until(pilot, lambda grid: grid.has("And now?"))


def of_the_app() -> list[threading.Thread]:
    """Return the threads that the app began, once those that are to end had their time."""
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("unspool")]
    for thread in threads:
        thread.join(10)
    return [thread for thread in threads if thread.is_alive()]


@contextmanager
def nothing_left() -> Iterator[None]:
    """See that no thread is left, and as many files are open as were before."""
    of_the_app()
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    yield
    assert of_the_app() == []
    gc.collect()  # the last watch of the system's goes with the screen that had it, by a thread of its own
    pause, until = threading.Event(), time.monotonic() + PATIENCE
    while len(os.listdir("/proc/self/fd")) > before and time.monotonic() < until:
        pause.wait(0.01)
    assert len(os.listdir("/proc/self/fd")) <= before


async def test_sessions_that_are_left_leave_no_thread_and_no_file_open(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 5)
    with nothing_left():
        app = UnspoolApp(open_library([str(tmp_path)]))
        async with app.run_test(size=MEDIUM) as pilot:
            await settle(pilot)
            for number in range(6, 12):
                await press(pilot, "enter")
                written.append()
                await until(pilot, lambda grid, number=number: grid.has(f"Evidence {number} "))  # type: ignore[misc]
                written.replace([("user", f"other {number}"), *PROMPTS[1:number]])
                await until(pilot, lambda grid: "replaced" in grid[0])
                await press(pilot, "q")
            assert sum(thread.name == "unspool-tail" for thread in threading.enumerate() if thread.is_alive()) <= 1
        del app


async def test_of_a_file_that_is_gone_only_what_a_person_asks_for_is_refused(tmp_path: Path) -> None:
    written = Written(tmp_path, PROMPTS, 5)
    app = written.app()
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        written.path.unlink()
        await until(pilot, lambda grid: grid.has("source gone"))
        await settle(pilot)
        for question in ("overview", "rows"):
            app.screen.post_message(Failed(question, "the file is gone", 0, changed=True))
        await settle(pilot)
        assert "✗" not in Grid(app)[-1]
        app.screen.post_message(Failed("take", "the file is gone", 0, changed=True))
        await until(pilot, lambda grid: "✗ the file is gone" in grid[-1])


async def test_a_look_that_fails_ends_the_app_with_what_went_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(tail: Tail, *, side_files: bool = False) -> None:
        raise ZeroDivisionError

    Written(tmp_path, PROMPTS, 5)
    monkeypatch.setattr(Tail, "poll", fails)
    app = UnspoolApp(open_library([str(tmp_path)]))

    async def opened() -> None:
        async with app.run_test(size=MEDIUM) as pilot:
            await settle(pilot)
            await press(pilot, "enter")
            await until(pilot, lambda grid: app.fault is not None)

    with pytest.raises(ZeroDivisionError):
        await opened()
    assert isinstance(app.fault, ZeroDivisionError)
