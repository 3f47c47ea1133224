from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.faults.power import NoFileFlush, NoFolderFlush, RecordingOs, State
from unspool.errors import NotFound
from unspool.recording import ActiveLog, ReplacementState, SessionLog, SessionPlace, ToolResult

LARGE = "a line of output\n" * 4_000


def work(home: Path, calls: RecordingOs) -> SessionLog:
    """Say something, save a large result, point to it, and compact; note what was promised after each."""
    log = SessionLog(SessionPlace.of(home, "/work", "1a2b3c4d"), cwd="/work", durable=True, calls=calls)
    promised: list[str] = []

    def promise(*messages: dict[str, object]) -> None:
        promised.extend(event["uuid"] for event in log.append(messages))
        calls.acknowledged = frozenset(promised)

    promise({"role": "user", "content": "go"})
    (seen,) = log.result_store().settle([ToolResult("c1", "run_command", LARGE)], ReplacementState())
    told = {"toolUseId": "c1", "toolName": "run_command"}
    promise(
        {"role": "assistant_tool_call", **told, "input": {}}, {"role": "tool_result", **told, "content": seen.content}
    )
    promise({"role": "assistant", "content": "done"})
    calls.note()
    return log


def faults(home: Path, calls: RecordingOs, log: SessionLog) -> tuple[int, int, int]:
    """Return in how many states a promised event is lost, in how many a result is not whole, and how many there are."""
    lost = dangling = 0
    for promised, state in calls.found:
        ids, whole = look_into(home, state, log)
        lost += not promised <= ids
        dangling += not whole
    return lost, dangling, len(calls.found)


def look_into(home: Path, state: State, log: SessionLog) -> tuple[set[object], bool]:
    """Lay out what a loss of power left; return the ids of events there, and whether the result is that they name."""
    place = home.parent / "found"
    shutil.rmtree(place, ignore_errors=True)
    for path, data in state:
        file = place / os.path.relpath(path, home)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    try:
        active = ActiveLog.read(place / log.place.log.relative_to(home))
    except NotFound:
        return set(), True
    results = {message["toolUseId"] for message in active.messages() if message["role"] == "tool_result"}
    saved = active.place.results / "c1.txt"
    whole = set(active.replacements().replacements) == results and (not results or saved.read_text() == LARGE)
    return {event.get("uuid") for event in active.events}, whole


def test_a_loss_of_power_takes_nothing_that_was_promised_and_no_result_that_is_pointed_to(tmp_path: Path) -> None:
    calls = RecordingOs()
    log = work(tmp_path / "home", calls)
    lost, dangling, states = faults(tmp_path / "home", calls, log)
    assert states > 20
    assert (lost, dangling) == (0, 0)


@pytest.mark.parametrize("mistake", [NoFileFlush, NoFolderFlush])
def test_a_planted_mistake_is_seen(mistake: type[RecordingOs], tmp_path: Path) -> None:
    calls = mistake()
    log = work(tmp_path / "home", calls)
    lost, dangling, _ = faults(tmp_path / "home", calls, log)
    assert lost + dangling
