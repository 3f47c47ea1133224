from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unspool import open_library
from unspool.errors import NotFound, Unwritable
from unspool.formats.piece import Flag
from unspool.recording import ActiveLog, ReplacementState, SessionLog, ToolResult

CWD = "/work"


@pytest.fixture
def log(tmp_path: Path) -> SessionLog:
    return SessionLog.of(tmp_path / ".mini-code", CWD, "1a2b3c4d")


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def events_in(log: SessionLog) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.place.log.read_bytes().split(b"\n") if line]


def messages(log: SessionLog) -> list[dict[str, Any]]:
    return ActiveLog.read(log).messages()


def run(log: SessionLog, own_id: str, output: Any, state: ReplacementState) -> str:
    """Run a tool; return what the model sees of its output."""
    told = {"toolUseId": own_id, "toolName": "run_command"}
    (seen,) = log.result_store().settle([ToolResult(own_id, "run_command", output)], state)
    log.append([{"role": "assistant_tool_call", **told, "input": {}}])
    log.append([{"role": "tool_result", **told, "content": seen.content, "isError": False}])
    return str(seen.content)


def test_a_fork_says_the_same_under_an_id_of_its_own_and_leaves_its_source_as_it_was(log: SessionLog) -> None:
    log.append([user("one"), user("two")])
    before = log.place.log.read_bytes()
    fork = log.fork()
    assert fork.session_id != log.session_id
    assert messages(fork) == messages(log)
    assert log.place.log.read_bytes() == before


def test_what_is_said_in_a_fork_is_said_in_it_alone(log: SessionLog) -> None:
    log.append([user("one")])
    fork = log.fork()
    fork.append([user("in the fork")])
    log.append([user("in the source")])
    assert [message["content"] for message in messages(fork)] == ["one", "in the fork"]
    assert [message["content"] for message in messages(log)] == ["one", "in the source"]


def test_a_fork_is_one_chain_of_its_own(log: SessionLog) -> None:
    log.append([user("one"), user("two")])
    fork = log.fork()
    said = [event for event in events_in(fork) if event["type"] != "rename"]
    assert [event["parentUuid"] for event in said] == [None, said[0]["uuid"]]
    assert {event["sessionId"] for event in events_in(fork)} == {fork.session_id}


def test_forks_are_numbered_by_the_title_of_their_source_and_name_it(log: SessionLog) -> None:
    log.append([user("Fix the login")])
    forks = [log.fork(), log.fork()]
    assert [ActiveLog.read(fork).title for fork in forks] == ["Fix the login_fork1", "Fix the login_fork2"]
    again = forks[1].fork("2b3c4d5e")
    assert ActiveLog.read(again).title == "Fix the login_fork2_fork1"
    assert events_in(again)[-1]["forkedFrom"] == [forks[1].session_id, "1a2b3c4d"]
    assert ActiveLog.read(again).origins == (forks[1].session_id, "1a2b3c4d")


def test_a_fork_keeps_snips_spans_and_the_compaction_it_begins_with(log: SessionLog) -> None:
    said = log.append([user(str(number)) for number in range(6)])
    log.append_compact_boundary("So far.", [event["message"] for event in said])
    log.append_snip([said[1]["uuid"], said[2]["uuid"]])
    log.append_collapse([said[3]["uuid"], said[4]["uuid"]], "three and four")
    fork = ActiveLog.read(log.fork())
    source = ActiveLog.read(log)
    assert fork.messages() == source.messages()
    assert fork.collapse_state() == source.collapse_state()
    assert fork.events[0]["parentUuid"] == fork.boundary["uuid"] if fork.boundary else False


def test_nothing_said_is_nothing_to_fork_and_no_session_is_written_over(log: SessionLog) -> None:
    log.append([{"type": "rename", "title": "empty"}])
    with pytest.raises(NotFound, match="nothing to go on from"):
        log.fork()
    log.append([user("one")])
    fork = log.fork("2b3c4d5e")
    before = fork.place.log.read_bytes()
    with pytest.raises(Unwritable, match="is there already"):
        log.fork("2b3c4d5e")
    assert fork.place.log.read_bytes() == before


