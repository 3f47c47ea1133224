"""Where the cleanup that this one comes from loses things, or leaves them lying for ever."""

from __future__ import annotations

import gc
import os
import signal
import time
from pathlib import Path

import pytest

from tests.core.retention.aging import MONTH, OLD, YOUNG, Home, aged, contents
from unspool.library import open_library
from unspool.recording import ActiveLog, ReplacementState, SessionLog, ToolResult
from unspool.retention import Applied, apply_retention, plan_retention

WHOLE = "".join(f"line {number} of what the tool said\n" for number in range(3_000))


@pytest.fixture
def place(home: Path) -> Home:
    return Home(home)


def cleaned(place: Home) -> Applied:
    return apply_retention(plan_retention(place.path, MONTH))


def with_a_saved_output(place: Home) -> SessionLog:
    """A session that has a large result, and was last at work long ago."""
    then = time.time() - OLD * 86_400
    log = SessionLog(SessionLog.of(place.path, "/p").place, cwd="/p", clock=lambda: then)
    text = log.result_store().replace(ToolResult("t1", "run_command", WHOLE), ReplacementState())
    call = {"role": "assistant_tool_call", "toolUseId": "t1", "toolName": "run_command", "input": {}}
    result = {"role": "tool_result", "toolUseId": "t1", "toolName": "run_command", "content": text, "isError": False}
    log.append([{"role": "user", "content": "go"}, call, result])
    return log


def staying(place: Home) -> dict[str, str]:
    return {each.item.name: each.reason for each in plan_retention(place.path, MONTH).staying}


def age(log: SessionLog) -> None:
    """Let go of a session, and make it look as if nobody had touched it for long."""
    log.close()
    for path in (log.place.log, log.place.folder, *log.place.results.glob("*")):
        aged(path, OLD)


def test_a_fork_reads_its_saved_outputs_after_its_source_grew_old(place: Home) -> None:
    """There the fork's pointers dangled from then on."""
    source = with_a_saved_output(place)
    fork = source.fork()
    age(source)
    aged(fork.place.log, YOUNG)
    assert cleaned(place).gone == []
    view = open_library([str(place.path)]).view(str(fork.place.log))
    assert view.search("line 2999 of what the tool said").hits


def test_source_and_fork_go_together_once_both_are_old(place: Home) -> None:
    source = with_a_saved_output(place)
    fork = source.fork()
    age(source)
    age(fork)
    assert [item.name for item in cleaned(place).gone] == [fork.session_id, source.session_id]


def test_folders_that_no_log_stands_beside_are_cleaned_too(place: Home) -> None:
    """There only logs led to anything, so those of piped runs, of first versions and of logs that were lost stayed."""
    place.session("eeee0000", YOUNG)
    place.outputs("collide1", OLD)
    place.outputs("ephemeral-358b05c8", OLD)
    place.run("441e0644", OLD)
    assert {item.name for item in cleaned(place).gone} == {"collide1", "ephemeral-358b05c8", "441e0644"}


def test_sessions_of_every_project_are_cleaned_and_not_of_the_current_one_alone(place: Home) -> None:
    for project in ("p", "q", "."):
        place.session("aaaa0000", project=project)
    assert {item.place for item in cleaned(place).gone} == {("projects", "p"), ("projects", "q"), ("projects",)}


def test_a_session_of_31_days_goes_with_its_outputs_and_one_of_29_stays(place: Home) -> None:
    place.session("aaaa0000", 31, saved=["t1.txt"])
    place.session("bbbb0000", 29, saved=["t1.txt"])
    kept = {path: told for path, told in contents(place.project()).items() if "bbbb0000" in path}
    assert [item.name for item in cleaned(place).gone] == ["aaaa0000"]
    assert contents(place.project()) == kept


def test_a_live_session_that_was_idle_for_long_is_not_taken_from_its_agent(place: Home) -> None:
    """There a second instance removed it. Here it is seen that an agent has it open, though nothing is written."""
    log = with_a_saved_output(place)
    age(log)
    resumed = SessionLog.at(log.place.log)
    assert staying(place) == {log.session_id: "live"}
    assert cleaned(place).gone == []
    resumed.append([{"role": "user", "content": "I am back"}])
    assert ActiveLog.read(resumed).transcript()[-1].text == "I am back"


def test_a_session_is_open_until_its_last_agent_let_go_of_it(place: Home) -> None:
    log = with_a_saved_output(place)
    age(log)
    first, second = SessionLog.at(log.place.log), SessionLog.at(log.place.log)
    first.close()
    assert staying(place) == {log.session_id: "live"}
    del second
    gc.collect()
    assert [item.name for item in cleaned(place).gone] == [log.session_id]


def test_a_session_whose_agent_was_killed_is_open_no_longer(place: Home) -> None:
    log = with_a_saved_output(place)
    age(log)
    ready, tell = os.pipe()
    agent = os.fork()
    if not agent:
        open_for_ever = SessionLog.at(log.place.log)
        os.write(tell, open_for_ever.session_id.encode())
        signal.pause()
        os._exit(0)
    os.read(ready, 1)
    kept = cleaned(place).gone
    os.kill(agent, signal.SIGKILL)
    os.waitpid(agent, 0)
    assert kept == []
    assert [item.name for item in cleaned(place).gone] == [log.session_id]


def test_a_session_without_saved_outputs_is_open_too_once_it_is_resumed(place: Home) -> None:
    path = place.session("aaaa0000")
    resumed = SessionLog.at(path)
    aged(resumed.place.folder, OLD)
    assert staying(place) == {"aaaa0000": "live"}
    resumed.close()
    assert [item.name for item in cleaned(place).gone] == ["aaaa0000"]


def test_a_session_that_is_resumed_between_plan_and_application_stays(place: Home) -> None:
    log = with_a_saved_output(place)
    age(log)
    plan = plan_retention(place.path, MONTH)
    resumed = SessionLog.at(log.place.log)
    applied = apply_retention(plan)
    assert (applied.gone, len(applied.left)) == ([], 1)
    assert ActiveLog.read(resumed).messages()
