"""The export dialog: what it offers, what it writes, and what it never does."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.tui.conftest import MEDIUM, NARROW, app_on
from tests.tui.driving import Grid, press, settle
from unspool.export import export_view
from unspool.export.as_markdown import MarkdownWriter
from unspool.library import open_library
from unspool_tui.app import UnspoolApp
from unspool_tui.outbox import exports
from unspool_tui.screens.asking import AskScreen
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.export_dialog import ExportDialog

Told = tuple[Path, str]

ID = "aaaa1111-0000-4000-8000-000000000001"
NAME = "claude-aaaa1111"
TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


class Out:
    """A folder that files are exported into, which is the working folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def names(self) -> list[str]:
        """Return the names of all that lies there."""
        return sorted(path.name for path in self.folder.iterdir())

    def text(self, name: str) -> str:
        """Return what a file holds."""
        return (self.folder / name).read_text()

    def mode(self, name: str) -> int:
        """Return who may do what with a file."""
        return stat.S_IMODE((self.folder / name).stat().st_mode)

    def write(self, name: str, text: str) -> None:
        """Put a file there."""
        (self.folder / name).write_text(text)


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Out:
    """Go into an empty folder."""
    folder = tmp_path / "out"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Out(folder)


@pytest.fixture
def session(home: Path) -> str:
    """Write a session of two turns, with a secret in the second, and return its path."""
    lines = Claude(home, Names(1), session_id=ID, cwd="/srv/shop")
    lines.user("Why is it red?")
    lines.result(lines.call("make check"), "1 failed")
    lines.answer("A missing name.")
    lines.user("Mend it")
    lines.result(lines.call("env"), f"TOKEN={TOKEN}")
    lines.answer("Done")
    return str(lines.save().path)


def exported(path: str, **how: Any) -> str:
    """Return what the command's own way would write."""
    blocks: list[str] = []
    export_view(open_library([path]).view(path), blocks.append, **how)
    return "".join(blocks)


def dialog(pilot: Pilot[int]) -> ExportDialog:
    screen = pilot.app.screen
    assert isinstance(screen, ExportDialog)
    return screen


@pytest.mark.parametrize("size", [NARROW, MEDIUM])
async def test_the_whole_session_without_its_secrets_is_what_enter_exports(
    home: Path, session: str, out: Out, size: tuple[int, int]
) -> None:
    app = app_on(home, session)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "x")
        grid = Grid(app)
        assert grid.has("Export  Why is it red?")
        assert grid.has("1 recognised  1 github-token")
        assert grid.has("8 pieces")
        assert grid.has(f"{NAME}.md")
        assert out.names == []
        await press(pilot, "enter")
        assert out.text(f"{NAME}.md") == exported(session)
        assert TOKEN not in out.text(f"{NAME}.md")
        assert out.mode(f"{NAME}.md") == 0o600
        grid = Grid(app)
        assert grid.has(f"{out.folder}/{NAME}.md"[-40:])
        assert grid.has("8 pieces  ")
        assert grid.has("1 secret redacted (1 github-token)")
        await press(pilot, "enter")
        assert isinstance(app.screen, BrowseScreen)


async def test_the_format_is_chosen_by_row_or_by_the_name_of_the_file(home: Path, session: str, out: Out) -> None:
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "x", "down", "right")
        assert Grid(app).has(f"{NAME}.html")
        await press(pilot, "enter", "enter")
        assert out.text(f"{NAME}.html").startswith("<!doctype html>")
        await press(pilot, "x", "up", *["backspace"] * 2, *"json", "enter")
        assert json.loads(out.text(f"{NAME}.json"))
        assert out.names == [f"{NAME}.html", f"{NAME}.json"]


async def test_secrets_are_kept_only_when_a_person_says_so_and_then_the_risk_is_told(
    home: Path, session: str, out: Out
) -> None:
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "x", "down", "down", "right")
        assert Grid(app).has("whoever gets the file can read them")
        await press(pilot, "enter")
        assert TOKEN in out.text(f"{NAME}.md")
        assert Grid(app).has("secrets were not looked for")


async def test_a_range_begins_with_the_turn_under_the_cursor_and_can_be_typed(
    home: Path, session: str, out: Out
) -> None:
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "G", "x")
        assert not Grid(app).has("from, to")
        await press(pilot, "right")
        assert Grid(app).has("from, to     E4-E7")
        assert Grid(app).has("4 pieces")
        await press(pilot, "down", *["backspace"] * 5)
        assert Grid(app).has("✗ not an id or range: ''; write E128.2, E128 or E128-E140")
        await press(pilot, "enter")
        assert out.names == []
        await press(pilot, *"E0-E1", "enter")
        text = out.text(f"{NAME}.md")
        assert "Why is it red?" in text
        assert "make check" in text
        assert "missing name" not in text
        assert "Mend it" not in text


