"""A call of a shell is the command that it runs."""

from __future__ import annotations

from typing import Any

import pytest

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
