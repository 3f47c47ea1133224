from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests.core.formats.claude_walk import user
from unspool.stores.base import ScanError
from unspool.stores.claude_code import CLAUDE_CODE_STORE
from unspool.stores.discovery import UNKNOWN, discover

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SESSION = "0b9c1f5e-1111-4222-8333-444455556666"
CLAUDE = json.dumps(user("Glaze it")) + "\n"
CODEX = json.dumps({"timestamp": "2026-05-01T10:00:00Z", "type": "session_meta", "payload": {"id": "s"}}) + "\n"


def write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def found(root: Path) -> tuple[set[tuple[str, str]], list[ScanError]]:
    errors: list[ScanError] = []
    sources = {(source.agent, os.path.relpath(source.path, root)) for source in discover(str(root), errors=errors)}
    return sources, errors


def test_a_persons_home_lists_every_agent_that_keeps_sessions_in_it(tmp_path: Path) -> None:
    write(tmp_path / ".claude" / "projects" / "-k" / "a.jsonl", "not even JSON")
    write(tmp_path / ".codex" / "sessions" / "2026" / "05" / "01" / "rollout-x.jsonl", "")
    write(tmp_path / "work" / "stray.jsonl", CLAUDE)
    sources, errors = found(tmp_path)
    assert sources == {
        ("claude", ".claude/projects/-k/a.jsonl"),
        ("codex", ".codex/sessions/2026/05/01/rollout-x.jsonl"),
    }
    assert errors == []


def test_loose_files_are_judged_by_what_they_hold(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", CLAUDE)
    write(tmp_path / "deep" / "er" / "b.jsonl", '{"x": 1}\n\n{torn\n' + CODEX)
    write(tmp_path / "empty.jsonl", "")
    write(tmp_path / "readme.md", CLAUDE)
    other = write(tmp_path / "other.jsonl", '{"x": 1}\n')
    sources, errors = found(tmp_path)
    assert sources == {("claude", "a.jsonl"), ("codex", "deep/er/b.jsonl")}
    assert errors == [ScanError(str(other), UNKNOWN)]


def test_a_loose_copy_of_a_home_keeps_its_layout(tmp_path: Path) -> None:
    write(tmp_path / "backup" / "claude" / "p" / SESSION / "subagents" / "agent-a1.jsonl", CLAUDE)
    (source,) = discover(str(tmp_path), errors=[])
    assert (source.session_id, source.part, source.parent) == (SESSION, "a1", (SESSION, None))


def test_a_single_loose_file_is_judged_and_a_missing_one_is_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", CODEX)
    assert [source.agent for source in discover(str(path), errors=[])] == ["codex"]
    assert list(discover(str(tmp_path / "gone.jsonl"), errors=[])) == []


def test_a_binary_file_with_a_sessions_ending_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "picture.jsonl"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 64)
    sources, errors = found(tmp_path)
    assert sources == set()
    assert [error.path for error in errors] == [str(path)]


def test_a_loose_archive_is_judged_by_what_it_holds_as_any_file_is(tmp_path: Path) -> None:
    archived = {f"{SESSION}.jsonl.zst": CLAUDE, f"rollout-{SESSION}.jsonl.zst": CODEX, "other.jsonl.zst": '{"x": 1}\n'}
    for name, content in archived.items():
        (tmp_path / name).write_bytes(zstd.compress(content.encode()))
    sources, errors = found(tmp_path)
    assert sources == {("claude", f"{SESSION}.jsonl.zst"), ("codex", f"rollout-{SESSION}.jsonl.zst")}
    assert errors == [ScanError(str(tmp_path / "other.jsonl.zst"), UNKNOWN)]


def test_an_archive_that_tells_nothing_is_taken_for_one_of_the_agent_that_writes_archives(tmp_path: Path) -> None:
    whole = zstd.compress(json.dumps(user("Glaze it" + os.urandom(50_000).hex())).encode())
    (tmp_path / "torn.jsonl.zst").write_bytes(whole[: len(whole) // 2])
    write(tmp_path / f"rollout-{SESSION}.jsonl.zst", "no archive")
    sources, errors = found(tmp_path)
    assert sources == {("codex", "torn.jsonl.zst"), ("codex", f"rollout-{SESSION}.jsonl.zst")}
    assert errors == []


def test_a_session_that_was_compressed_in_its_home_keeps_its_name_and_its_side_files(tmp_path: Path) -> None:
    project = tmp_path / ".claude" / "projects" / "-k"
    project.mkdir(parents=True)
    (project / f"{SESSION}.jsonl.zst").write_bytes(zstd.compress(CLAUDE.encode()))
    write(project / "history.jsonl.zst", "no session")
    (source,) = discover(str(tmp_path), errors=[])
    assert (source.agent, source.session_id, source.compressed) == ("claude", SESSION, True)
    artifacts = CLAUDE_CODE_STORE.artifacts(source)
    assert artifacts is not None
    assert artifacts.path == str(project / SESSION / "tool-results")


def test_logs_of_agents_that_took_over_a_layout_are_nobodys(tmp_path: Path) -> None:
    streamed = user("Glaze it") | {"sessionId": f"session-{SESSION}"}
    header = {"id": SESSION, "cwd": "/srv", "originator": "codex-tui", "model_provider": "trae"}
    others = {
        write(
            tmp_path / f"session-{SESSION}.jsonl", json.dumps({"type": "summary"}) + "\n" + json.dumps(streamed) + "\n"
        ),
        write(tmp_path / "rollout-x.jsonl", json.dumps({"type": "session_meta", "payload": header}) + "\n"),
    }
    write(tmp_path / "a.jsonl", json.dumps(user("Glaze it") | {"sessionId": "session-7"}) + "\n")
    write(
        tmp_path / "b.jsonl", json.dumps({"type": "session_meta", "payload": header | {"model_provider": "own"}}) + "\n"
    )
    sources, errors = found(tmp_path)
    assert sources == {("claude", "a.jsonl"), ("codex", "b.jsonl")}
    assert {(error.path, error.reason) for error in errors} == {(str(path), UNKNOWN) for path in others}


def test_what_was_cleaned_away_is_listed_only_when_its_trash_is_named(tmp_path: Path) -> None:
    batch = tmp_path / "records" / ".unspool-trash" / "20260101T000000Z"
    write(batch / "projects" / "p" / "a.jsonl", CLAUDE)
    assert found(tmp_path) == (set(), [])
    assert found(batch.parent)[0] == {("claude", "20260101T000000Z/projects/p/a.jsonl")}
