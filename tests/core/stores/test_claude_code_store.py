from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from unspool.stores.artifacts import ArtifactFolder
from unspool.stores.base import LiveState, ScanError, SourceFile, Spawn
from unspool.stores.claude_code import CLAUDE_CODE_STORE as STORE

SESSION = "0b9c1f5e-1111-4222-8333-444455556666"


def write(path: Path, content: str = "{}\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


@pytest.fixture
def agent_home(tmp_path: Path) -> Path:
    """A HOME's `.claude` with a session of every layout."""
    project = tmp_path / ".claude" / "projects" / "-src-kiln"
    write(project / f"{SESSION}.jsonl")
    write(project / SESSION / "subagents" / "agent-a1.jsonl")
    write(project / SESSION / "subagents" / "workflows" / "wf_1" / "agent-a2.jsonl")
    write(project / SESSION / "subagents" / "workflows" / "wf_1" / "journal.jsonl")
    write(project / SESSION / "subagents" / "agent-acompact-9.jsonl")
    write(project / SESSION / "tool-results" / "toolu_1.jsonl")
    write(project / "agent-0ld.jsonl")
    write(project / "memory" / "notes.jsonl")
    write(tmp_path / ".claude" / "history.jsonl")
    return tmp_path / ".claude"


def listed(root: Path | str) -> list[SourceFile]:
    errors: list[ScanError] = []
    found = list(STORE.sources(os.fspath(root), errors=errors))
    assert errors == []
    return found


def names(root: Path | str) -> set[tuple[str, str | None]]:
    return {(source.session_id, source.part) for source in listed(root)}


WHOLE = {(SESSION, None), (SESSION, "a1"), (SESSION, "a2"), (SESSION, "acompact-9"), ("agent-0ld", "0ld")}


@pytest.mark.parametrize("below", ["..", ".", "projects", "projects/-src-kiln"])
def test_a_home_a_projects_folder_and_a_project_list_the_same_sessions(agent_home: Path, below: str) -> None:
    assert names(agent_home / below) == WHOLE


def test_a_sessions_folder_lists_its_subagents(agent_home: Path) -> None:
    assert names(agent_home / "projects" / "-src-kiln" / SESSION) == WHOLE - {(SESSION, None), ("agent-0ld", "0ld")}


def test_a_file_lists_itself_whatever_its_name(agent_home: Path) -> None:
    assert names(write(agent_home / "loose.jsonl")) == {("loose", None)}
    assert names(write(agent_home / "notes.txt")) == set()
    assert names(agent_home / "gone.jsonl") == set()


def test_what_a_path_tells_of_a_subagent(agent_home: Path) -> None:
    by_part = {source.part: source for source in listed(agent_home)}
    assert by_part[None].parent is None
    assert by_part["a1"].parent == by_part["a2"].parent == (SESSION, None)
    assert by_part["0ld"].parent is None
    assert [part for part, source in by_part.items() if source.hidden] == ["acompact-9"]


def test_sizes_and_times_are_those_of_the_files(agent_home: Path) -> None:
    path = write(agent_home / "projects" / "-src-kiln" / f"{SESSION}.jsonl", "{}\n{}\n")
    os.utime(path, ns=(5, 7_000_000_000))
    (source,) = listed(path)
    assert (source.path, source.agent, source.size, source.mtime_ns) == (str(path), "claude", 6, 7_000_000_000)
    assert not source.compressed


def test_a_second_home_under_the_configuration_folder_is_listed_too(agent_home: Path) -> None:
    write(agent_home.parent / ".config" / "claude" / "projects" / "-x" / "second.jsonl")
    assert names(agent_home.parent) == WHOLE | {("second", None)}


def test_links_are_not_followed_but_a_linked_root_is(agent_home: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    write(elsewhere / "linked.jsonl")
    project = agent_home / "projects" / "-src-kiln"
    (project / "link.jsonl").symlink_to(elsewhere / "linked.jsonl")
    (project / "loop").symlink_to(project)
    (agent_home / "projects" / "-away").symlink_to(elsewhere)
    assert names(agent_home) == WHOLE
    link = tmp_path / "linked-home"
    link.symlink_to(agent_home)
    assert {source.part for source in listed(link / "projects")} == {part for _, part in WHOLE}


def test_a_fifo_is_no_session(agent_home: Path) -> None:
    os.mkfifo(agent_home / "projects" / "-src-kiln" / "pipe.jsonl")
    assert names(agent_home) == WHOLE
    assert STORE.source(str(agent_home / "projects" / "-src-kiln" / "pipe.jsonl")) is None


def test_folders_deeper_than_asked_are_passed_by(tmp_path: Path) -> None:
    write(tmp_path / "a" / "b" / "deep.jsonl")
    errors: list[ScanError] = []
    assert list(STORE.sources(str(tmp_path), errors=errors, depth=1)) == []
    assert [source.session_id for source in STORE.sources(str(tmp_path), errors=errors, depth=2)] == ["deep"]


def test_a_folder_that_cannot_be_read_is_reported_and_the_rest_is_listed(
    agent_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = agent_home / "projects" / "-locked"
    locked.mkdir()
    scandir = os.scandir

    def refusing(path: str) -> object:
        if path == str(locked):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    errors: list[ScanError] = []
    found = {(source.session_id, source.part) for source in STORE.sources(str(agent_home), errors=errors)}
    assert found == WHOLE
    assert errors == [ScanError(str(locked), "Permission denied")]


def test_a_name_that_is_not_utf8_survives(agent_home: Path) -> None:
    folder = os.fsencode(agent_home / "projects" / "-src-kiln")
    with open(os.path.join(folder, b"caf\xe9.jsonl"), "wb"):
        pass
    (source,) = (source for source in listed(agent_home) if source.session_id.startswith("caf"))
    assert os.fsencode(source.path).endswith(b"caf\xe9.jsonl")


@pytest.mark.parametrize(
    "below", [".", "..", "projects", f"projects/-src-kiln/{SESSION}.jsonl", "projects/-src-kiln/new"]
)
def test_the_home_is_recognised_from_above_within_and_below(agent_home: Path, below: str) -> None:
    assert STORE.recognise(str(agent_home / below)) == str(agent_home)


def test_a_home_of_any_name_is_recognised_by_what_it_holds(tmp_path: Path) -> None:
    write(tmp_path / "one" / "projects" / "-src" / f"{SESSION}.jsonl")
    write(tmp_path / "two" / "projects" / "-src" / "short.jsonl")
    write(tmp_path / "two" / "history.jsonl")
    assert STORE.recognise(str(tmp_path / "one")) == str(tmp_path / "one")
    assert STORE.recognise(str(tmp_path / "two")) == str(tmp_path / "two")


def test_a_persons_own_projects_folder_is_no_home(tmp_path: Path) -> None:
    write(tmp_path / "projects" / "kiln" / "data.jsonl")
    assert STORE.recognise(str(tmp_path)) is None
    assert STORE.recognise(str(tmp_path / "projects" / "kiln")) is None
    assert STORE.recognise(str(tmp_path / "gone")) is None


def test_a_linked_way_into_a_home_is_recognised(agent_home: Path, tmp_path: Path) -> None:
    link = tmp_path / "kiln-sessions"
    link.symlink_to(agent_home / "projects" / "-src-kiln")
    assert STORE.recognise(str(link)) == os.path.realpath(agent_home)


def test_default_roots_are_the_configured_home_or_the_usual_ones() -> None:
    assert STORE.default_roots({}, "/h") == ["/h/.claude", "/h/.config/claude"]
    assert STORE.default_roots({"CLAUDE_CONFIG_DIR": "/c"}, "/h") == ["/c"]
    assert STORE.default_roots({"CLAUDE_CONFIG_DIR": "/c, /d"}, "/h") == ["/c", "/d"]
    assert STORE.default_roots({"CLAUDE_CONFIG_DIR": " "}, "/h") == ["/h/.claude", "/h/.config/claude"]


def test_side_files_lie_in_the_sessions_own_folder_and_its_subagents_share_it(agent_home: Path) -> None:
    by_part = {source.part: source for source in listed(agent_home)}
    folder = ArtifactFolder(str(agent_home / "projects" / "-src-kiln"), (SESSION, "tool-results"))
    assert STORE.artifacts(by_part[None]) == STORE.artifacts(by_part["a1"]) == STORE.artifacts(by_part["a2"]) == folder
    assert STORE.artifacts(by_part["0ld"]) is None


def test_the_start_of_a_subagent_is_read_beside_it(agent_home: Path) -> None:
    folder = agent_home / "projects" / "-src-kiln" / SESSION / "subagents"
    write(folder / "agent-a1.meta.json", json.dumps({"toolUseId": "c1", "agentType": "scout", "description": "Look"}))
    write(folder / "workflows" / "wf_1" / "agent-a2.meta.json", '{"toolUseId": 7')
    by_part = {source.part: source for source in listed(agent_home)}
    assert STORE.spawn(by_part["a1"]) == Spawn("c1", "Look")
    assert STORE.spawn(by_part["a2"]) is None
    assert STORE.spawn(by_part[None]) is None


def test_running_sessions_are_those_of_living_processes(agent_home: Path) -> None:
    registry = agent_home / "sessions"
    write(
        registry / "11.json", json.dumps({"pid": 11, "sessionId": "s1", "status": "busy", "updatedAt": 1780304401000})
    )
    write(registry / "12.json", json.dumps({"pid": 12, "sessionId": "s2", "status": "idle"}))
    write(registry / "13.json", json.dumps({"pid": "13", "sessionId": "s3"}))
    write(registry / "14.json", "{")
    write(registry / "15.json", "[1]")
    write(registry / "16.json", json.dumps({"pid": 11, "sessionId": "s6", "pad": "x" * 70_000}))
    assert STORE.live(str(agent_home), alive=lambda pid: pid == 11) == {"s1": LiveState(11, "busy", 1780304401000)}
    assert STORE.live(str(agent_home / "gone"), alive=lambda pid: True) == {}


def test_titles_stand_in_the_sessions_themselves(agent_home: Path) -> None:
    assert STORE.titles(str(agent_home)) == {}
