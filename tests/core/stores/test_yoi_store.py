"""Where yoi keeps its sessions, under each of the names that it has had."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from unspool.stores.base import ScanError, SourceFile
from unspool.stores.discovery import discover
from unspool.stores.yoi import YOI_STORE

FLAT = "019d5fdf-dd80-745f-a4fe-97b20b046548"
SESSION = "019f9a4a-7a00-724b-8aa4-cafde667de83"
SEGMENTS = ("019f9a4a-7a00-752b-a01a-da63bee38edd", "019f9a58-35a0-70d4-8592-5ef89fa16b61")
USER_INPUT = b'{"kind":"user_input","ts":1785000000101,"segments":[{"kind":"text","content":"Hi"}]}\n'


@pytest.fixture
def agent_home(home: Path) -> Path:
    """A home of yoi with a session of each layout, their traces, and what else lies about."""
    folder = home / ".local" / "share" / "yoi"
    write(folder / "sessions" / f"{FLAT}.jsonl")
    write(folder / "sessions" / f"{FLAT}.trace.jsonl")
    for segment in SEGMENTS:
        write(folder / "sessions" / SESSION / f"{segment}.jsonl")
        write(folder / "sessions" / SESSION / f"{segment}.trace.jsonl")
    write(folder / "sessions" / "index.jsonl")
    write(folder / "workers" / f"{FLAT}.jsonl")
    return folder


def write(path: Path, data: bytes = USER_INPUT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def listed(root: Path | str, errors: list[ScanError] | None = None) -> list[tuple[str, str | None, bool]]:
    found = YOI_STORE.sources(str(root), errors=[] if errors is None else errors)
    return sorted(named(file) for file in found)


def named(file: SourceFile) -> tuple[str, str | None, bool]:
    return file.session_id, file.part, file.ordered


EVERY = [(FLAT, None, False), *((SESSION, segment, True) for segment in SEGMENTS)]


@pytest.mark.parametrize("inside", [".", "../../..", "sessions"])
def test_sessions_and_segments_are_listed_and_nothing_else(agent_home: Path, inside: str) -> None:
    assert listed(agent_home / inside) == EVERY


def test_a_root_may_be_a_session_or_one_file(agent_home: Path) -> None:
    folder = agent_home / "sessions"
    assert listed(folder / SESSION) == EVERY[1:]
    assert listed(folder / SESSION / f"{SEGMENTS[0]}.jsonl") == EVERY[1:2]
    assert listed(folder / f"{FLAT}.jsonl") == EVERY[:1]
    assert listed(folder / f"{FLAT}.trace.jsonl") == []
    assert listed(folder / "nowhere.jsonl") == []


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, ["/h/.local/share/yoi", "/h/.yoi"]),
        ({"XDG_DATA_HOME": "/d"}, ["/d/yoi", "/h/.yoi"]),
        ({"YOI_HOME": "/y", "XDG_DATA_HOME": "/d"}, ["/y"]),
        ({"YOI_DATA_DIR": "/z", "YOI_HOME": "/y"}, ["/z"]),
        ({"YOI_DATA_DIR": " ", "YOI_HOME": "", "XDG_DATA_HOME": " "}, ["/h/.local/share/yoi", "/h/.yoi"]),
    ],
)
def test_the_variables_go_before_the_usual_folders(environ: dict[str, str], expected: list[str]) -> None:
    assert YOI_STORE.default_roots(environ, "/h") == expected


def test_a_home_is_known_by_its_name_or_by_a_session_of_segments(agent_home: Path, tmp_path: Path) -> None:
    assert YOI_STORE.recognise(str(agent_home / "sessions" / SESSION / f"{SEGMENTS[0]}.jsonl")) == str(agent_home)
    other = tmp_path / "elsewhere"
    write(other / "sessions" / f"{FLAT}.jsonl")
    assert YOI_STORE.recognise(str(other)) is None
    write(other / "sessions" / SESSION / f"{SEGMENTS[0]}.jsonl")
    assert YOI_STORE.recognise(str(other / "sessions")) == str(other)
    old = tmp_path / "person" / ".yoi"
    write(old / "sessions" / f"{FLAT}.jsonl")
    assert YOI_STORE.recognise(str(old.parent)) == str(old)


def test_elsewhere_a_session_is_found_by_its_records_and_a_trace_is_no_fault(tmp_path: Path) -> None:
    write(tmp_path / "kept" / "any name.jsonl")
    write(tmp_path / "kept" / f"{FLAT}.trace.jsonl", b'{"ts":1,"turn":0,"event":{"ping":{}}}\n')
    write(tmp_path / "kept" / "disguised.trace.jsonl")
    write(tmp_path / "kept" / SESSION / f"{SEGMENTS[0]}.jsonl")
    errors: list[ScanError] = []
    found = sorted(named(file) for file in discover(str(tmp_path), errors=errors))
    assert found == [(SESSION, SEGMENTS[0], True), ("any name", None, False)]
    assert errors == []


def test_links_and_what_is_no_file_are_no_sessions(agent_home: Path) -> None:
    os.mkfifo(agent_home / "sessions" / f"{SESSION[:-1]}0.jsonl")
    (agent_home / "sessions" / f"{SESSION[:-1]}1.jsonl").symlink_to(agent_home / "sessions" / f"{FLAT}.jsonl")
    assert listed(agent_home) == EVERY


def test_the_blobs_of_a_session_lie_beside_its_folder_of_sessions(agent_home: Path, tmp_path: Path) -> None:
    expected = str(agent_home / "blobs")
    for path in (agent_home / "sessions" / f"{FLAT}.jsonl", agent_home / "sessions" / SESSION / f"{SEGMENTS[0]}.jsonl"):
        source = YOI_STORE.source(str(path))
        assert source is not None
        assert YOI_STORE.blobs(source) == expected
    for place in ("deep/er", "sessions/deep/er"):
        loose = YOI_STORE.source(str(write(tmp_path / place / "x.jsonl")))
        assert loose is not None
        assert YOI_STORE.blobs(loose) is None


def test_yoi_names_no_processes_titles_or_commands(agent_home: Path) -> None:
    assert YOI_STORE.live(str(agent_home), alive=lambda pid: True) == {}
    assert YOI_STORE.titles(str(agent_home)) == {}
    assert YOI_STORE.resume(SESSION) is None