async def test_what_a_filter_or_a_search_left_in_the_list_can_be_exported(home: Path, session: str, out: Out) -> None:
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "x")
        assert not Grid(app).has("as listed")
        await press(pilot, "escape", "slash", *"kind:user", "enter", "x", "right")
        assert Grid(app).has("2 pieces")
        await press(pilot, "enter", "enter")
        text = out.text(f"{NAME}.md")
        assert "Mend it" in text
        assert "make check" not in text
        await press(pilot, "escape", "slash", *"failed", "enter")
        await press(pilot, "x", "right", "down", "right", "right")
        assert Grid(app).has("1 piece ")
        await press(pilot, "enter")
        pieces = json.loads(out.text(f"{NAME}.json"))["pieces"]
        assert [piece["text"] for piece in pieces] == ["1 failed"]


async def test_one_piece_can_be_exported(home: Path, session: str, out: Out) -> None:
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "j", "j", "x", "left", "enter")
        text = out.text(f"{NAME}.md")
        assert "1 failed" in text
        assert "make check" not in text.replace("`make check`", "")


async def test_a_file_that_is_there_is_replaced_only_after_a_question(home: Path, session: str, out: Out) -> None:
    out.write(f"{NAME}.md", "mine")
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "x")
        assert Grid(app).has("the file is there already; enter asks")
        await press(pilot, "enter")
        assert isinstance(app.screen, AskScreen)
        assert Grid(app).has(f"Replace {NAME}.md?")
        await press(pilot, "escape")
        assert out.text(f"{NAME}.md") == "mine"
        await press(pilot, "enter", "enter")
        assert out.text(f"{NAME}.md") == exported(session)
        assert out.names == [f"{NAME}.md"]


async def test_a_file_that_came_to_be_there_meanwhile_is_asked_about_too(home: Path, session: str, out: Out) -> None:
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "x")
        out.write(f"{NAME}.md", "mine")
        await press(pilot, "enter")
        assert isinstance(app.screen, AskScreen)
        assert out.text(f"{NAME}.md") == "mine"
        await press(pilot, "escape")
        assert Grid(app).has("the file is there already")


async def test_nothing_is_written_where_an_agent_keeps_its_files(home: Path, session: str, out: Out) -> None:
    inside = str(Path(session).parent / "x.md")
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "x", "up")
        dialog(pilot)._form.path_field.value = inside
        await press(pilot, "enter")
        assert isinstance(app.screen, ExportDialog)
        assert Grid(app).has("belongs to claude; write somewhere else")
        dialog(pilot)._place.said = ""  # as if it had not been looked at yet
        await press(pilot, "enter")
        assert Grid(app).has("belongs to claude; write somewhere else")
    assert os.listdir(Path(session).parent) == [os.path.basename(session)]


async def test_in_an_agents_folder_a_file_at_home_is_offered(
    home: Path, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(session).parent)
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "x")
        assert Grid(app).has(f"~/{NAME}.md")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/nowhere/at/all/x.md", "there is no such folder"),
        ("/", "a folder; add the name of a file"),
        ("", "name a file to write to"),
        ("/dev/null/x.md", "there is no such folder"),
    ],
)
async def test_a_place_that_does_not_do_is_told_before_anything_is_written(
    home: Path, session: str, out: Out, path: str, said: str
) -> None:
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "x", "up")
        dialog(pilot)._form.path_field.value = path
        await settle(pilot)
        assert Grid(app).has(f"✗ {said}")
        await press(pilot, "enter")
        assert isinstance(app.screen, ExportDialog)
    assert out.names == []


async def test_tab_completes_the_path(home: Path, session: str, out: Out) -> None:
    (out.folder / "deep").mkdir()
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "x", "up")
        dialog(pilot)._form.path_field.value = "de"
        await press(pilot, "end", "tab")
        await press(pilot, *"a.md", "enter")
        assert out.names == ["deep"]
        assert os.listdir("deep") == ["a.md"]


