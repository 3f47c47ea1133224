"""Homes of MiniCode are written, resumed and gone on with as MiniCode does, but for what it loses."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.shared_data import SHARED
from unspool.recording import ActiveLog, SessionLog, SessionPlace, load_runtime_state, load_transcript

_FILE = Path("corpus") / "_expected" / "minicode-yoi.json"
EXPECTED: dict[str, dict[str, Any]] = json.loads((SHARED / _FILE).read_text("utf-8"))["minicode"] if SHARED else {}
every_sample = pytest.mark.parametrize("name", EXPECTED, ids=lambda name: name[-14:])

TOLD = {"assistant", "compact_boundary", "progress", "snip_boundary", "summary", "tool_call", "user"}
_GLUED = b'{"type":"'


@pytest.fixture
def copied(shared: Path, tmp_path: Path) -> Path:
    """A home of MiniCode that may be written to; it was moved, so that no path in it leads anywhere."""
    folder = shutil.copytree(shared / "corpus" / "minicode", tmp_path / "moved", copy_function=shutil.copyfile)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return folder


def events_in(path: Path) -> list[dict[str, Any]]:
    """Decode the events of a log plainly, those behind a tear included."""
    found = [_plain(line) for line in path.read_bytes().split(b"\n") if line.strip()]
    return [event for event in found if isinstance(event, dict)]


def _plain(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        glued = line.rfind(_GLUED)
        return _plain(line[glued:]) if glued > 0 else None


@every_sample
def test_a_sample_saved_again_event_by_event_is_the_same_values_in_the_same_chain(
    name: str, shared: Path, tmp_path: Path
) -> None:
    events = events_in(shared / "corpus" / "minicode" / name)
    log = SessionLog(SessionPlace(tmp_path / "project", events[0]["sessionId"]))
    for event in events:
        log.append([{key: event[key] for key in event if key not in ("parentUuid", "logicalParentUuid")}])
    assert events_in(log.place.log) == events
    assert len(log.place.log.read_bytes().split(b"\n")) == len(events) + 1


@every_sample
def test_a_sample_in_one_append_is_the_same_as_event_by_event(name: str, shared: Path, tmp_path: Path) -> None:
    events = events_in(shared / "corpus" / "minicode" / name)
    log = SessionLog(SessionPlace(tmp_path / "project", events[0]["sessionId"]))
    log.append(events)
    assert events_in(log.place.log) == events


def check(active: ActiveLog, wanted: dict[str, Any]) -> None:
    messages = active.messages()
    kinds = Counter(event["type"] for event in active.events if "message" in event)
    assert len(messages) == wanted["active"]
    by_role = {"assistant_tool_call": "tool_call", "assistant_progress": "progress", "assistant_thinking": "thinking",
               "context_summary": "summary"}  # fmt: skip
    assert Counter(by_role.get(each["role"], each["role"]) for each in messages) == wanted["active_roles"], kinds
    state = active.collapse_state()
    assert (len(state.spans) if state else 0) == wanted["real_loader"]["spans"]
    assert len(state.project(messages) if state else messages) == wanted["real_loader"]["projected"]
    assert active.title == wanted["title"]


@every_sample
def test_a_home_that_was_resumed_and_gone_on_with_opens_again_with_the_same_messages(name: str, copied: Path) -> None:
    path, wanted = copied / name, EXPECTED[name]
    log = SessionLog.at(path)
    before = ActiveLog.read(log)
    check(before, wanted)
    said = log.append([{"role": "user", "content": "And now?"}, {"role": "assistant", "content": "Done."}])
    assert {event["cwd"] for event in said} == {*wanted["cwds"]}
    last = [event for event in events_in(path) if event.get("uuid")]
    assert said[0]["parentUuid"] == last[-3]["uuid"], "hangs on the last event that can be read"
    after = load_runtime_state(path)
    assert after is not None
    assert after.messages[:-2] == before.messages()
    assert [message["content"] for message in after.messages[-2:]] == ["And now?", "Done."]
    assert after.replacements.replacements == before.replacements().replacements


@every_sample
def test_a_transcript_tells_everything_of_a_sample_once(name: str, copied: Path) -> None:
    told = load_transcript(copied / name)
    assert told is not None
    assert len(told) == sum(number for kind, number in EXPECTED[name]["unique"].items() if kind in TOLD)
    assert len({entry.id for entry in told}) == len(told)


def test_stand_ins_are_known_in_a_moved_home_also_those_of_a_forks_source(copied: Path) -> None:
    found = {}
    for name, wanted in EXPECTED.items():
        there = [marker for marker in wanted["markers"] if marker[5] is not None]
        found[wanted["label"]] = sorted(ActiveLog.read(copied / name).replacements().replacements)
        active = {message.get("toolUseId") for message in ActiveLog.read(copied / name).messages()}
        possible = {marker[1] for marker in there} & active
        assert set(found[wanted["label"]]) <= possible
    assert found["A"] == ["toolu_BUMjCAhEcDqatmsnFVEYmu", "toolu_zJuDwSGGwpihZ8SPFyF8cS"]
    assert found["C"] == ["toolu_muzHct8qk5LwxMzUcc4XW3"]
    assert found["D"] == sorted([*found["A"], "toolu_yctMab3FcDAjpcUkHrcZPA"])
    assert found["F"] == ["../..\\evil/name", "call/a", "toolu_amNefz8tiG9UcQZuB3Mr3C"], (
        "neither the forged one, nor the one whose file another id's content is in, nor the one whose file is gone"
    )
