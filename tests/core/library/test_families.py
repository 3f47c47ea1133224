"""Subagents stand below whoever started them, wherever that is written and however many roots hold the same ids."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.core.views.growing import said
from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from unspool.follow.events import EvidenceAdded
from unspool.ids import SessionRef
from unspool.library import nesting as nesting_module
from unspool.library import open_library


def subagent(
    home: Path, session: str, part: str, *calls: dict[str, Any], seed: int = 9, padding: int = 0, project: str = "-p"
) -> Claude:
    """Write a subagent's file: its task, then results that stand deep inside it."""
    folder = home / ".claude/projects" / project / session / "subagents"
    lines = Claude(
        home, Names(seed), path=folder / f"agent-{part}.jsonl", session_id=session, isSidechain=True, agentId=part
    )
    lines.user(f"task of {part}")
    for call in calls:
        for _ in range(padding):
            lines.answer("pad " * 500)
        made = lines.call("start it")
        lines.said([{"type": "tool_result", "tool_use_id": made, "content": "ok"}], toolUseResult=call)
    for _ in range(padding):
        lines.answer("pad " * 500)
    lines.save()
    return lines


def parents(*homes: Path) -> dict[str, str | None]:
    """Return the parent of every listed session."""
    listed = open_library([*map(str, homes)]).sessions()
    return {str(each.ref): str(each.parent) if each.parent else None for each in listed}


def main_file(home: Path, session: str, *calls: dict[str, Any], project: str = "-p", seed: int = 1) -> None:
    """Write a session that has started subagents."""
    path = home / ".claude/projects" / project / f"{session}.jsonl"
    lines = Claude(home, Names(seed), path=path, session_id=session)
    lines.user("Go")
    for call in calls:
        made = lines.call("start it")
        lines.said([{"type": "tool_result", "tool_use_id": made, "content": "ok"}], toolUseResult=call)
    lines.save()


def test_a_log_that_no_list_shows_is_nobodys_child(home: Path) -> None:
    main_file(home, "s", {"agentId": "top"})
    subagent(home, "s", "top")
    subagent(home, "s", "acompact-1", seed=8)
    library = open_library([str(home)])
    assert [str(child) for each in library.sessions() for child in each.children] == ["claude:s.top"]
    assert set(parents(home)) == {"claude:s", "claude:s.top"}
    assert library.view("claude:s.acompact-1").counts.user == 1


def test_an_old_subagent_reads_the_outputs_saved_beside_its_session(home: Path) -> None:
    main_file(home, "s")
    project = home / ".claude/projects/-p"
    path = project / "agent-0a.jsonl"
    lines = Claude(home, Names(9), path=path, session_id="s", isSidechain=True, agentId="0a")
    lines.user("task")
    stub = "<persisted-output>\nOutput too large. Full output saved to: /x/s/tool-results/full.txt\n</persisted-output>"
    lines.said([{"type": "tool_result", "tool_use_id": lines.call("look"), "content": stub}])
    lines.save()
    folder = project / "s" / "tool-results"
    folder.mkdir(parents=True)
    (folder / "full.txt").write_text("all of it")
    view = open_library([str(home)]).view("claude:s.0a")
    assert view.text(view.id(view.rows - 1)).read(0, 99) == b"all of it"


@pytest.mark.parametrize("padding", [0, 60])
def test_a_subagent_stands_below_the_one_that_started_it_however_deep_inside(home: Path, padding: int) -> None:
    main_file(home, "s", {"agentId": "top"})
    subagent(home, "s", "top", {"agentId": "mid"}, padding=padding)
    subagent(home, "s", "mid", {"agentId": "leaf"}, padding=padding, seed=8)
    subagent(home, "s", "leaf", seed=7)
    assert parents(home) == {"claude:s": None, "claude:s.top": "claude:s"} | {
        "claude:s.mid": "claude:s.top",
        "claude:s.leaf": "claude:s.mid",
    }


def test_who_only_asks_for_a_subagent_has_not_started_it(home: Path) -> None:
    main_file(home, "s", {"agentId": "one"}, {"agentId": "two"})
    subagent(home, "s", "one", {"agentId": "two"})
    subagent(home, "s", "two", seed=8)
    assert parents(home) == {"claude:s": None, "claude:s.one": "claude:s", "claude:s.two": "claude:s"}


def test_subagents_that_name_each_other_stay_below_the_session(home: Path) -> None:
    main_file(home, "s")
    subagent(home, "s", "one", {"agentId": "two"})
    subagent(home, "s", "two", {"agentId": "one"}, seed=8)
    found = parents(home)
    assert sorted(map(str, found.values())) in (
        ["None", "claude:s", "claude:s.one"],
        ["None", "claude:s", "claude:s.two"],
    )


def test_an_unchanged_file_is_looked_through_for_calls_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main_file(home, "s", {"agentId": "one"})
    subagent(home, "s", "one", {"agentId": "two"})
    subagent(home, "s", "two", seed=8)
    read: list[str] = []
    once = nesting_module._read
    monkeypatch.setattr(nesting_module, "_read", lambda caller: read.append(caller.source.path) or once(caller))
    library = open_library([str(home)])
    assert [len(list(library.sessions())) for _ in range(3)] == [3, 3, 3]
    assert len(read) == len(set(read))


