from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running import Answer, unspool
from tests.shared_data import PROJECT
from tests.tui.conftest import MEDIUM, NARROW, app_on
from tests.tui.driving import Grid, press, settle, until
from tests.tui.terminal import Terminal
from unspool.errors import Unwritable
from unspool.library.opening import open_library
from unspool.recording import ActiveLog
from unspool_tui.app import UnspoolApp
from unspool_tui.demo import Stage
from unspool_tui.screens.browse import BrowseScreen
from unspool_tui.screens.sessions import SessionsScreen

HELD_UP = 3_600.0
"""A pace at which the agent writes one entry, and no other as long as a test takes."""


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the folder that temporary ones are made in."""
    folder = tmp_path_factory.mktemp("below")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder))
        yield folder


@pytest.fixture(scope="module")
def written(below: Path) -> Answer:
    """Return what the command says of a demo that it wrote."""
    return unspool("demo", "--no-app", "--pace", "0", "--json")


@pytest.fixture
def folder(written: Answer) -> str:
    return str(written.object["folder"])


@pytest.fixture
def stage(below: Path) -> Iterator[Stage]:
    """Return a stage on which the whole story was played."""
    with Stage(0) as stage:
        stage.begin()
        stage.wait()
        yield stage


class HeldUp(Stage):
    """A stage on which the agent waits after its first entry until it may `go_on`."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        super().__init__(0)

    def _wait(self) -> None:
        if self.agent.entries == 1:
            self._begun.set()
            self.go_on.wait()
        super()._wait()


def asked(folder: str, verb: str, *arguments: str) -> Answer:
    answer = unspool(verb, *arguments, "--root", folder)
    assert answer.code == 0, answer.err
    return answer


def test_the_demo_says_where_it_wrote_its_session(written: Answer, below: Path) -> None:
    told = written.object
    assert (written.code, written.err) == (0, "")
    assert told["complete"] is True
    assert Path(told["folder"]).parent == below.resolve()
    assert len(Path(told["path"]).read_text(encoding="utf-8").split("\n")) == told["entries"] + 1


def test_its_session_is_found_by_its_name_and_as_one_that_lives(folder: str) -> None:
    [row] = asked(folder, "sessions", "--json").rows
    assert (row["agent"], row["project"], row["live"]) == ("minicode", "till", True)
    assert row["title"] == "The till: three for two, and the tax to the cent"


def test_its_overview_has_what_was_asked_and_what_came_of_it(folder: str) -> None:
    kinds = [item["kind"] for item in asked(folder, "overview", "last", "--json").rows]
    assert kinds.count("user") == 2
    assert kinds[0] == "user"
    assert kinds[-1] == "assistant"


def test_it_has_every_kind_of_thing_that_a_session_has(folder: str) -> None:
    rows = asked(folder, "evidence", "last", "--all", "--json").rows
    assert {row["kind"] for row in rows} == {"user", "assistant", "system", "tool"}
    flags = {flag for row in rows for flag in row["flags"]}
    assert {"error", "persisted", "reasoning", "replayed"} <= flags
    assert any(row["label"].startswith("compaction") for row in rows)
    told = asked(folder, "stats", "last", "--json").object
    assert told["other_records"] == {"context_collapse": 1, "rename": 1}
    assert told["unreadable"] == []


def test_its_commands_were_really_run(folder: str) -> None:
    failed, checked, missed = asked(folder, "evidence", "last", "--errors", "--json").rows
    text = asked(folder, "read", f"last/{failed['id']}").out
    assert str(Path(folder) / "till" / "test_till.py") in text
    assert "FAILED (failures=2)" in text
    assert checked["lines"] == 6_001
    assert "receipt.py" in missed["summary"]
    tests = [row for row in asked(folder, "evidence", "last", "--json").rows if row["label"].endswith("-m unittest -v")]
    assert asked(folder, "read", f"last/{tests[0]['peer']}").out.rstrip().endswith("OK")


def test_its_large_output_is_stored_and_found_and_read_whole(folder: str) -> None:
    [stored] = asked(folder, "evidence", "last", "--stored", "--json").rows
    [file] = Path(folder).glob(".mini-code/projects/*/*/tool-results/*.txt")
    whole = file.read_text(encoding="utf-8")
    assert stored["bytes"] == len(whole.encode()) > 300_000 > 30_000 > stored["model_bytes"]
    hits = asked(folder, "search", "FAIL", "last", "--tool", "run_command", "--part", "output", "--json").rows
    found = next(hit for hit in hits if hit["id"] == stored["id"])
    assert whole.split("\n")[found["line"] - 1].endswith(" FAIL")
    [piece] = asked(folder, "read", f"last/{stored['id']}", "--all", "--json").object["pieces"]
    assert piece["text"] == whole


def test_what_was_looked_for_in_the_stored_output_is_what_the_agent_found(folder: str) -> None:
    [found] = asked(folder, "evidence", "last", "--tool", "grep_files", "--part", "output", "--json").rows
    text = asked(folder, "read", f"last/{found['id']}").out
    assert text.count("FAIL") == found["lines"] - 1 > 5
    assert "of 6000 receipts are wrong" in text


def test_an_agent_could_go_on_with_it(written: Answer) -> None:
    active = ActiveLog.read(written.object["path"])
    messages = active.messages()
    assert messages[0]["content"].startswith("The person wanted three of a kind")
    assert not any("FileNotFoundError" in str(message) for message in messages), "that one was snipped"
    collapsed = active.collapse_state()
    assert collapsed is not None


