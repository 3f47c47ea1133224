"""What was recorded is listed like the sessions of any agent."""

from __future__ import annotations

from pathlib import Path

from unspool import Library, ReplacementState, ToolResult, open_library
from unspool.recording import SessionLog


def recorded(home: Path, cwd: str, session_id: str, *said: str, at: float = 0) -> SessionLog:
    log = SessionLog(SessionLog.of(home, cwd, session_id).place, cwd=cwd, clock=lambda: 1_780_000_000 + at)
    log.append([{"role": "user", "content": text} for text in said])
    return log


def listed(home: Path) -> Library:
    return open_library(roots=[str(home)])


def test_recorded_sessions_are_listed_the_newest_first_each_with_its_own_project(home: Path) -> None:
    recorded(home / ".mini-code", "/work/lantern", "1a2b3c4d", "one", "two")
    recorded(home / ".mini-code", "/work/lantern", "2b3c4d5e", "three", at=60)
    recorded(home / ".mini-code", "/work/tide", "3c4d5e6f", "four", at=30)
    rows = list(listed(home).sessions())
    assert [(row.ref.session_id, row.project) for row in rows] == [
        ("2b3c4d5e", "lantern"), ("3c4d5e6f", "tide"), ("1a2b3c4d", "lantern"),
    ]  # fmt: skip
    counts = listed(home).view("minicode:1a2b3c4d").counts
    assert counts.user == 2


def test_a_home_without_sessions_lists_none(home: Path) -> None:
    (home / ".mini-code" / "projects" / "work").mkdir(parents=True)
    assert list(listed(home).sessions()) == []


def test_a_recorded_session_is_called_by_its_first_prompt_and_then_by_its_name(home: Path) -> None:
    log = recorded(home / ".mini-code", "/work", "1a2b3c4d", "Fix the login bug")
    assert [row.title for row in listed(home).sessions()] == ["Fix the login bug"]
    log.rename("My own name")
    assert [row.title for row in listed(home).sessions()] == ["My own name"]


def test_what_was_saved_beside_a_session_is_read_whole(home: Path) -> None:
    log = recorded(home / ".mini-code", "/work", "1a2b3c4d", "go")
    output = "a line of it\n" * 9_000
    (seen,) = log.result_store().settle([ToolResult("c1", "run_command", output)], ReplacementState())
    told = {"toolUseId": "c1", "toolName": "run_command"}
    log.append([{"role": "assistant_tool_call", **told, "input": {"command": "make"}}])
    log.append([{"role": "tool_result", **told, "content": seen.content, "isError": False}])
    found = listed(home).view("minicode:1a2b3c4d").search("a line of it", tool_part="output")
    assert found.hits[0].matches == 9_000
