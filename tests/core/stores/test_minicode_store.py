"""Where MiniCode keeps its sessions, what lies beside them, and what it leaves behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from unspool.stores.artifacts import ArtifactFolder
from unspool.stores.base import ScanError
from unspool.stores.claude_code import CLAUDE_CODE_STORE
from unspool.stores.discovery import discover
from unspool.stores.minicode import MINICODE_STORE as STORE
from unspool.stores.minicode_left import left_behind
from unspool.stores.ownership import owner_of

IDS = ("1a2b3c4d", "2a2b3c4d", "3a2b3c4d")
EVENT = {
    "type": "user",
    "message": {"role": "user", "content": "Hi", "id": "u1"},
    "uuid": "u1",
    "sessionId": "1a2b3c4d",
}
LINE = json.dumps(EVENT).encode() + b"\n"


def write(path: Path, data: bytes = LINE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.fixture
def agent_home(home: Path) -> Path:
    """A home with sessions of two projects and of the root folder, and all that lies about."""
    folder = home / ".mini-code"
    write(folder / "projects" / "srv-shop" / f"{IDS[0]}.jsonl")
    write(folder / "projects" / "srv-shop" / IDS[0] / "tool-results" / "toolu_1.jsonl")
    write(folder / "projects" / "a b.c" / f"{IDS[1]}.jsonl")
    write(folder / "projects" / f"{IDS[2]}.jsonl")
    write(folder / "history.jsonl", b'{"display":"Hi"}\n')
    write(folder / "settings.json", b"{}")
    return folder


def listed(root: Path | str) -> list[str]:
    errors: list[ScanError] = []
    found = sorted(file.session_id for file in STORE.sources(str(root), errors=errors))
    assert errors == []
    return found


@pytest.mark.parametrize("inside", [".", "..", "projects"])
def test_sessions_of_every_project_are_listed_and_nothing_else(agent_home: Path, inside: str) -> None:
    assert listed(agent_home / inside) == [*IDS]
    assert [source.agent for source in discover(str(agent_home), errors=[])] == ["minicode"] * 3


def test_a_root_may_be_a_project_or_one_file(agent_home: Path) -> None:
    project = agent_home / "projects" / "srv-shop"
    assert listed(project) == listed(project / f"{IDS[0]}.jsonl") == [IDS[0]]


def test_a_home_of_another_name_is_known_by_its_sessions_and_is_no_other_agents(agent_home: Path) -> None:
    moved = agent_home.rename(agent_home.with_name("backup"))
    assert STORE.recognise(str(moved)) == str(moved)
    assert STORE.recognise(str(moved / "projects" / "srv-shop")) == str(moved)
    assert CLAUDE_CODE_STORE.recognise(str(moved)) is None
    assert [source.agent for source in discover(str(moved), errors=[])] == ["minicode"] * 3


def test_a_home_of_claude_code_with_short_names_is_not_taken_for_one(home: Path) -> None:
    lines = Claude(home, Names(1), session_id=IDS[0])
    lines.user("Hi")
    lines.save()
    copied = (home / ".claude").rename(home / "copied")
    write(copied / "history.jsonl", b"{}\n")
    assert STORE.recognise(str(copied)) is None
    assert CLAUDE_CODE_STORE.recognise(str(copied)) == str(copied)


@pytest.mark.parametrize(
    ("before", "length", "known"), [(b"{}\n", 1, True), (b"{}\n", 1 << 20, False), (b"", 1 << 20, True)]
)
def test_the_beginning_of_a_session_tells_whose_a_home_is_and_no_long_line_behind_it(
    home: Path, before: bytes, length: int, known: bool
) -> None:
    event = {**EVENT, "message": {"role": "user", "content": "a" * length, "id": "u1"}}
    write(home / "backup" / "projects" / "shop" / f"{IDS[0]}.jsonl", before + json.dumps(event).encode() + b"\n")
    assert (STORE.recognise(str(home / "backup")) is not None) == known


def test_a_configured_home_is_taken_for_the_usual_one(home: Path) -> None:
    assert STORE.default_roots({}, str(home)) == [str(home / ".mini-code")]
    assert STORE.default_roots({"MINI_CODE_HOME": "/srv/mini"}, str(home)) == ["/srv/mini"]


def test_a_folder_of_its_own_is_owned(agent_home: Path) -> None:
    owner = owner_of(str(agent_home / "projects" / "srv-shop" / "notes.md"), {"HOME": str(agent_home.parent)})
    assert owner == ("minicode", str(agent_home))


def test_side_files_lie_beside_the_session_or_with_a_run_of_first_versions(agent_home: Path) -> None:
    project = agent_home / "projects" / "srv-shop"
    source = STORE.source(str(project / f"{IDS[0]}.jsonl"))
    assert source is not None
    folder = STORE.artifacts(source)
    runs = ArtifactFolder(str(agent_home), ("tool-results",))
    assert folder == ArtifactFolder(str(project), (IDS[0], "tool-results"), runs)
    assert folder.run(("tool-results", "r1")) == ArtifactFolder(str(agent_home), ("tool-results", "r1"))
    for others in [("projects", "r1"), ("tool-results", ".."), ("tool-results",), ()]:
        assert folder.run(others) is None
    assert (folder.is_bereft(IDS[1]), folder.is_bereft(IDS[0]), folder.is_bereft("..")) == (True, False, False)


def test_what_no_log_stands_beside_is_left_behind_and_is_no_session(agent_home: Path) -> None:
    project = agent_home / "projects" / "srv-shop"
    write(project / "4a2b3c4d" / "tool-results" / "t.txt", b"four")
    write(project / "ephemeral-x" / "tool-results" / "t.txt", b"12345")
    write(agent_home / "projects" / "tool-results" / "t.txt", b"a project of that name")
    (project / "empty").mkdir()
    (project / "linked").symlink_to(project / "4a2b3c4d")
    for name in ("r1", "r2"):
        write(agent_home / "tool-results" / name / "t.txt", b"123")
    found = [(left.path, left.reason, left.files, left.size) for left in left_behind(str(agent_home))]
    assert found == [
        (str(project / "4a2b3c4d"), "log gone", 1, 4),
        (str(project / "ephemeral-x"), "no log kept", 1, 5),
        (str(agent_home / "tool-results"), "first versions", 2, 6),
    ]
    assert listed(agent_home) == [*IDS]