def test_a_fork_is_listed_with_its_source_and_what_was_copied_is_inherited(log: SessionLog, tmp_path: Path) -> None:
    log.append([user("one")])
    fork = log.fork("2b3c4d5e")
    fork.rename("A name of its own")
    fork.append([user("two")])
    library = open_library(roots=[str(tmp_path / ".mini-code")])
    listed = {str(row.ref): row for row in library.sessions()}
    assert str(listed["minicode:2b3c4d5e"].forked_from) == "minicode:1a2b3c4d"
    rows = library.view("minicode:2b3c4d5e").evidence().items
    assert [Flag.INHERITED in row.flags for row in rows] == [True, False]


def test_decisions_hold_in_a_fork_of_a_fork(log: SessionLog) -> None:
    state = ReplacementState()
    log.append([user("go")])
    seen = run(log, "c1", "1" * 60_000, state)
    again = log.fork().fork()
    resumed = ActiveLog.read(again)
    assert resumed.replacements() == state
    assert resumed.result_store().replace(ToolResult("c1", "run_command", "1" * 60_000), resumed.replacements()) == seen


def test_clearing_removes_log_results_and_the_folder_of_a_project_without_others(log: SessionLog) -> None:
    run(log, "c1", "1" * 60_000, ReplacementState())
    cleared = log.clear()
    assert (cleared.log, cleared.removed, cleared.kept) == (True, ("c1.txt",), ())
    assert str(cleared) == "log and 1 large results removed"
    assert not log.place.project.exists()


def test_clearing_what_is_not_there_does_nothing(log: SessionLog) -> None:
    assert not log.clear().log
    log.place.project.mkdir(parents=True)
    assert not log.clear().log


def test_results_that_a_fork_points_to_stay_when_its_source_is_cleared(log: SessionLog) -> None:
    state = ReplacementState()
    log.append([user("go")])
    run(log, "before", "1" * 60_000, state)
    fork = log.fork("2b3c4d5e")
    run(log, "after", "2" * 60_000, state)
    cleared = log.clear()
    assert (cleared.removed, cleared.kept, cleared.needed_by) == (("after.txt",), ("before.txt",), ("2b3c4d5e",))
    assert "1 kept: needed by 2b3c4d5e" in str(cleared)
    assert not log.place.log.exists()
    assert set(ActiveLog.read(fork).replacements().replacements) == {"before"}
    fork.clear()
    assert (log.place.results / "before.txt").exists(), "left to retention"


def test_results_stay_that_a_fork_points_to_with_escapes_in_the_path(tmp_path: Path) -> None:
    """A line with half a character is written in ASCII alone."""
    source = SessionLog.at(tmp_path / "work" / "geübt 😀.jsonl")
    state = ReplacementState()
    source.append([user("go")])
    run(source, "c1", "half \ud800 of a character\n" * 5_000, state)
    fork = source.fork()
    assert b"ge\\u00fcbt" in fork.place.log.read_bytes()
    assert source.clear().kept == ("c1.txt",)
    assert ActiveLog.read(fork).replacements() == state


def test_results_stay_while_another_log_cannot_be_read(log: SessionLog) -> None:
    run(log, "c1", "1" * 60_000, ReplacementState())
    (log.place.project / "unread.jsonl").mkdir()
    cleared = log.clear()
    assert (cleared.log, cleared.kept, cleared.unread) == (True, ("c1.txt",), ("unread",))
    assert "unread cannot be read" in str(cleared)


def test_clearing_follows_no_link(log: SessionLog, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine.txt").write_text("mine")
    log.append([user("one")])
    log.place.results.symlink_to(outside, target_is_directory=True)
    log.clear()
    assert (outside / "mine.txt").read_text() == "mine"
    log.append([user("one")])
    log.place.results.unlink()
    log.place.results.mkdir()
    (log.place.results / "linked.txt").symlink_to(outside / "mine.txt")
    (log.place.results / "folder").mkdir()
    assert log.clear().kept == ("folder",)
    assert (outside / "mine.txt").read_text() == "mine"