def test_a_listing_looks_through_a_bounded_number_of_bytes_for_calls(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main_file(home, "s")
    subagent(home, "s", "one", {"agentId": "two"}, padding=60)
    subagent(home, "s", "two", seed=8)
    monkeypatch.setattr(nesting_module, "LISTED_BYTES", 100_000)
    assert parents(home)["claude:s.two"] == "claude:s"


@pytest.mark.parametrize("extra", [{}, {"agentId": "0a0a0a0a"}])
def test_an_old_subagent_beside_its_session_belongs_to_it(home: Path, extra: dict[str, str]) -> None:
    main_file(home, "s")
    path = home / ".claude/projects/-p/agent-0a0a0a0a.jsonl"
    lines = Claude(home, Names(2), path=path, session_id="s", isSidechain=True, **extra)
    lines.user("old task")
    lines.save()
    assert parents(home) == {"claude:s": None, "claude:s.0a0a0a0a": "claude:s"}


@pytest.mark.parametrize("turned", [False, True])
def test_the_subagents_of_two_sessions_with_one_id_belong_to_the_one_they_lie_beside(
    home: Path, tmp_path: Path, turned: bool
) -> None:
    roots = [home, tmp_path]
    for place in roots:
        main_file(place, "s")
    subagent(tmp_path, "s", "only")
    old = (home if turned else tmp_path) / ".claude/projects/-p/s.jsonl"
    os.utime(old, (1_000_000_000, 1_000_000_000))
    listed = {each.ref: each for each in open_library([*map(str, roots)]).sessions()}
    (child,) = [each for each in listed.values() if each.part == "only"]
    assert child.parent is not None
    assert listed[child.parent].path.startswith(str(tmp_path))
    assert listed[child.parent].children == (child.ref,)


def test_two_projects_with_one_session_id_keep_their_own_subagents(home: Path) -> None:
    for project in ("-p", "-q"):
        main_file(home, "s", project=project)
        subagent(home, "s", f"of{project}", project=project)
    listed = {each.ref: each for each in open_library([str(home)]).sessions()}
    for each in listed.values():
        if each.part is not None:
            assert each.parent is not None
            assert os.path.dirname(listed[each.parent].path) == os.path.dirname(
                os.path.dirname(os.path.dirname(each.path))
            )


@pytest.mark.parametrize(("part", "told"), [("x", ["x"]), (None, [None, "x", "y"])])
def test_a_subagent_is_followed_alone_and_a_session_with_its_subagents(
    home: Path, part: str | None, told: list[str | None]
) -> None:
    lines = Claude(home, Names(1))
    lines.user("Go")
    lines.save()
    folder = lines.path.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    paths = [lines.path, folder / "agent-x.jsonl", folder / "agent-y.jsonl"]
    for path in paths[1:]:
        path.write_bytes(lines.path.read_bytes())
    library = open_library([str(home)])
    with library.follow([SessionRef("claude", lines.session_id, part)]) as following:
        following.step(0)
        for path in paths:
            with path.open("ab") as file:
                file.write(said(1, "more") + b"\n")
        events = [event for _ in range(20) for event in following.step(0.05)]
    assert sorted((e.ref.part for e in events if isinstance(e, EvidenceAdded)), key=str) == sorted(told, key=str)


def test_a_copy_of_a_session_is_followed_with_the_subagents_that_only_it_has(tmp_path: Path) -> None:
    roots, paths = [tmp_path / "one", tmp_path / "two"], list[Path]()
    for root in roots:
        lines = Claude(root, Names(1))
        lines.user("Go")
        lines.save()
        paths.append(lines.path)
    library = open_library([str(root) for root in roots])
    copied = next(each for each in library.sessions() if each.ref.copy > 1)
    beside = Path(copied.path).with_suffix("") / "subagents" / "agent-x.jsonl"
    beside.parent.mkdir(parents=True)
    beside.write_bytes(paths[0].read_bytes())
    library = open_library([str(root) for root in roots])
    with library.follow([copied.ref]) as following:
        following.step(0)
        for path in (*paths, beside):
            with path.open("ab") as file:
                file.write(said(1, "more") + b"\n")
        events = [event for _ in range(20) for event in following.step(0.05)]
    told = {(e.ref.part, e.ref.copy) for e in events if isinstance(e, EvidenceAdded)}
    assert told == {(None, copied.ref.copy), ("x", 1)}


def test_who_started_whom_is_remembered_until_a_file_or_the_family_changes(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main_file(home, "s", {"agentId": "top"})
    subagent(home, "s", "top", {"agentId": "deep"})
    subagent(home, "s", "deep", seed=8)

    def listed() -> dict[str, str | None]:
        library = open_library([str(home)], now=lambda: 4_000_000_000_000, cache=str(tmp_path / "cache"))
        return {str(each.ref): str(each.parent) if each.parent else None for each in library.sessions()}

    looked: list[str] = []
    mentions = nesting_module.mentions
    monkeypatch.setattr(
        nesting_module, "mentions", lambda path, ids: looked.append(os.path.basename(path)) or mentions(path, ids)
    )
    first = listed()
    assert first == {"claude:s": None, "claude:s.top": "claude:s", "claude:s.deep": "claude:s.top"}
    assert looked
    looked.clear()
    assert listed() == first
    assert looked == []
    subagent(home, "s", "new", seed=7)
    assert listed() == first | {"claude:s.new": "claude:s"}
    assert {"agent-top.jsonl", "agent-deep.jsonl", "agent-new.jsonl"} <= {*looked}
