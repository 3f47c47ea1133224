from __future__ import annotations

import os
from pathlib import Path

import pytest

from unspool.sources.document import DOCUMENT_LIMIT
from unspool.stores.base import ScanError, SourceFile
from unspool.stores.codex import CODEX_STORE

FIRST = "019ed50c-2fb3-7002-a384-360bea6e7f04"
SECOND = "9cd28a74-da7e-4458-a91a-fffec2be9d7a"


@pytest.fixture
def agent_home(home: Path) -> Path:
    """A Codex home with a session, an archived and compressed one, and what lies beside them."""
    folder = home / ".codex"
    write(folder / "sessions/2026/05/01" / f"rollout-2026-05-01T10-00-00-{FIRST}.jsonl")
    write(folder / "archived_sessions" / f"rollout-2025-09-16T04-47-48-{SECOND}.jsonl.zst")
    write(folder / "history.jsonl")
    write(folder / "sessions/2026/05/01/notes.jsonl")
    write(folder / "sessions/2026/05/01" / f"rollout-2026-05-01T10-00-00-{FIRST}.jsonl.zst.tmp")
    return folder


def write(path: Path, data: bytes = b"{}\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def listed(root: Path | str, errors: list[ScanError] | None = None) -> list[SourceFile]:
    return sorted(CODEX_STORE.sources(str(root), errors=[] if errors is None else errors), key=lambda file: file.path)


def ids(root: Path | str) -> list[tuple[str, bool]]:
    return [(file.session_id, file.compressed) for file in listed(root)]


def test_live_and_archived_sessions_are_listed_and_nothing_else(agent_home: Path) -> None:
    assert ids(agent_home) == [(SECOND, True), (FIRST, False)]


@pytest.mark.parametrize("inside", [".", "..", "sessions", "sessions/2026/05"])
def test_a_root_may_be_the_home_the_person_s_home_or_a_folder_inside(agent_home: Path, inside: str) -> None:
    assert (FIRST, False) in ids(agent_home / inside)


def test_a_root_may_be_one_file(agent_home: Path) -> None:
    [file] = listed(agent_home / "sessions/2026/05/01" / f"rollout-2026-05-01T10-00-00-{FIRST}.jsonl")
    assert (file.session_id, file.part, file.parent, file.size) == (FIRST, None, None, 3)
    assert listed(agent_home / "history.jsonl") == []
    assert listed(agent_home / "nowhere.jsonl") == []


def test_loose_files_are_listed_under_their_own_names(tmp_path: Path) -> None:
    write(tmp_path / "deep/inside/saved.jsonl")
    write(tmp_path / "README.md")
    assert ids(tmp_path) == [("saved", False)]


def test_a_plain_file_beside_its_compressed_form_is_listed_with_it(agent_home: Path) -> None:
    write(agent_home / "archived_sessions" / f"rollout-2025-09-16T04-47-48-{SECOND}.jsonl")
    assert ids(agent_home / "archived_sessions") == [(SECOND, False), (SECOND, True)]


def test_links_are_not_followed(agent_home: Path, tmp_path: Path) -> None:
    elsewhere = write(tmp_path / f"rollout-2026-05-01T10-00-00-{SECOND}.jsonl")
    (agent_home / "sessions" / elsewhere.name).symlink_to(elsewhere)
    (agent_home / "sessions/more").symlink_to(tmp_path)
    assert ids(agent_home / "sessions") == [(FIRST, False)]


def test_names_that_are_not_utf8_survive(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9.jsonl"
    Path(os.fsdecode(raw)).write_bytes(b"{}\n")
    [file] = listed(tmp_path)
    assert os.fsencode(file.path) == raw


def test_rollouts_that_are_one_document_are_listed_unless_they_are_huge(agent_home: Path) -> None:
    third, huge = FIRST.replace("0", "3"), agent_home / "sessions" / f"rollout-2025-05-01-{SECOND}.json"
    write(agent_home / "sessions" / f"rollout-2025-05-01-{third}.json")
    write(agent_home / "sessions/4711.json")
    write(huge)
    os.truncate(huge, DOCUMENT_LIMIT + 1)
    errors: list[ScanError] = []
    assert {file.session_id for file in listed(agent_home, errors)} == {FIRST, SECOND, third}
    assert [error.path for error in errors] == [str(huge)]


def test_a_home_is_recognised_by_its_layout_whatever_its_name(agent_home: Path, home: Path, tmp_path: Path) -> None:
    assert CODEX_STORE.recognise(str(home)) == str(agent_home)
    assert CODEX_STORE.recognise(str(agent_home)) == str(agent_home)
    assert CODEX_STORE.recognise(str(agent_home / "sessions/2026/05")) == str(agent_home)
    copied = tmp_path / "copied"
    write(copied / "sessions/2026/05/01" / f"rollout-2026-05-01T10-00-00-{FIRST}.jsonl")
    assert CODEX_STORE.recognise(str(copied)) == str(copied)
    assert ids(copied) == [(FIRST, False)]


def test_sessions_of_other_agents_make_no_home(home: Path, tmp_path: Path) -> None:
    write(tmp_path / "sessions/4711.json")
    write(tmp_path / "sessions/--src--/2026-05-01T10-00-00-000Z_a.jsonl")
    assert CODEX_STORE.recognise(str(tmp_path)) is None
    assert CODEX_STORE.recognise(str(home)) is None


def test_an_empty_home_of_the_usual_name_is_a_home_without_sessions(home: Path) -> None:
    (home / ".codex/sessions").mkdir(parents=True)
    assert CODEX_STORE.recognise(str(home)) == str(home / ".codex")
    assert listed(home) == []


def test_the_configured_home_comes_before_the_usual_one() -> None:
    assert CODEX_STORE.default_roots({}, "/home/pat") == ["/home/pat/.codex"]
    assert CODEX_STORE.default_roots({"CODEX_HOME": "/srv/codex"}, "/home/pat") == ["/srv/codex"]
    assert CODEX_STORE.default_roots({"CODEX_HOME": " "}, "/home/pat") == ["/home/pat/.codex"]


def test_nothing_lies_beside_a_session_and_nothing_tells_what_runs(agent_home: Path) -> None:
    file = listed(agent_home)[0]
    assert CODEX_STORE.artifacts(file) is None
    assert CODEX_STORE.spawn(file) is None
    assert CODEX_STORE.live(str(agent_home), alive=lambda pid: True) == {}


def test_the_newest_name_in_the_index_wins_and_broken_lines_are_passed_by(agent_home: Path) -> None:
    lines = [
        f'{{"id":"{FIRST}","thread_name":"Kiln","updated_at":"2026-05-01T10:00:00Z"}}',
        '{"id":"torn","thread_na',
        "7",
        '{"id":7,"thread_name":"x"}',
        f'{{"id":"{SECOND}","thread_name":"  "}}',
        f'{{"id":"{FIRST}","thread_name":" Oven "}}',
    ]
    write(agent_home / "session_index.jsonl", "\n".join(lines).encode())
    assert CODEX_STORE.titles(str(agent_home)) == {FIRST: "Oven"}


def test_without_an_index_there_are_no_names(agent_home: Path) -> None:
    assert CODEX_STORE.titles(str(agent_home)) == {}
    (agent_home / "session_index.jsonl").symlink_to(agent_home / "history.jsonl")
    assert CODEX_STORE.titles(str(agent_home)) == {}


def test_only_the_end_of_a_giant_index_is_read(agent_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unspool.stores.codex._INDEX_BYTES", 60)
    line = '{{"id":"{}","thread_name":"{}"}}\n'
    write(agent_home / "session_index.jsonl", (line.format("a", "One") * 3 + line.format("b", "Two")).encode())
    assert CODEX_STORE.titles(str(agent_home)) == {"b": "Two"}
