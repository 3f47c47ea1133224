"""A list that reads everything names the call that started each subagent, wherever that is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.names import Names
from tests.running import unspool
from unspool.library import open_library
from unspool.library.reader import SessionReader


def child_of(parent: Claude, home: Path, part: str, meta: dict[str, Any] | None = None) -> None:
    """Write a subagent's file beside its session."""
    path = parent.path.with_suffix("") / "subagents" / f"agent-{part}.jsonl"
    child = Claude(home, Names(ord(part[0])), path=path, session_id=parent.session_id, isSidechain=True, agentId=part)
    child.user("Look")
    child.answer("Seen")
    child.save()
    if meta is not None:
        path.with_suffix(".meta.json").write_text(json.dumps(meta))


def calls(home: Path, *, full: bool = True) -> dict[str | None, tuple[str | None, str | None]]:
    """Return call and call id of every child, by part."""
    rows = [each.to_json() for each in open_library([str(home)]).sessions(full=full) if each.parent]
    return {row["part"] or row["session_id"]: (row["call"], row["call_id"]) for row in rows}


@pytest.fixture
def parent(home: Path) -> Claude:
    """A session that has started four subagents, each told of in another way, and a fifth nobody tells of."""
    lines = Claude(home, Names(1))
    lines.user("Go")
    named, answered, progressed, both = (lines.call(f"task {number}") for number in range(4))
    lines.spoke({"type": "tool_use", "name": "Bash", "input": {"command": "a call without an id"}})
    lines.result(named, "done")
    lines.said([{"type": "tool_result", "tool_use_id": answered, "content": "ok"}], toolUseResult={"agentId": "b"})
    lines.note("progress", parentToolUseID=progressed, data={"type": "agent_progress", "agentId": "c"})
    lines.said([{"type": "tool_result", "tool_use_id": both, "content": "ok"}], toolUseResult={"agentId": "d"})
    lines.save()
    child_of(lines, home, "a", {"toolUseId": named})
    child_of(lines, home, "b")
    child_of(lines, home, "c", {"description": "Look around"})
    child_of(lines, home, "d", {"toolUseId": "toolu_of_nobody"})
    child_of(lines, home, "e")
    return lines


def test_a_subagent_is_joined_by_its_own_note_or_by_its_parents_records(home: Path, parent: Claude) -> None:
    found = calls(home)
    assert {part: call for part, (call, _) in found.items()} == {
        "a": "E1.0",
        "b": "E2.0",
        "c": "E3.0",
        "d": "E4.0",
        "e": None,
    }
    assert all(call_id for part, (_, call_id) in found.items() if part != "e")
    rows = {row["part"]: row["call"] for row in unspool("sessions", "--full", "--json").rows if row["part"]}
    assert rows["b"] == "E2.0"


def test_without_a_full_read_the_parents_records_are_not_asked(home: Path, parent: Claude) -> None:
    assert {call for call, _ in calls(home, full=False).values()} == {None}


def test_a_spawned_thread_is_joined_by_what_its_call_answered(home: Path) -> None:
    parent = Codex(home, Names(1))
    parent.user("Go")
    spawn = parent.function("spawn_agent", json.dumps({"message": "Look"}))
    child = Codex(home, Names(2), parent_thread_id=parent.session_id, thread_source="subagent")
    child.user("Look")
    child.answer("Seen")
    parent.result(spawn, json.dumps({"agent_id": child.session_id}))
    for lines in (parent, child):
        lines.save()
    ((call, call_id),) = calls(home).values()
    assert call is not None
    assert call_id == spawn
    library = open_library([str(home)])
    assert library.view(parent.session_id).evidence(kinds={"tool"}).items[0].id.entry == int(call[1:].split(".")[0])


def test_a_parent_is_read_once_for_all_its_children(
    home: Path, parent: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    open_one = SessionReader.view

    def counted(reader: Any, listed: Any, *rest: Any) -> Any:
        opened.append(listed.source.path)
        return open_one(reader, listed, *rest)

    monkeypatch.setattr(SessionReader, "view", counted)
    list(open_library([str(home)]).sessions(full=True))
    assert opened.count(str(parent.path)) <= 2
    assert len(opened) <= 7


def test_one_summary_read_in_full_names_its_call_too(home: Path, parent: Claude) -> None:
    library = open_library([str(home)])
    ref = library.resolve_target(f"claude:{parent.session_id}.b").ref
    assert str(library.summary(ref, full=True).call) == "E2.0"
    assert library.summary(ref).call is None
