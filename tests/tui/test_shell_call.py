"""A call of a shell is the command that it runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.tui.conftest import MEDIUM, app_on
from tests.tui.driving import Grid, press, settle
from unspool_tui.present.shell_call import command_lines, command_of


@pytest.mark.parametrize(
    ("tool", "arguments", "command"),
    [
        ("Bash", {"command": "ls -l", "description": "List"}, "ls -l"),
        ("exec_command", {"cmd": "rg x\n", "workdir": "/srv"}, "rg x\n"),
        ("shell", {"command": ["bash", "-lc", "cat <<E\nx\nE"]}, "cat <<E\nx\nE"),
        ("shell", {"command": ["/bin/zsh", "-c", "a b"], "timeout": 3}, "a b"),
        ("local_shell", {"command": ["git", "commit", "-m", "it's"]}, "git commit -m 'it'\"'\"'s'"),
        ("shell", {"command": ["bash", "x.sh", "a b"]}, "bash x.sh 'a b'"),
        ("PowerShell", {"command": "Get-Item ."}, "Get-Item ."),
        ("run_command", {"command": "npm test"}, "npm test"),
        ("local_bash", {"command": "make"}, "make"),
    ],
)
def test_the_command_is_what_was_written(tool: str, arguments: Any, command: str) -> None:
    assert command_of(tool, arguments) == command


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Read", {"command": "ls"}),
        (None, {"command": "ls"}),
        ("Bash", None),
        ("Bash", "ls"),
        ("Bash", {}),
        ("Bash", {"command": ""}),
        ("Bash", {"command": 3}),
        ("Bash", {"command": ["ls", 3]}),
        ("Bash", {"command": []}),
        ("Bash", {"bash_id": "1"}),
    ],
)
def test_what_runs_no_command_has_none(tool: str | None, arguments: Any) -> None:
    assert command_of(tool, arguments) is None


def test_its_lines_can_be_selected_as_they_were_written_and_other_arguments_step_back() -> None:
    lines = command_lines("a |\n  b\x1b[31m\r\n", {"command": "x", "timeout": 3, "description": "One\ntwo"})
    assert [line.text for line in lines] == ["a |", "  b", "", "timeout: 3", "description: One", "two"]
    assert [line.source for line in lines] == [True, True, False, True, True, True]
    assert lines[0].gutter == (("  ", "text"), ("$ ", "input"))
    assert all(line.gutter is not None and line.gutter != lines[0].gutter for line in lines[1:])
    assert all(ink in ("faint", "muted") for line in lines[2:] for _, ink in line.cells)
    assert len(command_lines("a", {"command": "a"})) == 1


async def test_the_files_of_a_patch_are_not_told_as_a_command_that_was_run(home: Path) -> None:
    lines = Codex(home, Names(1))
    patch = "*** Begin Patch\n*** Update File: yard/fence.py\n@@\n-bent\n+straight\n+painted\n*** End Patch"
    for number, script in enumerate((f"apply_patch <<'A'\n{patch}\nA", "make fence")):
        told = json.dumps({"command": ["bash", "-lc", script]})
        lines.item("function_call", name="shell", call_id=f"call_{number}", arguments=told)
        lines.item("function_call_output", call_id=f"call_{number}", output="Success")
    app = app_on(home, str(lines.save().path))
    async with app.run_test(size=MEDIUM) as pilot:
        await settle(pilot)
        await press(pilot, "5", "g")
        grid = Grid(app)
        assert grid.has("  yard/fence.py +2 −1")
        assert not grid.has("$ yard/fence.py")
        await press(pilot, "j")
        assert Grid(app).has("$ make fence")
        await press(pilot, "0", "g")
        assert Grid(app).has("1 change in 1 file")