async def test_tabs_arrows_and_clicks_lead_through_the_form(home: Path, session: str, out: Out) -> None:
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "x")
        assert Grid(app).has("▌pieces")
        for key, lit in (("down", "format"), ("tab", "secrets"), ("up", "format"), ("up", "pieces"), ("up", "file")):
            await press(pilot, key)
            assert Grid(app).has(f"▌{lit}"), key
        await press(pilot, "down")
        assert Grid(app).has("▌pieces")
        grid = Grid(app)
        y = grid.row_of("Markdown")
        await pilot.click(offset=(grid[y].index("JSON"), y))
        await settle(pilot)
        assert Grid(app).has(f"{NAME}.json")


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], bool]]:
    """Let an export never come to an end by itself; return what says whether one runs."""
    running, held = [0], threading.Event()

    def forever(self: MarkdownWriter, exported: object) -> Iterator[str]:
        running[0] += 1
        try:
            while True:
                held.wait(0.01)
                yield "x"
        finally:
            running[0] -= 1

    monkeypatch.setattr(exports, "COUNTED_BYTES", 0)
    monkeypatch.setattr(exports, "MOVED_SECONDS", 0.02)
    monkeypatch.setattr(MarkdownWriter, "end", forever)
    yield lambda: running[0] > 0
    assert running[0] == 0


def ended() -> None:
    """Wait until nothing is exported any more, as the interpreter does before it ends."""
    for thread in threading.enumerate():
        if thread.name == "unspool-export":
            assert not thread.daemon
            thread.join(20)


async def begun(pilot: Pilot[int], running: Callable[[], bool]) -> None:
    """Begin an export that does not end."""
    await settle(pilot)
    await press(pilot, "x")
    assert Grid(pilot.app).has("too much to count before it is written")
    await pilot.press("enter")
    while not (running() and Grid(pilot.app).has("of 8 pieces")):
        await pilot.pause(0.02)


async def test_an_export_tells_how_far_it_is_and_escape_gives_it_up(
    home: Path, session: str, out: Out, endless: Callable[[], bool]
) -> None:
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await begun(pilot, endless)
        assert Grid(app).has("1 secret left out so far")
        assert Grid(app).has("esc gives up")
        assert out.names == [f"{NAME}.md"]
        await pilot.press("enter")  # does not begin a second one
        await press(pilot, "escape")
        ended()
        assert isinstance(app.screen, ExportDialog)
        assert Grid(app).has("given up; nothing was written")
        assert out.names == []
        await press(pilot, "escape")
        assert isinstance(app.screen, BrowseScreen)


async def test_a_click_beside_the_card_gives_up_nothing(
    home: Path, session: str, out: Out, endless: Callable[[], bool]
) -> None:
    app = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await begun(pilot, endless)
        await pilot.click(offset=(0, 0))
        await pilot.pause(0.1)
        assert isinstance(app.screen, ExportDialog)
        assert endless()
        await press(pilot, "escape", "escape")
        ended()


async def test_who_quits_meanwhile_leaves_no_half_a_file(
    home: Path, session: str, out: Out, endless: Callable[[], bool]
) -> None:
    app: UnspoolApp = app_on(home, session)
    async with app.run_test(size=MEDIUM) as pilot:
        await begun(pilot, endless)
        assert out.names != []
        app.exit(0)
        await pilot.pause()
    ended()
    assert out.names == []


async def test_what_is_too_long_to_be_copied_is_offered_as_a_file(home: Path, out: Out) -> None:
    text = "line\n" * 40_000
    lines = Claude(home, Names(1), session_id=ID, cwd="/srv/shop")
    lines.user("Go")
    lines.result(lines.call("cat long"), text)
    app = app_on(home, str(lines.save().path))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "G", "Y")
        assert isinstance(app.screen, ExportDialog)
        assert Grid(app).has("200 KB is more than a clipboard takes; a file takes it")
        assert app.clipboard == ""
        await press(pilot, "enter")
        assert out.text(f"{NAME}.md").count("line\n") >= 40_000


@pytest.mark.parametrize(("inside", "keys"), [(True, ("L",)), (True, ("P",)), (False, ())])
async def test_a_whole_session_is_exported_from_every_list_that_shows_it(
    session: str, home: Path, out: Out, inside: bool, keys: tuple[str, ...]
) -> None:
    app = app_on(home, session if inside else None)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, *keys, "x")
        await settle(pilot)
        assert isinstance(app.screen, ExportDialog)
        await press(pilot, "enter")
        await settle(pilot)
        assert out.names == [f"{NAME}.md"]
        assert "Why is it red?" in out.text(f"{NAME}.md")