def test_people_are_told_what_they_can_ask(below: Path) -> None:
    answer = unspool("demo", "--no-app", "--pace", "0")
    assert answer.code == 0
    for line in answer.out.rstrip("\n").split("\n")[:-2]:
        _, *words = line.split()
        assert unspool(*words).code == 0, line
    assert "complete: 4" in answer.err
    assert f"rm -r {answer.out.split()[-1]}" in answer.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--root", "."], "leave out --root"),
        (["--pace", "soon"], "no number of seconds"),
        (["--pace", "nan"], "no number of seconds"),
        (["--pace", "-1"], "no number of seconds"),
        ([], "needs a terminal"),
    ],
)
def test_a_demo_that_cannot_be_had_leaves_no_folder_behind(arguments: list[str], told: str, below: Path) -> None:
    before = set(below.iterdir())
    answer = unspool("demo", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
    assert set(below.iterdir()) == before


def test_ctrl_c_ends_it_between_two_entries(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "unspool_tui", "demo", "--no-app", "--pace", str(int(HELD_UP))],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)}, cwd=PROJECT,
        encoding="utf-8",
    )  # fmt: skip
    assert running.stdout is not None
    first = running.stdout.readline()
    running.send_signal(signal.SIGINT)
    _, notes = running.communicate(timeout=60)
    assert running.returncode == 130, notes
    assert "stopped: 1 entry" in notes
    assert "Traceback" not in notes
    assert len(asked(first.split()[-1], "evidence", "last", "--json").rows) == 1


def test_a_stage_that_is_left_stops_its_agent_and_is_gone(below: Path) -> None:
    with Stage(HELD_UP) as stage:
        stage.begin()
        assert stage.agent.entries == 1
        assert stage.folder.is_dir()
    assert not stage.folder.exists()
    assert not stage.done


def test_a_stage_says_what_kept_its_agent_from_writing(below: Path) -> None:
    with Stage(0) as stage:
        (stage.folder / ".mini-code").write_text("in the way", encoding="utf-8")
        with pytest.raises(Unwritable):
            stage.begin()
    assert not stage.folder.exists()


async def test_who_has_no_session_is_offered_the_demo_and_sees_it(below: Path, tmp_path: Path) -> None:
    app = app_on(tmp_path)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        grid = Grid(app)
        assert "watch a scripted agent" in grid[grid.row_of(" d      ")]
        assert grid.has("unspool demo")
        assert grid[23].startswith(" d demo  o open a path")
        await press(pilot, "d")
        assert app.stage is not None
        app.stage.stop()
        assert isinstance(app.screen, BrowseScreen)
        assert Grid(app).has("Three of a kind should cost")
        await press(pilot, "q")
        assert isinstance(app.screen, SessionsScreen)
        assert Grid(app).has("Three of a kind should cost")
    app.stage.remove()
    assert not app.stage.folder.exists()


async def test_the_demo_is_only_offered_where_there_is_no_session(day: Path) -> None:
    app = app_on(day)
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "g", "d")
        assert not Grid(app)[35].startswith(" d ")
        assert app.stage is None
        assert isinstance(app.screen, SessionsScreen)


async def test_the_app_reads_on_as_the_agent_goes_on(below: Path) -> None:
    with HeldUp() as stage:
        stage.begin()
        app = UnspoolApp(open_library([str(stage.folder)]), str(stage.log), follow=True)
        async with app.run_test(size=MEDIUM) as pilot:
            grid = await until(pilot, lambda grid: grid.has("Evidence 1 "))
            assert grid.has("▌E0.0")
            stage.go_on.set()
            grid = await until(pilot, lambda grid: grid.has("Evidence 38 ") and grid.has("prints a receipt: a line"))
            assert "assistant" in grid[grid.row_of("▌E45.0")], "the end is followed"
            assert grid[-1].endswith("following ")
            assert grid[0].rstrip().endswith("? waits for you")


async def test_the_app_shows_all_of_a_demo(stage: Stage) -> None:
    app = UnspoolApp(open_library([str(stage.folder)]), str(stage.log))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        assert Grid(app)[0].startswith(" unspool  ›  The till: three for two")
        await press(pilot, "e", "e")
        grid = Grid(app)
        assert "▣ ← run_command error" in grid[grid.row_of("▌E17.0")]
        assert grid.has("▣ model saw 5.0 KB of ")
        assert grid.has("opened at the first failure")
        await press(pilot, "colon", *"E11", "enter")
        assert Grid(app).has("+      free = count // 3")
        await press(pilot, "colon", *"E28", "enter")
        assert Grid(app).has("≡ system")
        assert Grid(app).has("context compacted")


def test_the_command_shows_the_demo_and_leaves_nothing_behind(tmp_path: Path, home: Path) -> None:
    with Terminal() as terminal:
        terminal.start("-m", "unspool_tui", "demo", "--pace", "0", environ={"TMPDIR": str(tmp_path)})
        terminal.wait_for("The till: three for two")
        terminal.wait_for("▌Evidence")
        terminal.press("q")
        terminal.wait_for("▌Sessions")
        terminal.press("q")
        assert terminal.ended() == 0
    assert list(tmp_path.iterdir()) == []
    assert list(home.rglob("unspool*")) == []


@pytest.mark.parametrize("arguments", [["sessions"], ["search", "words"], ["overview", "last"]])
def test_who_asks_where_there_is_no_session_is_told_of_the_demo(arguments: list[str]) -> None:
    answer = unspool(*arguments)
    assert answer.code in (1, 2)
    assert "`unspool demo` shows one" in answer.err
